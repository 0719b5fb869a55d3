"""Damage of a database is named: no export and no window changes without an error that says so.

Bits of the SQLite file are flipped. `Tests/Cluster/test_damaged_pages.py` flips bits of the files of PostgreSQL.
"""

import json
import re
import shutil
from pathlib import Path
from random import Random

import pytest

from command import carousel, exited, import_lines, imported, outcome
from damage import FLIPPED, FLIPS, LEAF, SEED, Answers, filled, flip_key, index_pages, only_strip
from editing import Editor, token
from model.strips import Item, Strip
from server import Server


def three_items() -> Strip:
    return Strip("s", tuple(Item(f"i{n}", width="50") for n in range(3)))


def test_a_damaged_row_is_named_by_windows_exports_and_the_check(database):
    imported(database, three_items())
    database.execute("""UPDATE item SET fields = '{"title":"valid too"}' WHERE id = 'i1'""")
    with Server("--database", database) as server:
        assert server.window(strip="s", width="20").status == 200
        problem = server.window(strip="s", width="500").rejected(500)
        assert problem["detail"] == 'The stored data of the strip "s" is damaged.'
        assert server.metric("carousel_damaged_rows_total") > 0
        assert re.search(r'"s".*"i1"', server.logged())
    for command in (["check"], ["export", "--strip", "s"]):
        run = exited(carousel(*command, "--database", database), 74)
        assert re.search(rb'"s".*"i1".*checksum', run.stderr), outcome(run)


def test_a_damaged_strip_is_named_by_the_list_of_strips(database):
    """A list without the strip would say that the strip does not exist."""
    imported(database, three_items(), Strip("t"))
    database.execute("UPDATE strip SET settings = '{\"title\":\"another\"}' WHERE name = 's'")
    with Server("--database", database) as server:
        problem = server.get("/strips").rejected(500)
        assert problem["detail"] == 'The stored data of the strip "s" is damaged.'
        assert [strip["strip"] for strip in server.get("/strips?after=s").json()["strips"]] == ["t"]
        assert server.get("/strips/t").status == 200


@pytest.mark.one_store
@pytest.mark.parametrize(("byte", "bit"), [(0, 0), (0, 6), (1, 0)], ids=["near", "far", "neighbour"])
def test_the_check_finds_a_damaged_key_of_the_index_of_ids(byte, bit, database):
    """The index leads from ids to items. SQLite does not compare its keys with the rows when it reads."""
    imported(database, three_items())
    flip_key(Path(str(database)), "i1", bit, byte)
    exited(carousel("check", "--database", database), 74)
    if (byte, bit) == (0, 0):  # `h1` leads to `i1`.
        with Server("--database", database) as server:
            editor = Editor(server, database, three_items(), token(database, "s"))
            editor.edit({"op": "update", "id": "h1", "set": {"width": 7}}).rejected(500)
    # The runbook's repair.
    database.execute("REINDEX")
    exited(carousel("check", "--database", database))
    with Server("--database", database) as server:
        assert server.get("/strips/s/items/i1").json()["index"] == 1


@pytest.mark.one_store
def test_a_malformed_page_is_counted_and_names_the_strip(database):
    strip = Strip("s", tuple(Item(f"i{n:04}", width="50", fields='{"title":"' + 40 * "a" + '"}') for n in range(900)))
    imported(database, strip)
    path, bearer = Path(str(database)), token(database, "s")
    pages = index_pages(path)
    with path.open("r+b") as file:
        for start, page in pages:
            if page[0] == LEAF:
                file.seek(start)
                file.write(b"\xff" * 100)
    with Server("--database", database) as server:
        editor = Editor(server, database, strip, bearer)
        replies = [
            server.get("/strips/s/items/i0500"),
            server.get('/strips/s/items?ids=["i0500"]'),
            editor.edit({"op": "remove", "ids": ["i0500"]}),
        ]
        for reply in replies:
            assert reply.rejected(500)["detail"] == 'The stored data of the strip "s" is damaged.'
        assert server.metric("carousel_damaged_rows_total") >= 3
    added = import_lines(database, Strip("s", (Item("i0500"),)), "--append")
    assert added.returncode == 74 and b'the strip "s"' in added.stderr, outcome(added)


