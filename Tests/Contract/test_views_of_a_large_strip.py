"""Strips that are larger than the memory for strips keep nothing that only old revisions or evicted strips need."""

import random

import pytest

from command import import_items
from editing import Editor, token
from model.strips import Strip
from server import Server

# Memory holds the same of every store.
pytestmark = pytest.mark.one_store

# The strip takes 20 MB, so more than three quarters of the limit.
ITEMS, PIECE, LIMIT_MB = 150_000, 4096, 16


def import_all(database, *strips: str) -> None:
    fields = [{"year": n % 500, "price": n + 0.5, "title": f"w{n}"} for n in range(ITEMS)]
    items = [{"id": f"i{n}", "width": 10, "fields": each} for n, each in enumerate(fields)]
    for strip in strips:
        import_items(database, items, "--filterable", "year,price", "--searchable", "title", strip=strip)


def test_strips_that_evict_each_other_are_dropped(database):
    """The columns of a strip that is evicted while it waits are not prepared."""
    import_all(database, "s", "t")
    limit = 2 * LIMIT_MB
    with Server("--database", database, "--strip-memory", f"{limit}") as server:
        for turn in range(1000):
            for strip in ("s", "t"):
                assert server.window({"strip": strip, "offset": f"{turn}"}).status == 200
            if turn % 50 == 0:
                assert server.metric("carousel_strip_cache_bytes") < 3 * limit << 20


def test_views_of_old_revisions_do_not_keep_columns(database):
    import_all(database, "s")
    dice, bearer = random.Random(1), token(database, "s")
    sizes = []
    with Server("--database", database, "--strip-memory", f"{LIMIT_MB}") as server:
        for turn in range(40):
            # An item of each piece: all columns of this revision are new.
            edits = [
                {
                    "op": "update",
                    "id": f"i{first + dice.randrange(PIECE // 2)}",
                    "set": {"fields": {"year": dice.randrange(500), "title": f"w{dice.randrange(ITEMS)}"}},
                }
                for first in range(0, ITEMS - PIECE // 2, PIECE)
            ]
            Editor(server, database, Strip("s"), bearer).edited(*edits)
            asked = {"strip": "s", "where": f"year < {100 + turn}", "q": f"w{turn} ", "sort": "year"}
            assert server.follow(asked).status == 200
            sizes.append(server.metric("carousel_strip_cache_bytes"))
    assert min(sizes) > LIMIT_MB << 20
    assert max(sizes[20:]) < max(sizes[:20]) * 1.1, sizes
