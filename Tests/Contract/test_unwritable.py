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
import threading
from pathlib import Path
from random import Random

import pytest

from command import ROOT, binary, carousel, environment, imported, outcome
from editing import Editor, numbered, token
from model.strips import Item, Strip
from server import Server
from stores import File
from waiting import wait_until

STRIP = Strip("s", numbered(50))
#: Bytes for SQLite's -shm file and the first pages of its log, but not for an edit.
LITTLE = 48 << 10


def inserting(count: int) -> dict:
    new = [{"id": f"n{number}", "width": 10, "fields": {"say": "x" * 200}} for number in range(count)]
    return {"op": "insert", "after": "i9", "items": new}


def limit(process: int, size: int) -> None:
    """Limits the size of all files that a process writes."""
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def exported(database) -> bytes:
    run = carousel("export", "--database", database, "--strip", "s")
    assert run.returncode == 0, outcome(run)
    return run.stdout


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
    limit(server.process.pid, LITTLE)
    for _ in range(2):
        rejected(editor, revision)
    limit(server.process.pid, resource.RLIM_INFINITY)
    assert editor.edited(inserting(200)) == revision + 1
    assert len(editor.ids()) == 250
    assert server.stop() == 0
    run = carousel("check", "--database", database)
    assert run.returncode == 0, outcome(run)


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
    run = carousel(*command)
    assert run.returncode == 0, outcome(run)


@pytest.fixture(params=["the file", "the file and its folder", "its folder", "its file system"])
def read_only(request):
    """A database whose file, folder or file system is read-only for the program, and a token."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = imported(File(folder), STRIP)
        bearer = token(database, "s")
        database.path.chmod(0o444 if "the file" in request.param else 0o666)
        folder.chmod(0o555 if "folder" in request.param else 0o777)
        if "system" in request.param:
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


@pytest.mark.parametrize("read_only", ["its folder", "its file system"], indirect=True)
def test_a_log_that_cannot_be_read_is_reported(read_only):
    """A killed server leaves a log, which holds the last edits."""
    database, _ = read_only
    beside = database.path.with_name(database.name + "-wal")
    os.chmod(database.parent, 0o777)
    beside.write_bytes(b"x")
    os.chmod(database.parent, 0o555)
    run = carousel("strips", "--database", database)
    assert run.returncode == 69 and run.stdout == b"", outcome(run)
    assert re.search(rb"-wal|\blog\b", run.stderr) and b"read-only" in run.stderr, outcome(run)


def test_a_read_only_file_can_be_backed_up(read_only):
    database, _ = read_only
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        copy = File(Path(name))
        run = carousel("backup", copy, "--database", database)
        assert run.returncode == 0, outcome(run)
        assert exported(copy) == exported(database)
        run = carousel("check", "--database", copy)
        assert run.returncode == 0, outcome(run)


DASHES = json.dumps({"say": "-" * 200})
LONG = Strip("s", tuple(Item(f"i{n}", width="10", fields=DASHES) for n in range(4000)))


@pytest.fixture
def long_one():
    """A database with a long strip that is read-only for `unprivileged`, and a program that may write it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = imported(File(folder), LONG)
        if os.geteuid() == 0:
            database.path.chmod(0o444)
        folder.chmod(0o555)
        yield database, binary()
        folder.chmod(0o700)


class Watch:
    """Requests windows of a strip in two threads, and compares each with the items of its revision."""

    def __init__(self, server: Server):
        self.server = server
        self.revision = server.revision("s")
        texts = [(item.id, json.loads(item.fields)["say"]) for item in LONG.items]
        #: For each revision the id and text of each item, in order.
        self.texts = {self.revision: texts}
        self.wrong: list[str] = []
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.ask, args=(seed,)) for seed in range(2)]

    def ask(self, seed: int) -> None:
        random = Random(seed)
        while not self.ended.is_set():
            offset = str(random.randrange(30_000))
            reply = self.server.window(strip="s", offset=offset, width="300")
            if reply.status == 503:
                continue
            if reply.status != 200:
                self.wrong.append(str(reply))
                continue
            texts = self.texts[reply.json()["revision"]]
            for item in reply.json()["items"]:
                if texts[item["index"]] != (item["id"], item["fields"]["say"]):
                    self.wrong.append(f"{reply.request}: {item} is not {texts[item['index']]}")

    def turn(self, number: int) -> list[dict]:
        """The next batch: removes every second item of a range, and changes the text of others."""
        texts = dict(self.texts[self.revision])
        removed = [f"i{number * 500 + place}" for place in range(0, 500, 2)]
        for id in removed:
            del texts[id]
        batch = [{"op": "remove", "ids": removed}]
        for id in [f"i{place}" for place in range(1, 4000, 40)]:
            texts[id] = f"{number}" * 200
            batch.append({"op": "update", "id": id, "set": {"fields": {"say": texts[id]}}})
        self.revision += 1
        self.texts[self.revision] = list(texts.items())
        return batch

    def followed(self) -> None:
        """Waits until the server shows the newest revision."""

        def is_newest() -> bool:
            reply = self.server.window(strip="s", width="300")
            return reply.status == 200 and reply.json()["revision"] == self.revision

        wait_until(is_newest, f"revision {self.revision} was not followed")

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()
        assert not self.wrong, f"{len(self.wrong)}: {self.wrong[0]}"


def test_a_read_only_server_follows_commands_that_write(long_one, unprivileged):
    database, program = long_one
    with Server("--database", database) as server, Watch(server) as watch:
        for number in range(6):
            run = subprocess.run(
                [program, "edit", "-", "--database", str(database), "--strip", "s"],
                input=json.dumps(watch.turn(number)).encode(),
                capture_output=True,
                cwd=ROOT,
                env=environment(),
            )
            assert run.returncode == 0, outcome(run)
            watch.followed()


def test_a_read_only_server_follows_a_server_that_writes(long_one, unprivileged, monkeypatch):
    database, program = long_one
    with Server("--database", database) as server, Watch(server) as watch:
        monkeypatch.setenv("CAROUSEL", program)
        bearer = token(database, "s")
        for begun in range(0, 6, 3):
            with Server("--database", database) as other:
                editor = Editor(other, database, LONG, bearer)
                for number in range(begun, begun + 3):
                    assert editor.edited(*watch.turn(number)) == watch.revision
                    watch.followed()


def test_tokens_of_a_read_only_database_are_listed(read_only):
    database, _ = read_only
    run = carousel("token", "list", "--database", database)
    assert run.returncode == 0, outcome(run)
    assert run.stdout.decode().split("\t")[1] == "s"


@pytest.mark.parametrize("place", ["the file", "its folder"])
def test_a_database_that_may_not_be_read_is_permission_denied(place, unprivileged):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = imported(File(folder), STRIP)
        protected = database.path if place == "the file" else folder
        protected.chmod(0)
        for command in (["strips"], ["check"], ["token", "list"], ["export", "--strip", "s"]):
            run = carousel(*command, "--database", database)
            assert run.returncode == 69, outcome(run)
            assert b"permission denied" in run.stderr, outcome(run)
            assert b"read-only" not in run.stderr, outcome(run)
        folder.chmod(0o755)
