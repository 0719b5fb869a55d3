"""Views: "some of its items, in some order", found item by item."""

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cmp_to_key
from itertools import groupby, islice

from . import lengths
from .strips import Item, Strip

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
TOKEN = re.compile(
    r"""\s*(?:([()\[\],]|!=|<=|>=|[=<>])"""
    r"""|"((?:\\["\\]|[^"])*)"|'((?:\\['\\]|[^'])*)'|([^\s()\[\],=!<>"'`]+))"""
)
KEYWORDS = {"AND", "OR", "NOT", "TO", "IN", "EXISTS"}

Test = Callable[[Item], bool]


def view(strip: Strip, asked: dict[str, str], searchable: list[str], ids: list[str] | None = None) -> Strip:
    """ "A view is the strip that an import of exactly its items in exactly its order would make".

    `ids` is the content of the list that `asked` names. "`list` gives the first order, `where` and
    `q` select, `sort` then orders and is stable."
    """
    items = list(strip.items)
    if asked.get("list"):
        by_id = {item.id: item for item in items}
        items = [by_id[id] for id in ids if id in by_id]
    if asked.get("where"):
        items = list(filter(Filter(asked["where"]).test, items))
    search = Search(asked["q"], strip, searchable) if asked.get("q") else None
    if search:
        items = list(filter(search.finds, items))
    keys = [key for key in asked.get("sort", "").split(",") if key and (search or key.removeprefix("-") != "relevance")]
    if keys:
        for key in reversed(keys):
            name, is_descending = key.removeprefix("-"), key.startswith("-")
            if name == "relevance":
                items.sort(key=search.relevance, reverse=is_descending)
            else:
                items.sort(key=cmp_to_key(order(name, is_descending)))
        # "With `sort`, an item's group is the text of its first sort field (none if absent)."
        first = keys[0].removeprefix("-")
        items = [replace(item, group=None if first == "relevance" else text(item, first)) for item in items]
    return strip.with_items(items)


def text(item: Item, name: str) -> str | None:
    """A value as text: "a string, a number as spelled, `true` or `false`"."""
    match name:
        case "id":
            return item.id
        case "kind":
            return item.kind
        case "group":
            return item.group
        case "aspect":
            return item.aspect and ratio(lengths.aspect(item.aspect))
        case "width":
            return item.width and lengths.decimal(lengths.px(item.width))
    value = json.loads(item.fields, parse_int=Spelled, parse_float=Spelled).get(name)
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


class Spelled(str):
    """A number as the JSON text spells it."""


def ratio(units: int) -> str:
    """The shortest decimal number that gives this aspect, the nearest one, halves upward."""
    for decimals in range(6):
        nearest = (2 * units * 10**decimals + 65536) // (2 * 65536)
        spelled = f"{nearest / 10**decimals:.{decimals}f}"
        if lengths.aspect(spelled) == units:
            break
    return spelled


def number(text: str | None) -> float | None:
    """ "a JSON number or a string that follows it", as a double."""
    return float(text) if text is not None and NUMBER.fullmatch(text) else None


# Filters


