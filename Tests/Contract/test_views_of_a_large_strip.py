"""Strips that are larger than the memory for strips keep nothing that only old revisions or evicted strips need."""

import json
import random

import pytest

from command import carousel, outcome
from editing import token
from server import Server

# Memory holds the same of every store.
pytestmark = pytest.mark.one_store

# The strip takes 20 MB, so more than three quarters of the limit.
ITEMS, PIECE, LIMIT_MB = 150_000, 4096, 16


def held(server: Server) -> int:
    """The bytes of strips, with their columns."""
    lines = server.get("/metrics").text.splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("carousel_strips_held_bytes "))


def import_all(database, *strips: str) -> None:
    file = database.parent / "items.jsonl"
    fields = ({"year": n % 500, "price": n + 0.5, "title": f"w{n}"} for n in range(ITEMS))
    lines = (json.dumps({"id": f"i{n}", "width": 10, "fields": each}) + "\n" for n, each in enumerate(fields))
    file.write_text("".join(lines))
    for strip in strips:
        declared = ["--filterable", "year,price", "--searchable", "title"]
        run = carousel("import", file, "--database", database, "--strip", strip, *declared)
        assert run.returncode == 0, outcome(run)


def test_strips_that_evict_each_other_are_dropped(database):
    """The columns of a strip that is evicted while it waits are not prepared."""
    import_all(database, "s", "t")
    limit = 2 * LIMIT_MB
    with Server("--database", database, "--strip-memory", f"{limit}") as server:
        for turn in range(1000):
            for strip in ("s", "t"):
                assert server.window({"strip": strip, "offset": f"{turn}"}).status == 200
            if turn % 50 == 0:
                assert held(server) < 3 * limit << 20


def test_views_of_old_revisions_do_not_keep_columns(database):
    import_all(database, "s")
    headers = {"Authorization": f"Bearer {token(database, 's')}", "Content-Type": "application/json"}
    dice = random.Random(1)
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
            reply = server.ask("POST", "/strips/s/edits", headers, json.dumps(edits).encode())
            assert reply.status == 200, f"{reply}"
            asked = {"strip": "s", "where": f"year < {100 + turn}", "q": f"w{turn} ", "sort": "year"}
            assert server.follow(asked).status == 200
            sizes.append(held(server))
    assert min(sizes) > LIMIT_MB << 20
    assert max(sizes[20:]) < max(sizes[:20]) * 1.1, sizes
