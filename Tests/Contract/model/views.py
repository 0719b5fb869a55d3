"""Views: "some of its items, in some order", found item by item."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, cmp_to_key
from itertools import islice

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
                values.append(self.compared(field))
                self.skip(",")
            return lambda item: any(value(item) == 0 for value in values)
        allowed = {"=": [0], "<": [-1], "<=": [-1, 0], ">": [1], ">=": [1, 0]}
        for symbol, orders in allowed.items():
            if self.skip(symbol):
                value = self.compared(field)
                return lambda item: value(item) in orders
        if self.skip("!="):
            value = self.compared(field)
            return lambda item: value(item) != 0
        low = self.compared(field)
        assert self.skip("TO")
        high = self.compared(field)
        return lambda item: low(item) in (0, 1) and high(item) in (-1, 0)

    def compared(self, field: str) -> Callable[[Item], int | None]:
        """Compares an item's value with the filter's next value: -1, 0, 1, or None.

        "A number is compared with numbers, as doubles, and with nothing else; any other value is
        compared with the item's value as text, as bytes of UTF-8." "Ids are compared as text."
        """
        kind, value = self.tokens.pop(0)
        asked = number(value) if kind == "word" and field != "id" else None

        def compare(item: Item) -> int | None:
            found = text(item, field)
            if found is None:
                return None
            if asked is None:
                return sign(found.encode(), value.encode())
            given = number(found)
            return None if given is None else sign(given, asked)

        return compare


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
    return (1, 0, text.encode()) if number(text) is None else (0, number(text), b"")


# Searching


def words(text: str) -> list[str]:
    """ "A word is a maximal run of letters, marks and digits (Unicode L, M, N). Words are folded:
    decomposed (NFD), marks (Mn) dropped, lower case."
    """
    is_in_word = [unicodedata.category(character)[0] in "LMN" for character in text]
    runs = "".join(c if inside else " " for c, inside in zip(text, is_in_word)).split(" ")
    folded = (
        "".join(c.lower() for c in unicodedata.normalize("NFD", run) if unicodedata.category(c) != "Mn")
        for run in runs
    )
    return [word for word in folded if word]


@dataclass
class Term:
    """A word of a search, and words of the strip that match too, each with its rank. Some of those are named."""

    word: str
    is_prefix: bool
    others: dict[str, int] = field(default_factory=dict)
    named: list[str] = field(default_factory=list)

    def rank(self, word: str) -> int | None:
        """ "whole words, then beginnings, inflected words, corrected words"; None if the word does not match."""
        if word == self.word:
            return 0
        if self.is_prefix and word.startswith(self.word):
            return 1
        return self.others.get(word)

    def matches(self, word: str) -> bool:
        return self.rank(word) is not None


class Search:
    """ "An item matches if each word of `q` is a word of its searchable fields, the last one as a
    prefix unless `q` ends with a space. A `q` without words selects all." A search that finds no item of the strip
    is corrected.
    """

    def __init__(self, q: str, strip: Strip, searchable: list[str]):
        self.searchable = searchable
        asked = words(q)
        self.terms: list[Term] = []
        for number, word in enumerate(asked):
            term = Term(word, number == len(asked) - 1 and not q.endswith(" "))
            if term not in self.terms:
                self.terms.append(term)
        exact = self.terms
        known = {word for item in strip.items for _, word in self.words(item)}
        # "Each word that no word of the strip matches also matches near words. If this finds nothing either, each word does."
        for widens_known in (False, True):
            if not self.finds_any(strip):
                self.terms = [
                    replace(term, others=near(term, known)) if widens_known or not any(map(term.matches, known)) else term
                    for term in exact
                ]
        if self.finds_any(strip):
            self.name(strip)
        else:
            self.terms = exact

    def name(self, strip: Strip):
        """ "The words of the first thousand items found: the word itself if one has it, then the most frequent others."
        """
        items = islice(filter(self.finds, strip.items), 1000)
        found = Counter(word for item in items for _, word in self.words(item))
        for term in self.terms:
            others = sorted(term.others.keys() & found, key=lambda word: (-found[word], word.encode()))
            has_own = any(term.rank(word) in (0, 1) for word in found)
            term.named = ([term.word] * has_own + others)[:10] if others else []

    def words(self, item: Item) -> list[tuple[int, str]]:
        """The words of an item, each with the number of its field."""
        return [(n, w) for n, name in enumerate(self.searchable) for w in words(text(item, name) or "")]

    def finds_any(self, strip: Strip) -> bool:
        return any(map(self.finds, strip.items))

    def finds(self, item: Item) -> bool:
        found = self.words(item)
        return all(any(term.matches(word) for _, word in found) for term in self.terms)

    def relevance(self, item: Item) -> tuple[int, int]:
        """ "Each word of `q` counts with its best word": the sum of how they match, then of their fields."""
        found = self.words(item)
        best = [
            min((rank, n) for n, word in found if (rank := term.rank(word)) is not None) for term in self.terms
        ]
        return sum(rank for rank, _ in best), sum(n for _, n in best)


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


def near(term: Term, known: set[str]) -> dict[str, int]:
    """The near words, each with its rank: the nearest ones, and those that share a singular."""
    others = [word for word in known if not term.matches(word)]
    inflected = [word for word in others if share_a_singular(word, term.word)]
    return dict.fromkeys(nearest(term, others), 3) | dict.fromkeys(inflected, 2)


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


def facet(strip: Strip, field: str, limit: int) -> dict:
    """ "Values are texts, the most frequent first, then by bytes"; `min` and `max` "where values are
    numbers".
    """
    values = [text(item, field) for item in strip.items]
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