class Filter:
    """A filter expression: `test` says whether an item matches."""

    def __init__(self, where: str):
        self.tokens: list[tuple[str, str]] = []
        position = 0
        while position < len(where.rstrip()):
            match = TOKEN.match(where, position)
            symbol, double, single, word = match.groups()
            if symbol:
                self.tokens.append(("symbol", symbol))
            elif word:
                self.tokens.append(("keyword" if word in KEYWORDS else "word", word))
            else:
                quote, quoted = ('"', double) if double is not None else ("'", single)
                plain = re.sub(rf"\\([\\{quote}])", r"\1", quoted)
                self.tokens.append(("text", plain))
            position = match.end()
        self.test = self.expression()
        assert not self.tokens, where

    def skip(self, text: str) -> bool:
        """Consumes the next token if it is this symbol or keyword."""
        is_next = bool(self.tokens) and self.tokens[0] in (("symbol", text), ("keyword", text))
        if is_next:
            self.tokens.pop(0)
        return is_next

    def expression(self) -> Test:
        tests = [self.conjunction()]
        while self.skip("OR"):
            tests.append(self.conjunction())
        return lambda item: any(test(item) for test in tests)

    def conjunction(self) -> Test:
        tests = [self.term()]
        while self.skip("AND"):
            tests.append(self.term())
        return lambda item: all(test(item) for test in tests)

    def term(self) -> Test:
        is_negated = self.skip("NOT")
        if self.skip("("):
            test = self.expression()
            assert self.skip(")")
        else:
            test = self.comparison()
        return (lambda item: not test(item)) if is_negated else test

    def comparison(self) -> Test:
        """ "A comparison with an absent field is false; `!=` is `NOT =`." """
        field = self.tokens.pop(0)[1]
        if self.skip("EXISTS"):
            return lambda item: text(item, field) is not None
        if self.skip("IN"):
            assert self.skip("[")
            values = []
            while not self.skip("]"):
                values.append(self.compared(field, is_equality=True))
                self.skip(",")
            return lambda item: any(value(item) == 0 for value in values)
        allowed = {"=": [0], "<": [-1], "<=": [-1, 0], ">": [1], ">=": [1, 0]}
        for symbol, orders in allowed.items():
            if self.skip(symbol):
                value = self.compared(field, is_equality=symbol == "=")
                return lambda item: value(item) in orders
        if self.skip("!="):
            value = self.compared(field, is_equality=True)
            return lambda item: value(item) != 0
        low = self.compared(field)
        assert self.skip("TO")
        high = self.compared(field)
        return lambda item: low(item) in (0, 1) and high(item) in (-1, 0)

    def compared(self, field: str, is_equality: bool = False) -> Callable[[Item], int | None]:
        """Compares an item's value with the filter's next value: -1, 0, 1, or None.

        "A number is compared with numbers, as doubles; a date with dates, by time; any other value is compared with the
        item's value as text, as bytes of UTF-8." "Ids are compared as text."
        """
        kind, value = self.tokens.pop(0)
        is_word = kind == "word" and field != "id"
        asked = number(value) if is_word else None
        interval = date(value) if is_word else None

        def compare(item: Item) -> int | None:
            found = text(item, field)
            if found is None:
                return None
            given = number(found)
            if asked is not None and given is not None:
                return sign(given, asked)
            if interval:
                other = date(found)
                return other and interval.order(other, is_equality)
            return sign(found.encode(), value.encode()) if asked is None else None

        return compare


# Dates

DATE = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?([Zz]|[+-]\d\d:\d\d)?)?)?)?", re.ASCII
)
DAY = 86_400_000_000


@dataclass(frozen=True)
class Date:
    """A date of RFC 3339 as the interval that it names, in microseconds by the clock of its place, and the offset of that
    clock. "A date without offset counts as UTC."
    """

    start: int
    end: int
    offset: int | None = None

    @property
    def utc(self) -> tuple[int, int]:
        return self.start - (self.offset or 0), self.end - (self.offset or 0)

    def order(self, other: "Date", is_equality: bool) -> int:
        """Where an item's date is: before this one, in it, or after it. "`=` wants all of it in this one." "A filter's date
        without an offset is one by the clock of the item's place."
        """
        own, given = ((self.start, self.end), (other.start, other.end)) if self.offset is None else (self.utc, other.utc)
        if given[0] < own[0]:
            return -1
        if given[0] >= own[1]:
            return 1
        return 0 if given[1] <= own[1] or not is_equality else -1


