"""A database can be read although it cannot be written: the disk is full, or permissions are missing.

A limit on the size of files (RLIMIT_FSIZE) simulates a full disk, because it needs no privileges.
"""

import json
import os
import re
import resource
import shlex
import subprocess
import tempfile
from pathlib import Path

import pytest

from command import ROOT, binary, carousel, environment, exited, exported, imported, outcome
from editing import Editor, numbered, token
from model.strips import Strip
from server import Server
from stores import File
from waiting import wait_until

STRIP = Strip("s", numbered(50))
#: Bytes for SQLite's -shm file and the first pages of its log, but not for an edit.
LITTLE = 48 << 10
NO_SPACE = "the last change failed: no space is left, a limit is reached, or the disk is broken"


def inserting(count: int) -> dict:
    new = [{"id": f"n{number}", "width": 10, "fields": {"say": "x" * 200}} for number in range(count)]
    return {"op": "insert", "after": "i9", "items": new}


def limit(process: int, size: int) -> None:
    """Limits the size of all files that a process writes."""
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@pytest.fixture
def database(tmp_path):
    """A file that holds the strip."""
    return imported(File(tmp_path), STRIP)


def rejected(editor: Editor, revision: int) -> None:
    """Asserts that an edit is 503, that the answer has no path, and that windows are still served."""
    reply = editor.edit(inserting(200))
    reply.rejected(503)
    assert int(reply.fields["retry-after"]) > 0
    assert str(editor.database.parent) not in reply.text
    assert editor.database.name not in reply.text
    assert editor.revision == revision
    assert editor.ids() == [item.id for item in STRIP.items]
    for start in (0, 30, 200):
        assert editor.window(offset=str(start), width="25").status == 200
    logged = editor.server.logged()
    assert str(editor.database) in logged, logged


@pytest.mark.parametrize("is_first", [True, False], ids=["the first edit", "a later edit"])
def test_an_edit_without_space_is_503_until_there_is_space(is_first, serving, database):
    server = serving("--database", database)
    editor = Editor(server, database, STRIP, token(database, "s"))
    if not is_first:
        editor.edited({"op": "update", "id": "i0", "set": {"width": 10}})
    revision = editor.revision
    assert "writes" not in server.get("/readyz").json()
    limit(server.process.pid, LITTLE)
    for _ in range(2):
        rejected(editor, revision)
        assert server.get("/readyz").json()["writes"] == NO_SPACE
        assert "\ncarousel_store_writable 0\n" in server.get("/metrics").text
    problem = editor.edit(inserting(200)).rejected(503)
    assert problem["detail"] == f"The change was not made: {NO_SPACE}."
    limit(server.process.pid, resource.RLIM_INFINITY)
    assert editor.edited(inserting(200)) == revision + 1
    assert len(editor.ids()) == 250
    assert "writes" not in server.get("/readyz").json()
    assert "\ncarousel_store_writable 1\n" in server.get("/metrics").text
    assert server.stop() == 0
    exited(carousel("check", "--database", database))


def test_a_server_sees_that_there_is_space_again_without_an_edit(serving, database):
    server = serving("--database", database)
    editor = Editor(server, database, STRIP, token(database, "s"))
    limit(server.process.pid, LITTLE)
    editor.edit(inserting(200)).rejected(503)
    assert server.get("/readyz").json()["writes"] == NO_SPACE
    limit(server.process.pid, resource.RLIM_INFINITY)
    wait_until(lambda: "writes" not in server.get("/readyz").json(), "the space is not seen")


@pytest.mark.parametrize("room", [0, LITTLE])
def test_the_command_reports_a_full_disk(room, database, tmp_path):
    before = exported(database)
    file = tmp_path / "edits.json"
    file.write_text(json.dumps([inserting(2000)]))
    command = ["edit", file, "--database", database, "--strip", "s"]
    run = subprocess.run(
        [binary(), *map(str, command)],
        capture_output=True,
        cwd=ROOT,
        env=environment(),
        preexec_fn=lambda: limit(0, room),
    )
    assert run.returncode in (69, 74), outcome(run)
    said = run.stderr.decode()
    assert said.startswith(str(database)) and said.count("\n") == 1, outcome(run)
    assert re.search("space|full|room", said), outcome(run)
    assert exported(database) == before
    exited(carousel(*command))


