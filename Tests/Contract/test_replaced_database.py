"""A database file is removed or replaced while a server has it open.

The server has the old file open. It makes no more changes there, because no other process would see them. If
another file has the name, the server ends, so that its supervisor starts it with that file.
"""

import os
import re
import signal
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from command import ROOT, carousel, exited, exported_ids, import_lines, imported
from editing import Editor, numbered, token
from model.strips import Strip
from stores import File
from waiting import TIMEOUT_SECONDS, wait_until

pytestmark = pytest.mark.one_store

STRIP = Strip("s", numbered(20))
#: EX_TEMPFAIL of sysexits.h
RESTART = 75


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


def obstacle(editor: Editor) -> str | None:
    """The member `writes` of `/readyz`."""
    return editor.server.get("/readyz").json().get("writes")


def backup(database, to: Path) -> Path:
    exited(carousel("backup", to, "--database", database))
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


def ended(editor: Editor) -> None:
    """The server ends with the status after which its supervisor starts it again."""
    assert editor.server.process.wait(timeout=TIMEOUT_SECONDS) == RESTART
    assert "another file has this name now" in editor.server.logged()


def restarted(editor: Editor, database) -> None:
    """Starts the server again, as its supervisor does."""
    editor.server.__init__("--database", database)


def test_a_file_with_the_name_of_the_database_is_served_after_the_exit(editor, database, tmp_path):
    kept = editor.ids()
    old, copy = tmp_path / "old.db", backup(database, tmp_path / "copy.db")
    last = editor.edited(insert("last"))
    database.path.rename(old)
    copy.rename(database.path)
    ended(editor)
    restarted(editor, database)
    assert editor.ids() == kept
    # The file is a backup, so its strips get revisions above those of the original.
    assert editor.edited(insert("new")) > last
    assert editor.server.stop() == 0
    assert exported_ids(old) == [*kept, "last"]
    assert exported_ids(database) == [*kept, "new"]
    for file in (old, database):
        exited(carousel("check", "--database", file))


def test_an_edit_of_a_replaced_database_names_the_reason(editor, database, tmp_path):
    copy = backup(database, tmp_path / "copy.db")
    database.path.unlink()
    assert editor.edit(insert("lost")).rejected(503)["detail"] == (
        "The change was not made: the database file was removed."
    )
    copy.rename(database.path)
    ended(editor)


@pytest.mark.parametrize("is_linked", [False, True], ids=["moved", "also linked"])
def test_acknowledged_edits_are_in_the_old_file_although_another_process_reads_it(
    is_linked, editor, database, tmp_path
):
    """The process reads an earlier state, so the log cannot be copied into the file."""
    old, copy = tmp_path / "old.db", backup(database, tmp_path / "copy.db")
    first = editor.ids()
    with closing(sqlite3.connect(database.path, isolation_level=None)) as reading:
        reading.execute("BEGIN")
        assert reading.execute("SELECT count(*) FROM item").fetchone() == (len(first),)
        names = [f"n{number}" for number in range(20)]
        for name in names:
            editor.edited(insert(name))
        if is_linked:
            os.link(database.path, old)
        else:
            database.path.rename(old)
        copy.rename(database.path)
        ended(editor)
        assert reading.execute("SELECT count(*) FROM item").fetchone() == (len(first),)
        # No other file got the log.
        assert exported_ids(database) == first
    if is_linked:
        (found,) = re.findall(r"The log of the former file is (\S+)\.\n", editor.server.logged())
        Path(found).rename(f"{old}-wal")
    assert exported_ids(old) == [*first, *names]
    exited(carousel("check", "--database", old))


def test_no_acknowledged_edit_is_lost_when_the_file_is_replaced(editor, database, tmp_path):
    copy = backup(database, tmp_path / "copy.db")
    old = tmp_path / "old.db"
    acknowledged, statuses, done = [], [], threading.Event()

    def edit():
        number = 0
        while not done.is_set():
            try:
                reply = editor.edit(insert(f"n{number}"))
            except AssertionError:
                # The server has ended.
                return
            statuses.append(reply.status)
            if reply.status == 200:
                acknowledged.append(f"n{number}")
            number += 1

    thread = threading.Thread(target=edit)
    thread.start()
    try:
        wait_until(lambda: len(acknowledged) > 20)
        os.rename(database.path, old)
        copy.rename(database.path)
        ended(editor)
    finally:
        done.set()
        thread.join()
    assert set(statuses) <= {200, 503}
    assert set(acknowledged) <= set(exported_ids(old))
    assert not set(acknowledged) & set(exported_ids(database))
    for file in (old, database.path):
        exited(carousel("check", "--database", file))


def is_stopping(process) -> bool:
    """SIGTERM is no longer blocked: the main thread has received the first one."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return not int(re.search(r"SigBlk:\s*(\w+)", status)[1], 16) & 1 << signal.SIGTERM - 1


@pytest.mark.parametrize("stops", [False, True], ids=["", "during a stop"])
def test_an_edit_that_waits_while_the_file_is_replaced_is_not_made(stops, editor, database, tmp_path):
    copy = backup(database, tmp_path / "copy.db")
    old = tmp_path / "old.db"
    replies = []
    lock = sqlite3.connect(database.path, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    thread = threading.Thread(target=lambda: replies.append(editor.edit(insert("late"))))
    thread.start()
    try:
        wait_until(lambda: editor.server.metric('carousel_queue_tasks{queue="changes"}') > 0)
        if stops:
            editor.server.process.terminate()
            wait_until(lambda: is_stopping(editor.server.process))
        database.path.rename(old)
        copy.rename(database.path)
        if stops:
            wait_until(lambda: "another file has this name now" in editor.server.logged())
    finally:
        lock.execute("ROLLBACK")
        thread.join()
        lock.close()
    detail = replies[0].rejected(503)["detail"]
    assert detail == "The change was not made: the database file was replaced by another file."
    ended(editor)
    assert "late" not in exported_ids(database) + exported_ids(old)


def test_the_log_of_another_file_stays(editor, database, tmp_path):
    """A program edits the new file before the server ends. The log beside it is not the server's."""
    copy = backup(database, tmp_path / "copy.db")
    database.path.unlink()
    for name in ("-wal", "-shm"):
        Path(f"{database}{name}").unlink()
    copy.rename(database.path)
    with closing(sqlite3.connect(database.path, isolation_level=None)) as writing:
        writing.execute("UPDATE catalogue SET last_number = 77")
        ended(editor)
        assert Path(f"{database}-wal").stat().st_size > 0
    with closing(sqlite3.connect(database.path)) as reading:
        assert reading.execute("SELECT last_number FROM catalogue").fetchone() == (77,)


def test_a_link_that_leads_to_another_file_leaves_the_log_beside_the_first(serving, database, tmp_path):
    link, second = tmp_path / "link.db", tmp_path / "second.db"
    backup(database, second)
    link.symlink_to(database.path)
    editor = Editor(serving("--database", link), database, STRIP, token(database, "s"))
    editor.edited(insert("new"))
    (tmp_path / "next").symlink_to(second)
    (tmp_path / "next").rename(link)
    ended(editor)
    assert exported_ids(database)[-1] == "new"
    assert exported_ids(second) == [item.id for item in STRIP.items]


def test_an_import_does_not_delete_a_log_with_changes(database, tmp_path):
    """The file was moved without its log, and an import makes another file at the path."""
    with closing(sqlite3.connect(database.path, isolation_level=None)) as writing:
        writing.execute("UPDATE catalogue SET last_number = 77")
        away = tmp_path / "away.db"
        database.path.rename(away)
        exited(import_lines(database, Strip("s", numbered(5))))
    (tmp_path / "strips.db.former-wal").rename(tmp_path / "away.db-wal")
    with closing(sqlite3.connect(away)) as reading:
        assert reading.execute("SELECT last_number FROM catalogue").fetchone() == (77,)
    assert exported_ids(database) == [item.id for item in numbered(5)]


def test_the_units_restart_a_server_after_another_file_has_the_name():
    """A status other than 0 is a failure to systemd and to Docker."""
    unit = (ROOT / "Deployment/systemd/carousel.service").read_text()
    assert "\nRestart=on-failure\n" in unit
    assert "SuccessExitStatus" not in unit and "RestartPreventExitStatus" not in unit
    servers = (ROOT / "compose.yaml").read_text().split("x-server:")[1].split("services:")[0]
    assert "\n  restart: unless-stopped\n" in servers


def test_a_file_that_is_moved_back_is_written_again(editor, database, tmp_path):
    ids = editor.ids()
    database.path.rename(tmp_path / "away.db")
    editor.edit(insert("lost")).rejected(503)
    (tmp_path / "away.db").rename(database.path)
    wait_until(lambda: obstacle(editor) is None)
    editor.edited(insert("new"))
    assert editor.ids() == [*ids, "new"]
    assert exported_ids(database) == [*ids, "new"]