#: Changes of a row that its checksum finds.
DAMAGE = ["fields = '{\"a\":1}'", "width = 77", '"group" = \'other\'', "first_revision = first_revision + 1000000"]

NEW = {"id": "i1", "width": 70, "fields": {"title": "new"}}
WHOLE = {"kind": None, "aspect": None, "width": 70, "group": None, "fields": None}


def damaged(database, change: str) -> None:
    imported(database, three_items())
    database.execute(f"UPDATE item SET {change} WHERE id = 'i1'")


@pytest.mark.parametrize("change", DAMAGE)
def test_an_export_can_skip_damaged_items(change, database):
    damaged(database, change)
    run = exited(carousel("export", "--database", database, "--strip", "s", "--on-error", "skip"), 74)
    assert [json.loads(line)["id"] for line in run.stdout.splitlines()] == ["i0", "i2"]
    assert re.search(rb'"s".*"i1"', run.stderr) and b"1 damaged item" in run.stderr, outcome(run)


@pytest.mark.parametrize("command", ["window", "export"])
@pytest.mark.parametrize("view", [[], ["--where", "group != x"], ["--sort", "group"]], ids=" ".join)
def test_a_command_names_the_damaged_item(command, view, database):
    damaged(database, DAMAGE[0])
    run = carousel(command, "--database", database, "--strip", "s", *view)
    assert run.returncode == 74 and re.search(rb'"s".*"i1"', run.stderr), outcome(run)


#: Edits of a damaged item, and whether the item is still there.
EDITS = {
    "removed": ([{"op": "remove", "ids": ["i1"]}], False),
    "inserted": ([{"op": "remove", "ids": ["i1"]}, {"op": "insert", "before": "i2", "items": [NEW]}], True),
    "updated": ([{"op": "update", "id": "i1", "set": change} for change in (WHOLE, {"fields": NEW["fields"]})], True),
}
#: Each edit and each damage once.
REPAIRS = [(list(EDITS)[n % 3], change) for n, change in enumerate(DAMAGE)] + [("updated", DAMAGE[0])]


@pytest.mark.parametrize(("edit", "change"), REPAIRS)
def test_an_edit_can_remove_or_replace_a_damaged_item(edit, change, database):
    batch, is_left = EDITS[edit]
    damaged(database, change)
    with Server("--database", database) as server:
        editor = Editor(server, database, three_items(), token(database, "s"))
        old = editor.revision
        for edit in [
            {"op": "update", "id": "i1", "set": {"fields": {"title": "new"}}},
            {"op": "move", "ids": ["i1"], "before": None},
        ]:
            editor.edit(edit).rejected(500)
        sent = [editor.send("POST", "/strips/s/edits?undo=true", batch, {"Idempotency-Key": '"k"'}) for _ in "12"]
        for reply in sent:
            assert reply.json() == {"revision": old + 1, "undo": None}
        after = [item.id for item in three_items().items if item.id != "i1" or is_left]
        shown = editor.window(width="60000").json()
        assert [item["id"] for item in shown["items"]] == after
        if is_left:
            assert shown["items"][1]["size"] == 70 and shown["items"][1]["fields"] == {"title": "new"}
        # The earlier revision had the damaged item.
        assert server.get(f"/window?strip=s&width=500&revision={old}").status == 410
    exited(carousel("check", "--database", database))


@pytest.mark.one_store
@pytest.mark.parametrize("seed", [SEED])
def test_a_flipped_bit_is_named_or_changes_nothing(seed, database):
    rng = Random(seed)
    path = Path(str(database))
    if FLIPPED:
        shutil.copyfile(FLIPPED, path)
    answers = Answers(database, only_strip(path) if FLIPPED else filled(database, rng), rng)
    whole = path.read_bytes()
    for flip in range(FLIPS):
        place, bit = rng.randrange(len(whole)), rng.randrange(8)
        for log in ("-wal", "-shm"):
            path.with_name(path.name + log).unlink(missing_ok=True)
        with path.open("r+b") as file:
            file.seek(place)
            file.write(bytes([whole[place] ^ 1 << bit]))
        answers.check(f"flip {flip}: bit {bit} of byte {place}")
        with path.open("r+b") as file:
            file.seek(place)
            file.write(whole[place : place + 1])
    answers.report()
