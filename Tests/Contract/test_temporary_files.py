"""An edit writes the database and its log, and nothing else: SQLite undoes none of its statements alone.

A temporary file of SQLite is deleted once it is open. Its folder shows it: the modification time changes.
"""

import json
import os

import pytest

from command import carousel, environment, imported, outcome
from editing import numbered
from model.strips import Strip
from stores import File

#: So many items, with fields of this length, change far more pages than SQLite would keep in memory.
COUNT, TEXT = 1000, "x" * 400


def edits(operation: str) -> list[dict]:
    """Operations on items that are far apart."""
    ids = [f"i{3 * number}" for number in range(COUNT)]
    match operation:
        case "update":
            return [{"op": "update", "id": id, "set": {"fields": {"say": TEXT}}} for id in ids]
        case "insert":
            new = [{"id": f"n{id}", "width": 10, "fields": {"say": TEXT}} for id in ids]
            return [
                {"op": "insert", "before": id, "items": [item]} for id, item in zip(ids, new)
            ]
        case "move":
            return [{"op": "move", "ids": [id], "before": "i3001"} for id in ids]
        case "remove":
            return [{"op": "remove", "ids": [id]} for id in ids]
    raise ValueError(operation)


@pytest.mark.parametrize("operation", ["update", "insert", "move", "remove"])
def test_an_edit_of_many_items_needs_no_temporary_file(operation, tmp_path):
    database = imported(File(tmp_path), Strip("s", numbered(3 * COUNT + 2)))
    folder = tmp_path / "temporary"
    folder.mkdir()
    file = tmp_path / "edits.json"
    file.write_text(json.dumps(edits(operation)))
    os.utime(folder, ns=(0, 0))
    run = carousel(
        "edit", file, "--database", database, "--strip", "s",
        env=environment(SQLITE_TMPDIR=str(folder)),
    )  # fmt: skip
    assert run.returncode == 0, outcome(run)
    assert folder.stat().st_mtime_ns == 0, "SQLite made a temporary file"