@cache
def date(text: str) -> Date | None:
    """A date, if the text is one. A year alone is one if it is a number too."""
    match = DATE.fullmatch(text)
    if not match or len(text) > 40 or (len(text) == 4 and text < "1000"):
        return None
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    try:
        start = begin(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    if hour is None:
        if day:
            return Date(start, start + DAY)
        return Date(start, begin(int(year), int(month) + 1) if month and month < "12" else begin(int(year) + 1))
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 60:
        return None
    start += 60_000_000 * (60 * int(hour) + int(minute)) + 1_000_000 * int(second or 0)
    start += int((fraction or "")[:6].ljust(6, "0"))
    length = 10 ** max(0, 6 - len(fraction)) if fraction else 1_000_000 if second else 60_000_000
    offset = None if zone is None else 0
    if zone and zone not in "Zz":
        hours, minutes = int(zone[1:3]), int(zone[4:])
        if hours > 23 or minutes > 59:
            return None
        offset = (60 * hours + minutes) * (60_000_000 if zone[0] == "+" else -60_000_000)
    return Date(start, start + length, offset)


def begin(year: int, month: int = 1, day: int = 1) -> int:
    """The first microsecond of a day. Python has no year 0, and the calendar repeats after 400 years."""
    return DAY * (year // 400 * 146_097 + datetime(year % 400 + 400, month, day).toordinal())


def sign(left, right) -> int:
    return (left > right) - (left < right)


# Sorting


def order(field: str, is_descending: bool) -> Callable[[Item, Item], int]:
    """ "numbers, then text by bytes of UTF-8 (booleans are text), then absent. Descending is the
    reverse, but absent stays last."
    """

    def compare(left: Item, right: Item) -> int:
        one, other = text(left, field), text(right, field)
        if one is None or other is None:
            return (one is None) - (other is None)
        one, other = key(one), key(other)
        return sign(other, one) if is_descending else sign(one, other)

    return compare


def key(text: str) -> tuple:
    """ "Numbers and dates, then text by bytes of UTF-8." "A date stands after the number of its year." """
    if number(text) is not None:
        return (0, number(text), 0, 0, b"")
    if not re.match(r"\d{4}-", text, re.ASCII):
        return (1, 0, 0, 0, text.encode())
    year, rest = int(text[:4]), text[5:7]
    if found := date(text):
        start = found.utc[0]
        year += (start >= begin(year + 1)) - (start < begin(year))
    # "Other texts that begin with four digits and a hyphen stand where their bytes are."
    elif re.fullmatch(r"\d\d", rest, re.ASCII):
        start = begin(year + 1) - 1 if rest > "12" else begin(year, max(1, int(rest)))
    else:
        start = begin(year) if rest[:1] < "1" else begin(year, 10) if rest[:1] == "1" else begin(year + 1) - 1
    return (0, year, 1, start, text.encode())


# Searching


SPELLINGS = str.maketrans({"ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ς": "σ"})
# Of scripts that are written without spaces.
UNSPACED = re.compile("[\u2e80-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


def fold(text: str) -> str:
    """ "Decomposed (NFKD), marks (Mn), format characters (Cf) and tatweel dropped, lower case, then letters that do not
    decompose written as people type them." What is in no word stays.
    """
    kept = (c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) not in ("Mn", "Cf") and c != "\u0640")
    return "".join(c.lower() for c in kept).translate(SPELLINGS)


def chains(text: str) -> list[list[str]]:
    """The folded words of a text: "a word is a maximal run of letters, marks and digits (Unicode L, M, N)", and "words that
    one of `- ‐ ‑ ' ’ . , / &` alone parts are a chain".
    """
    parts = [(is_word, "".join(run)) for is_word, run in groupby(fold(text), lambda c: unicodedata.category(c)[0] in "LMN")]
    found: list[list[str]] = []
    for number, (is_word, part) in enumerate(parts):
        if not is_word:
            continue
        if number > 1 and parts[number - 1][1] in tuple("-‐'’.,/&"):
            found[-1].append(part)
        else:
            found.append([part])
    return found


def words(text: str) -> list[str]:
    """The words that count: a chain "also counts as the joined word"."""
    return [word for chain in chains(text) for word in (chain + ["".join(chain)] if len(chain) > 1 else chain)]


@dataclass
class Term:
    """A word of a search, and words of the strip that match too, each with its rank. Some of those are named."""

    word: str
    is_prefix: bool
    others: dict[str, int] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)

    def rank(self, word: str) -> int | None:
        """ "Whole words, singular and plural, beginnings, words that contain it, inflected words, corrected words"; None if
        the word does not match.
        """
        if word == self.word:
            return 0
        if are_regular(word, self.word) or are_regular(self.word, word):
            return 1
        if self.is_prefix and word.startswith(self.word):
            return 2
        if UNSPACED.search(self.word) and self.word in word:
            return 3
        return self.others.get(word)

    def matches(self, word: str) -> bool:
        return self.rank(word) is not None


@cache
def are_regular(singular: str, plural: str) -> bool:
    """ "They differ by `s`, `es`, `y` and `ies`, `man` and `men`, after two letters or more." """
    return any(
        singular.endswith(one) and len(stem := singular.removesuffix(one)) >= 2 and plural == stem + many
        for one, many in (("", "s"), ("", "es"), ("y", "ies"), ("man", "men"))
    )


class Search:
    """ "An item matches if each word of `q` is a word of its searchable fields, or its singular or plural, the last one as
    a prefix unless `q` ends with a space. In `q` a chain matches if its parts do or the joined word does. A `q` without
    words selects all." A search that finds no item of the strip is corrected.
    """

    def __init__(self, q: str, strip: Strip, searchable: list[str]):
        self.searchable = searchable
        asked = chains(q)
        self.terms: list[Term] = []
        self.clauses: list[tuple[list[int], list[int]]] = []  # the terms of the words, and of the joined word if there is one
        for number, chain in enumerate(asked):
            is_last = number == len(asked) - 1 and not q.endswith(" ")
            own = [self.add(word, is_last and place == len(chain) - 1) for place, word in enumerate(chain)]
            joined = [self.add("".join(chain), is_last)] if len(chain) > 1 else own
            if (own, joined) not in self.clauses:
                self.clauses.append((own, joined))
        exact = self.terms
        counts = Counter(word for item in strip.items for word in {word for _, word in self.words(item)})
        # "Each word that no item has matches near words. If none does, every word does so." A word that a hundredth of the
        # items of the most frequent near word have is itself misspelled.
        for widens_known in (False, True):
            if not self.finds_any(strip):
                self.terms = [self.widened(term, counts, widens_known) for term in exact]
        if self.finds_any(strip):
            self.name(strip)
        else:
            self.terms = exact

    def add(self, word: str, is_prefix: bool) -> int:
        term = Term(word, is_prefix)
        if term not in self.terms:
            self.terms.append(term)
        return self.terms.index(term)

    @staticmethod
    def widened(term: Term, counts: Counter, widens_known: bool) -> Term:
        others = near(term, counts)
        most = max((counts[word] for word, rank in others.items() if rank == 5), default=0)
        is_known = any(counts[word] * 100 >= most for word in counts if term.matches(word))
        return term if is_known and not widens_known else replace(term, others=others)

    def name(self, strip: Strip):
        """ "The words of the first thousand items found: the word itself if one has it, then the most frequent others."
        """
        items = islice(filter(self.finds, strip.items), 1000)
        found = Counter(word for item in items for _, word in self.words(item))
        for term in self.terms:
            others = sorted(term.others.keys() & found, key=lambda word: (-found[word], word.encode()))
            has_own = any(term.rank(word) in (0, 1, 2, 3) for word in found)
            term.named = ([term.word] * has_own + others)[:10] if others else []

    def words(self, item: Item) -> list[tuple[int, str]]:
        """The words of an item, each with the number of its field."""
        return [(n, w) for n, name in enumerate(self.searchable) for w in words(text(item, name) or "")]

    def finds_any(self, strip: Strip) -> bool:
        return any(map(self.finds, strip.items))

    def finds(self, item: Item) -> bool:
        found = self.words(item)
        has = [any(term.matches(word) for _, word in found) for term in self.terms]
        return all(all(has[n] for n in own) or all(has[n] for n in joined) for own, joined in self.clauses)

    def relevance(self, item: Item) -> tuple[int, int]:
        """ "Each word of `q` counts with its best word": the sum of how they match, then of their fields."""
        found = self.words(item)
        best = [
            min(((rank, n) for n, word in found if (rank := term.rank(word)) is not None), default=(math.inf, 0))
            for term in self.terms
        ]
        total = lambda terms: (sum(best[n][0] for n in terms), sum(best[n][1] for n in terms))  # noqa: E731
        ways = [min(total(own), total(joined)) for own, joined in self.clauses]
        return sum(way[0] for way in ways), sum(way[1] for way in ways)


def corrections(asked: dict[str, str], strip: Strip, searchable: list[str]) -> list[dict]:
    """The member `corrected` of an answer; empty if it has none."""
    terms = Search(asked["q"], strip, searchable).terms if asked.get("q") else []
    return [{"word": term.word, "to": term.named} for term in terms if term.named]


ENDINGS = """s/ es/ ies/y ves/f ves/fe men/man e/ n/ en/ er/ nen/ en/um en/a x/ aux/al aux/ail ces/z ات/ة ات/ ون/ ين/"""


def singulars(word: str) -> set[str]:
    """ "A word, and the word with the ending of a singular in place of that of a plural. At least two letters stand
    before the ending."
    """
    endings = [ending.split("/") for ending in ENDINGS.split()]
    return {word} | {
        word.removesuffix(plural) + singular
        for plural, singular in endings
        if word.endswith(plural) and len(word) >= len(plural) + 2
    }


def share_a_singular(one: str, other: str) -> bool:
    return not singulars(one).isdisjoint(singulars(other))


def near(term: Term, counts: Counter) -> dict[str, int]:
    """The near words, each with its rank: those that share a singular, and the nearest: "of several, those that a
    hundredth or more of the best one's items have".
    """
    others = [word for word in counts if not term.matches(word)]
    inflected = [word for word in others if share_a_singular(word, term.word)]
    found = nearest(term, others)
    most = max(map(counts.get, found), default=0)
    return {word: 5 for word in found if counts[word] * 100 >= most} | dict.fromkeys(inflected, 4)


def nearest(term: Term, others: list[str]) -> list[str]:
    """ "One wrong letter from five letters on and two from nine." "Of equally near words, whole ones come before those
    that only begin so."
    """
    length = len(term.word)
    limit = 0 if length < 5 or length > 64 else 1 if length < 9 else 2
    found: dict[tuple[int, bool], list[str]] = {}
    for word in others if limit else []:
        whole = (distance(term.word, word), False)
        beginnings = [(distance(term.word, word[:end]), True) for end in range(len(word))] if term.is_prefix else []
        found.setdefault(min([whole, *beginnings]), []).append(word)
    allowed = [key for key in found if key[0] <= limit]
    return found[min(allowed)] if allowed else []


@cache
def distance(one: str, other: str) -> int:
    """The fewest letters to insert, delete, replace, or swap with their neighbour. No letter is changed twice."""
    if not one or not other:
        return len(one or other)
    found = min(
        distance(one[:-1], other) + 1,
        distance(one, other[:-1]) + 1,
        distance(one[:-1], other[:-1]) + (one[-1] != other[-1]),
    )
    if one[-2:] == other[-2:][::-1] and len(one) > 1:
        found = min(found, distance(one[:-2], other[:-2]) + 1)
    return found


# Facets


def facet(strip: Strip, field: str, limit: int, by: str | None = None) -> dict:
    """ "Values are texts, the most frequent first, then by bytes"; `min` and `max` "where values are
    numbers". "With `by`, the year or the month of a date stands in its place."
    """
    values = [text(item, field) for item in strip.items]
    if by:
        length = {"year": 4, "month": 7}[by]
        values = [value[:length] if value is not None and date(value) else value for value in values]
    counts = Counter(value for value in values if value is not None)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0].encode()))
    found = {
        "field": field,
        "values": [{"value": value, "count": count} for value, count in ranked[:limit]],
        "distinct": len(counts),
        "absent": values.count(None),
    }
    numbers = [n for n in map(number, counts) if n is not None]
    return {**found, "min": min(numbers), "max": max(numbers)} if numbers else found
