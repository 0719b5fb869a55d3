"""Generates random views from a seed: strips with fields, filters, searches, orders and lists."""

import json
from dataclasses import replace
from random import Random

import at_random
from model.strips import Item, Strip

FILTERABLE = ["artist", "year", "taken", "new", "first name", 'say "x"']
SEARCHABLE = ["title", "artist"]
TITLES = ["Blue", "blue", "Größe", "Grosse", "日本 語", "a/b", "Café", "cafe\u0301", "No. 1.50", "İ", "", "?", "painters", "Bilder", "natures", "Wi-Fi", "wifi", "ﬁlm", "1,200", "U.S.A."]
ARTISTS = ["J. M. W. Turner", "Ann", "ann", "é", "e\u0301", "1971", "007", "", "true", "it's", "a\\b"]
YEARS = ["1971", "1971.0", '"1971"', "1.5e3", "-0", "0", '"19"', '"?"', "1850", "true", "1e999"]
DATES = [
    "2019", "2020", "2019-04", "2019-12", "2019-04-01", "2019-12-31", "2020-02-29", "2019-02-29", "2019-04-01T12:00", "2019-04-01 12:00:00",
    "2019-12-31T23:30:00-05:00", "2020-01-01T00:30:00+09:00", "2019-04-01T10:00:00Z", "2019-04-01T12:00:00.5+02:00", "2019-20", "2019-5", "201904",
]
MEMBERS = ["id", "kind", "group", "aspect", "width"]


def item(rng: Random, item: Item) -> Item:
    """The item with other fields."""
    members = [
        f'"title":{json.dumps(rng.choice(TITLES) + " " + rng.choice(TITLES), ensure_ascii=False)}',
        f'"artist":{json.dumps(rng.choice(ARTISTS), ensure_ascii=False)}',
        f'"year":{rng.choice(YEARS)}',
        f'"taken":{json.dumps(rng.choice(DATES))}',
        f'"new":{rng.choice(["true", "false"])}',
        f'"first name":{rng.choice(YEARS)}',
        '"say \\"x\\"":' + json.dumps(rng.choice(ARTISTS), ensure_ascii=False),
    ]
    chosen = rng.sample(members, rng.randrange(len(members) + 1))
    return replace(item, fields="{" + ",".join(chosen) + "}")


def strip(seed: int) -> Strip:
    """A strip of `at_random` with fields to filter, sort and search."""
    made = at_random.strip(seed)
    rng = Random(seed)
    return made.with_items(item(rng, one) for one in made.items)


def parameters(rng: Random, strip: Strip) -> tuple[dict[str, str], list[str] | None]:
    """The parameters of a view, and the ids of its list. The caller sets `list`."""
    asked: dict[str, str] = {}
    ids = None
    if rng.random() < 0.4:
        known = [item.id for item in strip.items]
        ids = rng.sample([*known, "gone", "é"], rng.randrange(1, len(known) + 3))
        asked["list"] = ""
    if rng.random() < 0.7:
        asked["where"] = filter(rng, strip, 2)
    if rng.random() < 0.4:
        found = rng.sample(" ".join(TITLES + ARTISTS).split(" "), rng.randrange(1, 3))
        words = [rng.choice([word, word.upper(), word[:2], word + "s", mistyped(rng, word)]) for word in found]
        asked["q"] = " ".join(words) + rng.choice(["", "", " "])
    if rng.random() < 0.4:
        fields = rng.sample(FILTERABLE + MEMBERS[1:] + ["relevance"] * ("q" in asked), rng.randrange(1, 4))
        asked["sort"] = ",".join(rng.choice(["", "-"]) + name for name in fields)
    return asked, ids


def mistyped(rng: Random, word: str) -> str:
    """A word with one or two wrong letters."""
    for _ in range(rng.randrange(1, 3)):
        place = rng.randrange(len(word) + 1)
        begin, end = word[:place], word[place:]
        word = rng.choice([begin + "x" + end, begin + end[1:], begin + "x" + end[1:], begin + end[1:2] + end[:1] + end[2:]])
    return word


def filter(rng: Random, strip: Strip, depth: int) -> str:
    """A filter expression."""
    count = rng.randrange(1, 4) if depth else 1
    terms = [term(rng, strip, depth) for _ in range(count)]
    return rng.choice([" AND ", " OR "]).join(terms)


def term(rng: Random, strip: Strip, depth: int) -> str:
    inner = f"({filter(rng, strip, depth - 1)})" if depth and rng.random() < 0.4 else comparison(rng, strip)
    return f"NOT {inner}" if rng.random() < 0.25 else inner


def comparison(rng: Random, strip: Strip) -> str:
    name = rng.choice(FILTERABLE * 2 + MEMBERS)
    field = name if name.isalpha() and rng.random() < 0.7 else quoted(rng, name)
    match rng.randrange(8) if name != "id" else rng.choice([0, 1, 1, 3]):
        case 0:
            return f"{field} EXISTS"
        case 1:
            listed = ", ".join(value(rng, strip, name) for _ in range(rng.randrange(4)))
            return f"{field} IN [{listed}]"
        case 2:
            return f"{field} {value(rng, strip, name)} TO {value(rng, strip, name)}"
    symbol = rng.choice(["=", "=", "!="] + ["<", "<=", ">", ">="] * (name != "id"))
    space = rng.choice(["", " "])
    return f"{field}{space}{symbol}{space}{value(rng, strip, name)}"


def value(rng: Random, strip: Strip, name: str) -> str:
    """A value of a filter, often one that an item has."""
    one = rng.choice(strip.items) if strip.items else Item("none")
    members = {"id": one.id, "kind": one.kind, "group": one.group, "aspect": one.aspect, "width": one.width}
    plain = members.get(name) or rng.choice(DATES if name == "taken" else ARTISTS + [year.strip('"') for year in YEARS] + ["180", "1850"])
    is_word = plain and not any(c.isspace() or c in "()[],=!<>\"'`" for c in plain)
    return plain if is_word and rng.random() < 0.6 else quoted(rng, plain)


def quoted(rng: Random, text: str) -> str:
    quote = rng.choice("\"'")
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote
