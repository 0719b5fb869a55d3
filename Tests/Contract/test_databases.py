"""A database that cannot be opened is 69 and is not changed."""

import os
import sqlite3
from contextlib import closing

import pytest

from command import carousel, exited, imported, outcome
from editing import Editor, numbered, token
from model.strips import Item, Strip
from server import Server

STRIP = Strip("s", (Item("a", width="10"),))


def commands(database, lines) -> list[list]:
    """Each command that opens a database."""
    named = ["--database", database]
    return [
        ["strips", *named],
        ["window", *named, "--strip", "s"],
        ["export", *named, "--strip", "s"],
        ["serve", *named, "--port", "0"],
        ["import", lines, *named, "--strip", "t"],
        ["import", lines, *named, "--strip", "t", "--dry-run"],
    ]


@pytest.fixture
def database(tmp_path):
    """The path of a file that does not exist yet."""
    return tmp_path / "strips.db"


@pytest.fixture
def lines(tmp_path):
    file = tmp_path / "items.jsonl"
    file.write_text(STRIP.lines())
    return file


def rejected(database, lines, among=slice(None)) -> None:
    """Asserts that each command ends with 69 and names the database."""
    for command in commands(database, lines)[among]:
        run = carousel(*command)
        assert run.returncode == 69, f"{command[0]}: {outcome(run)}"
        assert run.stdout == b"", command[0]
        assert str(database).encode() in run.stderr, f"{command[0]}: {outcome(run)}"


def test_only_import_creates_a_file(database, lines):
    rejected(database, lines, slice(0, 4))
    assert not database.exists()
    exited(carousel(*commands(database, lines)[5]))
    assert not database.exists()
    exited(carousel(*commands(database, lines)[4]))
    assert database.exists()


NO_DATABASES = {
    "text": b"not a database at all\n" * 100,
    # SQLite would overwrite a file of a few bytes: it is an empty database for SQLite.
    "a word": b"x",
    "a header alone": b"SQLite format 3\x00" + b"\xff" * 4000,
}


@pytest.mark.parametrize("content", NO_DATABASES.values(), ids=NO_DATABASES)
def test_a_file_that_is_no_database_is_rejected_and_not_changed(database, lines, content):
    database.write_bytes(content)
    rejected(database, lines)
    assert database.read_bytes() == content


def test_a_pipe_is_no_database_and_does_not_block(tmp_path, lines):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    rejected(pipe, lines)


def test_a_path_with_the_syntax_of_a_url_is_a_path(tmp_path, lines):
    odd = tmp_path / "a?mode=memory&b%41 #c.db"
    exited(carousel("import", lines, "--database", odd, "--strip", "s"))
    assert odd.exists()
    assert carousel("strips", "--database", odd).returncode == 0


@pytest.mark.parametrize("name", ["file:foo.db", "file:foo.db?mode=memory", ":memory:"])
def test_a_path_that_is_special_to_sqlite_is_a_path(tmp_path, lines, name):
    inside = {"cwd": tmp_path}
    exited(carousel("import", lines, "--database", name, "--strip", "s", **inside))
    exited(carousel("backup", f"{name}.copy", "--database", name, **inside))
    files = {file.name for file in tmp_path.iterdir()} - {lines.name}
    files -= {name + end for end in ("-wal", "-shm")}
    assert files == {name, f"{name}.copy"}
    for database in files:
        assert carousel("strips", "--database", database, **inside).stdout, database


def test_a_new_database_ignores_the_log_of_a_deleted_one(database, lines, tmp_path):
    """A killed server leaves a log. Deleting the database alone leaves the log of the old database."""
    imported(database, STRIP)
    killed = sqlite3.connect(database)
    killed.execute("UPDATE item SET width = 64")
    killed.commit()
    left = {end: database.with_name(database.name + end).read_bytes() for end in ("-wal", "-shm")}
    killed.close()
    assert left["-wal"]
    copy = tmp_path / "copy.db"
    for path in (database, copy):
        path.unlink(missing_ok=True)
        for end, content in left.items():
            path.with_name(path.name + end).write_bytes(content)
    exited(carousel("import", lines, "--database", database, "--strip", "new"))
    run = exited(carousel("backup", copy, "--database", database))
    for path in (database, copy):
        exited(carousel("check", "--database", path))
        assert carousel("strips", "--database", path).stdout.startswith(b"new\t1\t")


def test_import_does_not_overwrite_a_file_with_the_name_of_its_temporary_database(database, lines):
    precious = database.with_name(database.name + ".new")
    precious.write_text("precious\n")
    run = carousel("import", lines, "--database", database, "--strip", "s")
    assert run.returncode == 69 and str(precious).encode() in run.stderr, outcome(run)
    assert precious.read_text() == "precious\n" and not database.exists()


@pytest.mark.parametrize("column", ["ordinal", "weight_sum"])
def test_a_log_with_a_number_too_large_to_count_on_is_an_error(column, database):
    strip = Strip("s", numbered(3))
    imported(database, strip)
    with Server("--database", database) as server:
        editor = Editor(server, database, strip, token(database, "s"))
        made = editor.edited({"op": "move", "ids": ["i0"], "before": None})
        assert editor.revision == made
        with closing(sqlite3.connect(database)) as db, db:
            db.execute(f"UPDATE revision SET {column} = 9223372036854775807")
        editor.edit({"op": "remove", "ids": ["i1"]}).rejected(500)
        assert editor.revision == made
        assert server.process.poll() is None