@pytest.fixture
def read_only(request):
    """A database whose file, folder or file system is read-only for the program, and a token."""
    what = getattr(request, "param", "the file")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = imported(File(folder), STRIP)
        bearer = token(database, "s")
        database.path.chmod(0o444 if "the file" in what else 0o666)
        folder.chmod(0o555 if "folder" in what else 0o777)
        if "system" in what:
            request.getfixturevalue("on_read_only")(folder)
        else:
            request.getfixturevalue("unprivileged")
        yield database, bearer
        folder.chmod(0o700)


@pytest.fixture
def run_by(tmp_path_factory, monkeypatch):
    """Runs the program under test through a command that precedes its own."""

    def run(*command) -> None:
        script = tmp_path_factory.mktemp("run") / "carousel"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} {shlex.quote(binary())} "$@"\n')
        script.chmod(0o755)
        monkeypatch.setenv("CAROUSEL", str(script))

    return run


@pytest.fixture
def on_read_only(run_by):
    """Mounts a folder read-only for the program under test."""

    def see(folder: Path) -> None:
        place = shlex.quote(str(folder))
        mounted = f'mount --bind {place} {place} && mount -o remount,bind,ro {place} && exec "$0" "$@"'
        as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
        command = ["unshare", "--mount", *as_root, "sh", "-c", mounted]
        if subprocess.run([*command, "true"]).returncode != 0:
            pytest.skip("this machine does not allow bind mounts in a mount namespace")
        run_by(*command)

    return see


@pytest.fixture
def unprivileged(run_by):
    """Runs the program under test without capabilities, so that permissions hold for root too."""
    if os.geteuid() == 0:
        run_by("setpriv", "--bounding-set=-all", "--inh-caps=-all")


def test_an_edit_of_a_read_only_file_is_503(read_only):
    database, bearer = read_only
    with Server("--database", database) as server:
        editor = Editor(server, database, STRIP, bearer)
        assert "read-only" in server.get("/readyz").json()["writes"]
        assert "\ncarousel_store_writable 0\n" in server.get("/metrics").text
        for _ in range(2):
            rejected(editor, editor.revision)
        assert "read-only" in server.logged()


def test_a_command_that_writes_reports_a_read_only_database(read_only):
    database, _ = read_only
    before = exported(database)
    edits = b"[" + json.dumps(inserting(1)).encode() + b"]"
    named = ["--database", database, "--strip", "s"]
    appending = ["import", "-", *named, "--append", "--format", "csv", "--map", "id=no"]
    for command, given in (
        (["edit", "-", *named], edits),
        (appending, b"no\n1\n"),
        ([*appending, "--dry-run"], b"no\n1\n"),
        (["token", "create", *named], b""),
    ):
        run = carousel(*command, given=given)
        assert run.returncode == 74 and run.stdout == b"", outcome(run)
        said = run.stderr.decode()
        assert said.startswith(str(database)), outcome(run)
        assert "read-only" in said and said.count("\n") == 1, outcome(run)
    assert exported(database) == before


@pytest.mark.parametrize("read_only", ["its folder", "the file and its folder", "its file system"], indirect=True)
def test_a_database_in_a_read_only_folder_is_an_error_that_says_so(read_only):
    """SQLite makes a log and an index of it beside the file, also to read."""
    database, _ = read_only
    for command in (["serve"], ["strips"], ["check"], ["backup", database.parent.parent / "copy.db"]):
        run = carousel(*command, "--database", database)
        assert run.returncode == 69 and run.stdout == b"", outcome(run)
        assert b"read-only" in run.stderr and b"log" in run.stderr, outcome(run)


def test_a_read_only_file_can_be_backed_up(read_only):
    database, _ = read_only
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        copy = File(Path(name))
        exited(carousel("backup", copy, "--database", database))
        assert exported(copy) == exported(database)
        exited(carousel("check", "--database", copy))


def test_tokens_of_a_read_only_database_are_listed(read_only):
    database, _ = read_only
    run = exited(carousel("token", "list", "--database", database))
    assert run.stdout.decode().split("\t")[1] == "s"


@pytest.mark.parametrize("place", ["the file", "its folder"])
def test_a_database_that_may_not_be_read_is_permission_denied(place, unprivileged):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = imported(File(folder), STRIP)
        protected = database.path if place == "the file" else folder
        protected.chmod(0)
        for command in (["strips"], ["check"], ["token", "list"], ["export", "--strip", "s"]):
            run = exited(carousel(*command, "--database", database), 69)
            assert b"permission denied" in run.stderr, outcome(run)
            assert b"read-only" not in run.stderr, outcome(run)
        folder.chmod(0o755)
