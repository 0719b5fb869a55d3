"""A database that is not to be had is 69, and stays what it is."""

import os
import sqlite3

import pytest

from command import carousel, imported, told
from model.strips import Item, Strip

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
    """The path of a file that is not there yet."""
    return tmp_path / "strips.db"


@pytest.fixture
def lines(tmp_path):
    file = tmp_path / "items.jsonl"
    file.write_text(STRIP.lines())
    return file


def refused(database, lines, among=slice(None)) -> None:
    for command in commands(database, lines)[among]:
        run = carousel(*command)
        assert run.returncode == 69, f"{command[0]}: {told(run)}"
        assert run.stdout == b"", command[0]
        assert str(database).encode() in run.stderr, f"{command[0]}: {told(run)}"


def test_only_import_makes_a_new_file(database, lines):
    refused(database, lines, slice(0, 4))
    assert not database.exists()
    rehearsed = carousel(*commands(database, lines)[5])
    assert rehearsed.returncode == 0, told(rehearsed)
    assert not database.exists()
    run = carousel(*commands(database, lines)[4])
    assert run.returncode == 0, told(run)
    assert database.exists()


NO_DATABASES = {
    "text": b"not a database at all\n" * 100,
    # SQLite itself takes a file of a few bytes for an empty database, and writes over it.
    "a word": b"x",
    "a header alone": b"SQLite format 3\x00" + b"\xff" * 4000,
}


@pytest.mark.parametrize("content", NO_DATABASES.values(), ids=NO_DATABASES)
def test_a_file_that_is_no_database_is_refused_and_kept(database, lines, content):
    database.write_bytes(content)
    refused(database, lines)
    assert database.read_bytes() == content


def test_a_folder_is_no_database(tmp_path, lines):
    folder = tmp_path / "folder.db"
    folder.mkdir()
    refused(folder, lines)


def test_a_pipe_is_no_database_and_nobody_waits_at_it(tmp_path, lines):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refused(pipe, lines)


def test_a_database_in_a_folder_that_is_not_there_is_refused(tmp_path, lines):
    refused(tmp_path / "none" / "strips.db", lines)


def test_a_database_of_somebody_else_is_refused_and_kept(database, lines):
    with sqlite3.connect(database) as other:
        other.execute("CREATE TABLE invoices (id INTEGER PRIMARY KEY, total REAL)")
        other.execute("INSERT INTO invoices VALUES (1, 2.5)")
    other.close()
    refused(database, lines)
    with sqlite3.connect(database) as other:
        tables = [name for (name,) in other.execute("SELECT name FROM sqlite_schema")]
    other.close()
    assert tables == ["invoices"]


def test_a_database_of_a_newer_version_is_refused_and_kept(database, lines):
    """The schema carries its version where SQLite has a place for it."""
    imported(database, STRIP)
    newer = sqlite3.connect(database)
    (version,) = newer.execute("PRAGMA user_version").fetchone()
    assert version > 0
    newer.execute(f"PRAGMA user_version = {version + 1}")
    newer.commit()
    newer.close()
    refused(database, lines)
    back = sqlite3.connect(database)
    back.execute(f"PRAGMA user_version = {version}")
    back.commit()
    back.close()
    run = carousel("export", "--database", database, "--strip", "s")
    assert run.returncode == 0, told(run)


def test_a_path_that_looks_like_an_option_of_a_url_is_a_path(tmp_path, lines):
    odd = tmp_path / "a?mode=memory&b%41 #c.db"
    run = carousel("import", lines, "--database", odd, "--strip", "s")
    assert run.returncode == 0, told(run)
    assert odd.exists()
    assert carousel("strips", "--database", odd).returncode == 0


@pytest.mark.parametrize("name", ["file:foo.db", "file:foo.db?mode=memory", ":memory:"])
def test_a_path_that_sqlite_would_take_for_something_else_is_a_path(tmp_path, lines, name):
    inside = {"cwd": tmp_path}
    run = carousel("import", lines, "--database", name, "--strip", "s", **inside)
    assert run.returncode == 0, told(run)
    run = carousel("backup", f"{name}.copy", "--database", name, **inside)
    assert run.returncode == 0, told(run)
    files = {file.name for file in tmp_path.iterdir()} - {lines.name}
    files -= {name + end for end in ("-wal", "-shm")}
    assert files == {name, f"{name}.copy"}
    for database in files:
        assert carousel("strips", "--database", database, **inside).stdout, database


def test_the_log_of_a_database_that_is_gone_is_not_taken_for_the_new_ones(
    database, lines, tmp_path
):
    """Who deletes a database after its server was killed often leaves what lies beside it."""
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
    run = carousel("import", lines, "--database", database, "--strip", "new")
    assert run.returncode == 0, told(run)
    run = carousel("backup", copy, "--database", database)
    assert run.returncode == 0, told(run)
    for path in (database, copy):
        run = carousel("check", "--database", path)
        assert run.returncode == 0, told(run)
        assert carousel("strips", "--database", path).stdout.startswith(b"new\t1\t")


def test_a_file_in_the_way_of_what_is_made_is_kept(database, lines):
    precious = database.with_name(database.name + ".new")
    precious.write_text("precious\n")
    run = carousel("import", lines, "--database", database, "--strip", "s")
    assert run.returncode == 69 and str(precious).encode() in run.stderr, told(run)
    assert precious.read_text() == "precious\n" and not database.exists()
