"""A database file is removed or replaced while a server has it open.

The server has the old file open and could continue to write to it. But no other process would see these
changes.
"""

import json
import os
import re
import sqlite3
import threading
from pathlib import Path

import pytest

from command import carousel, import_lines, imported, outcome
from editing import Editor, numbered, token
from model.strips import Strip
from stores import File
from waiting import wait_until

pytestmark = pytest.mark.one_store

STRIP = Strip("s", numbered(20))


@pytest.fixture
def database(tmp_path):
    return imported(File(tmp_path), STRIP)


@pytest.fixture
def editor(serving, database):
    """An editor of the strip, whose server has already written to the database."""
    bearer = token(database, "s")
    editor = Editor(serving("--database", database), database, STRIP, bearer)
    editor.edited({"op": "update", "id": "i0", "set": {"width": 20}})
    return editor


def insert(*ids: str) -> dict:
    return {"op": "insert", "before": None, "items": [{"id": id, "width": 10} for id in ids]}


def exported(database) -> list[str]:
    run = carousel("export", "--database", database, "--strip", "s")
    assert run.returncode == 0, outcome(run)
    return [json.loads(line)["id"] for line in run.stdout.splitlines()]


def obstacle(editor: Editor) -> str | None:
    """The member `writes` of `/readyz`."""
    return editor.server.get("/readyz").json().get("writes")


def edits_in_hand(editor: Editor) -> int:
    found = re.search(r'^carousel_queue_tasks{queue="changes"} (\d+)$', editor.server.get("/metrics").text, re.M)
    return int(found[1])


def backup(database, to: Path) -> Path:
    run = carousel("backup", to, "--database", database)
    assert run.returncode == 0, outcome(run)
    return to


def test_edits_of_a_removed_database_fail_and_windows_do_not(editor, database):
    ids = editor.ids()
    database.path.unlink()
    reply = editor.edit(insert("lost"))
    problem = reply.rejected(503)
    assert int(reply.fields["retry-after"]) > 0
    assert str(database.path.parent) not in problem["detail"]
    wait_until(lambda: "the database file was removed" in editor.server.logged())
    assert obstacle(editor) == "the database file was removed"
    assert editor.ids() == ids
    assert editor.server.stop() == 0


def test_a_database_that_is_made_again_is_served_and_edited(editor, database):
    before = editor.revision
    database.path.unlink()
    editor.edit(insert("lost")).rejected(503)
    other = Strip("s", numbered(5))
    run = import_lines(database, other)
    assert run.returncode == 0, outcome(run)
    wait_until(lambda: editor.ids() == [item.id for item in other.items])
    wait_until(lambda: obstacle(editor) is None)
    assert "the new database file is served" in editor.server.logged()
    # The new file has no token yet.
    editor.edit(insert("x")).rejected(401)
    editor.bearer = token(database, "s")
    assert editor.edited(insert("new")) > before
    assert exported(database)[-1] == "new"
    assert editor.server.stop() == 0
    run = carousel("check", "--database", database)
    assert run.returncode == 0, outcome(run)


def test_no_revision_names_two_contents_after_an_older_copy_is_put_back(editor, database, tmp_path):
    # A plain copy of the file. It does not state that it is a copy. The log is empty after the server's stop.
    older = tmp_path / "older.db"
    assert editor.server.stop() == 0
    older.write_bytes(database.path.read_bytes())
    editor.server.__init__("--database", database)
    known = [editor.edited(insert(f"n{n}")) for n in range(3)]
    contents = editor.ids()
    older.rename(database.path)
    wait_until(lambda: editor.ids() != contents)
    wait_until(lambda: obstacle(editor) is None)
    assert editor.ids() == [item.id for item in STRIP.items]
    assert editor.edited(insert("after")) > known[-1] + 1
    assert editor.ids() == [item.id for item in STRIP.items] + ["after"]
    for revision in known:
        assert editor.window(revision=str(revision)).status in (404, 410)


def test_no_acknowledged_edit_is_lost_when_the_file_is_replaced(editor, database, tmp_path):
    copy = backup(database, tmp_path / "copy.db")
    old = tmp_path / "old.db"
    os.link(database.path, old)
    acknowledged, statuses, done = [], [], threading.Event()

    def edit():
        number = 0
        while not done.is_set():
            reply = editor.edit(insert(f"n{number}"))
            statuses.append(reply.status)
            if reply.status == 200:
                acknowledged.append(f"n{number}")
            number += 1

    thread = threading.Thread(target=edit)
    thread.start()
    try:
        wait_until(lambda: len(acknowledged) > 20)
        copy.rename(database.path)
        wait_until(lambda: "the new database file is served" in editor.server.logged())
        count = len(acknowledged)
        wait_until(lambda: len(acknowledged) > count + 20)
    finally:
        done.set()
        thread.join()
    assert set(statuses) <= {200, 503}
    assert 503 in statuses
    assert editor.server.stop() == 0
    for file in (old, database.path):
        run = carousel("check", "--database", file)
        assert run.returncode == 0, outcome(run)
    kept = set(exported(old)) | set(exported(database))
    assert set(acknowledged) <= kept


def test_an_edit_that_waits_while_the_file_is_replaced_is_not_acknowledged(editor, database, tmp_path):
    copy = backup(database, tmp_path / "copy.db")
    old = tmp_path / "old.db"
    os.link(database.path, old)
    replies = []
    lock = sqlite3.connect(database.path, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    thread = threading.Thread(target=lambda: replies.append(editor.edit(insert("late"))))
    thread.start()
    try:
        wait_until(lambda: edits_in_hand(editor) > 0)
        copy.rename(database.path)
        wait_until(lambda: "the new database file is served" in editor.server.logged())
    finally:
        lock.execute("ROLLBACK")
        thread.join()
        lock.close()
    # Committed to the old file before the server saw the new one, or not begun.
    detail = replies[0].rejected(503)["detail"]
    assert "may have been made" in detail or "not available" in detail
    assert editor.server.stop() == 0
    assert "late" not in exported(database)


def test_a_file_that_is_no_database_is_not_followed(editor, database, tmp_path):
    ids = editor.ids()
    copy = backup(database, tmp_path / "copy.db")
    half = tmp_path / "half.db"
    half.write_bytes(copy.read_bytes()[:-8192])
    for content, reason in ((b"something else" * 1000, "not a database"), (half.read_bytes(), "incomplete")):
        other = tmp_path / "other"
        other.write_bytes(content)
        other.rename(database.path)
        wait_until(lambda: reason in editor.server.logged())
        editor.edit(insert("lost")).rejected(503)
        assert obstacle(editor) == "the database file was replaced by another file"
        assert editor.ids() == ids
    copy.rename(database.path)
    wait_until(lambda: obstacle(editor) is None)
    editor.edited(insert("new"))
    assert editor.ids() == [*ids, "new"]


def test_a_file_that_is_moved_back_is_written_again(editor, database, tmp_path):
    ids = editor.ids()
    database.path.rename(tmp_path / "away.db")
    editor.edit(insert("lost")).rejected(503)
    (tmp_path / "away.db").rename(database.path)
    wait_until(lambda: obstacle(editor) is None)
    editor.edited(insert("new"))
    assert editor.ids() == [*ids, "new"]
    assert exported(database) == [*ids, "new"]
