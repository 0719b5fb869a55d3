"""After a restart the windows of views are the same."""

import random

import pytest

from command import import_items
from editing import Editor, token
from model.strips import Strip
from server import Server

# The unit tests of columns run on each store.
pytestmark = pytest.mark.one_store

#: The least number of items of a strip whose columns a server builds before a view needs them.
ITEMS = 50_000
WORDS = ["red", "Blue", "grün", "Grey", "x-ray", "redo"]
VIEWS = [
    {"where": "artist = a17 OR year < 1905"},
    {"q": "grun re"},
    {"sort": "-artist,year"},
    {"where": "NOT artist EXISTS AND kind = album", "q": "blue ", "sort": "year"},
]


def item(number: int) -> dict:
    dice = random.Random(number)
    fields = {"title": " ".join(dice.choices(WORDS, k=2)), "year": dice.randint(1900, 1960)}
    if number % 11:
        fields["artist"] = f"a{dice.randint(0, 400)}"
    kind = dice.choice(["card", "album"])
    return {"id": f"i{number}", "kind": kind, "width": 10 + number % 40, "fields": fields}


def windows(server: Server) -> list[str]:
    return [
        reply.text
        for view in VIEWS
        for reply in (
            server.follow({"strip": "s", "offset": offset, "width": "5000", **view})
            for offset in ("0", "9000")
        )
        if reply.json()
    ]


def test_windows_of_views_are_the_same_after_a_restart(database):
    import_items(database, map(item, range(ITEMS)), "--filterable", "artist,year", "--searchable", "title")
    bearer = token(database, "s")
    with Server("--database", database) as server:
        built = windows(server)
    with Server("--database", database) as server:
        assert windows(server) == built
        edits = [
            {"op": "update", "id": "i4", "set": {"fields": {"year": 1900, "title": "redo grün"}}},
            {"op": "remove", "ids": ["i17"]},
            {"op": "move", "ids": ["i40"], "before": "i5"},
        ]
        Editor(server, database, Strip("s"), bearer).edited(*edits)
        edited = windows(server)
        assert edited != built
    with Server("--database", database) as server:
        assert windows(server) == edited
