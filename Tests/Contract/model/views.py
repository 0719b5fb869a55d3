"""Views: "some of its items, in some order", found item by item."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cmp_to_key

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
    if asked.get("q"):
        items = [item for item in items if is_found(item, asked["q"], searchable)]
    if asked.get("sort"):
        keys = asked["sort"].split(",")
        for key in reversed(keys):
            items.sort(key=cmp_to_key(order(key.removeprefix("-"), key.startswith("-"))))
        # "With `sort`, an item's group is the text of its first sort field (none if absent)."
        items = [replace(item, group=text(item, keys[0].removeprefix("-"))) for item in items]
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


def is_found(item: Item, q: str, searchable: list[str]) -> bool:
    """ "An item matches if each word of `q` is a word of its searchable fields, the last one as a
    prefix unless `q` ends with a space. A `q` without words selects all."
    """
    found = {word for name in searchable for word in words(text(item, name) or "")}
    asked = words(q)
    if asked and not q.endswith(" "):
        prefix = asked.pop()
        if not any(word.startswith(prefix) for word in found):
            return False
    return found.issuperset(asked)


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
