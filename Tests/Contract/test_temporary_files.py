"""An edit writes only the database and its log. SQLite needs no statement journal, because it never rolls back
a single statement. An import that sorts does so in the folder of the database.

SQLite deletes a temporary file as soon as it is open. But the modification time of its folder changes.
"""

import json
import os
from random import Random

import pytest

from command import carousel, environment, exited
from stores import File

COUNT = 1000


def edits(operation: str, ids: list[str]) -> list[dict]:
    """Operations on items that are far apart."""
    match operation:
        case "update":
            return [{"op": "update", "id": id, "set": {"width": 20}} for id in ids]
        case "insert":
            new = [{"id": f"new {id}", "width": 10} for id in ids]
            return [{"op": "insert", "before": id, "items": [item]} for id, item in zip(ids, new)]
        case "move":
            return [{"op": "move", "ids": [id], "before": ids[0]} for id in ids[1:]]
        case "remove":
            return [{"op": "remove", "ids": [id]} for id in ids]
    raise ValueError(operation)


@pytest.mark.parametrize("operation", ["update", "insert", "move", "remove"])
def test_an_edit_of_many_items_needs_no_temporary_file(operation, tmp_path):
    # With random ids and fields of different lengths, some statement changes more than eight pages.
    random = Random(1)
    ids = [f"{random.getrandbits(64):016x}" for _ in range(3 * COUNT)]
    items = [{"id": id, "width": 10, "fields": {"say": "x" * random.randrange(1, 400)}} for id in ids]
    table, batch = tmp_path / "items.jsonl", tmp_path / "edits.json"
    table.write_text("".join(json.dumps(item) + "\n" for item in items))
    batch.write_text(json.dumps(edits(operation, random.sample(ids, COUNT))))
    folder = tmp_path / "temporary"
    folder.mkdir()
    on = ["--database", File(tmp_path), "--strip", "s"]
    exited(carousel("import", table, *on))
    os.utime(folder, ns=(0, 0))
    exited(carousel("edit", batch, *on, env=environment(SQLITE_TMPDIR=str(folder))))
    assert folder.stat().st_mtime_ns == 0, "SQLite made a temporary file"


def test_an_import_sorts_in_the_folder_of_the_database(tmp_path):
    """The system's temporary folder can be in memory, and too small for a large table."""
    folder, table = tmp_path / "temporary", tmp_path / "items.csv"
    folder.mkdir()
    # More than SQLite sorts in memory.
    rows = (f"{n},{n % 7},{'x' * 400}" for n in range(20_000))
    table.write_text("\n".join(["id,strip,say", *rows]))
    os.utime(folder, ns=(0, 0))
    options = ["--database", File(tmp_path), "--strip-from", "strip", "--map", "fields=*"]
    exited(carousel("import", table, *options, env=environment(TMPDIR=str(folder))))
    assert folder.stat().st_mtime_ns == 0, "SQLite sorted in the temporary folder of the system"
