"""A database that cannot be written, for want of room or of permission, is still read.

A limit on the size of files is to a program what a full disk is, and goes again without privileges.
"""

import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from random import Random

import pytest

from command import ROOT, binary, carousel, environment, imported, told
from editing import Editor, numbered, token
from model.strips import Item, Strip
from server import Server
from stores import File
from waiting import come_to

STRIP = Strip("s", numbered(50))
NOBODY = 65534
#: What SQLite keeps beside the file to tell its readers apart, and the first pages of a log.
LITTLE = 48 << 10


def inserting(count: int) -> dict:
    new = [{"id": f"n{number}", "width": 10, "fields": {"say": "x" * 200}} for number in range(count)]
    return {"op": "insert", "after": "i9", "items": new}


def limit(process: int, size: int) -> None:
    """No file may be written beyond so many bytes."""
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def exported(database) -> bytes:
    run = carousel("export", "--database", database, "--strip", "s")
    assert run.returncode == 0, told(run)
    return run.stdout


@pytest.fixture
def database(tmp_path):
    """A file that holds the strip."""
    return imported(File(tmp_path), STRIP)


def refused(editor: Editor, revision: int) -> None:
    """Claims that an edit is refused, that its client learns no path, and that reads go on."""
    reply = editor.edit(inserting(200))
    reply.refused(503)
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
def test_an_edit_without_room_is_503_and_made_when_there_is_room(is_first, serving, database):
    server = serving("--database", database)
    editor = Editor(server, database, STRIP, token(database, "s"))
    if not is_first:
        editor.edited({"op": "update", "id": "i0", "set": {"width": 10}})
    revision = editor.revision
    limit(server.process.pid, LITTLE)
    for _ in range(2):
        refused(editor, revision)
    limit(server.process.pid, resource.RLIM_INFINITY)
    assert editor.edited(inserting(200)) == revision + 1
    assert len(editor.ids()) == 250
    assert server.stop() == 0
    run = carousel("check", "--database", database)
    assert run.returncode == 0, told(run)


@pytest.mark.parametrize("room", [0, LITTLE])
def test_the_command_says_that_there_is_no_room(room, database, tmp_path):
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
    assert run.returncode in (69, 74), told(run)
    said = run.stderr.decode()
    assert said.startswith(str(database)) and said.count("\n") == 1, told(run)
    assert re.search("space|full|room", said), told(run)
    assert exported(database) == before
    run = carousel(*command)
    assert run.returncode == 0, told(run)


@pytest.fixture(params=["the file", "the file and its folder", "its folder", "its file system"])
def read_only(request):
    """A database of which the program under test may only read the file, or write no other beside it,
    and a token of it.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = imported(File(folder), STRIP)
        bearer = token(database, "s")
        database.path.chmod(0o444 if "the file" in request.param else 0o666)
        folder.chmod(0o555 if "folder" in request.param else 0o777)
        if "system" in request.param:
            request.getfixturevalue("on_read_only")(folder)
        else:
            request.getfixturevalue("stranger")
        yield database, bearer
        folder.chmod(0o700)


@pytest.fixture
def run_by(tmp_path_factory, monkeypatch):
    """Makes the program under test run by a command, to which its own line is added."""

    def run(*command) -> None:
        script = tmp_path_factory.mktemp("run") / "carousel"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} {shlex.quote(binary())} "$@"\n')
        script.chmod(0o755)
        monkeypatch.setenv("CAROUSEL", str(script))

    return run


@pytest.fixture
def on_read_only(run_by):
    """Makes the program under test see a folder on a file system that is read-only."""

    def see(folder: Path) -> None:
        place = shlex.quote(str(folder))
        mounted = f'mount --bind {place} {place} && mount -o remount,bind,ro {place} && exec "$0" "$@"'
        command = ["unshare", "--mount", "sh", "-c", mounted]
        if shutil.which("unshare") is None or subprocess.run([*command, "true"]).returncode != 0:
            pytest.skip("nothing may be mounted here")
        run_by(*command)

    return see


@pytest.fixture
def stranger(run_by):
    """Makes the program under test run as somebody who is not the root of all files."""
    if os.geteuid() != 0:
        return
    become = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    if shutil.which("setpriv") is None:
        pytest.skip("root may write every file, and there is no setpriv")
    if subprocess.run([*become, "test", "-x", binary(), "-a", "-r", ROOT]).returncode != 0:
        pytest.skip("root may write every file, and nobody else may run the program")
    run_by(*become)


def test_an_edit_of_a_read_only_file_is_503(read_only):
    database, bearer = read_only
    with Server("--database", database) as server:
        editor = Editor(server, database, STRIP, bearer)
        for _ in range(2):
            refused(editor, editor.revision)
        assert "read-only" in server.logged()


def test_a_command_that_would_write_says_what_is_read_only(read_only):
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
        assert run.returncode == 74 and run.stdout == b"", told(run)
        said = run.stderr.decode()
        assert said.startswith(str(database)), told(run)
        assert "read-only" in said and said.count("\n") == 1, told(run)
    assert exported(database) == before


@pytest.mark.parametrize("read_only", ["its folder", "its file system"], indirect=True)
def test_a_log_that_cannot_be_read_is_told(read_only):
    """What was written last is in it, and a killed server leaves it behind."""
    database, _ = read_only
    beside = database.path.with_name(database.name + "-wal")
    os.chmod(database.parent, 0o777)
    beside.write_bytes(b"x")
    os.chmod(database.parent, 0o555)
    run = carousel("strips", "--database", database)
    assert run.returncode == 69 and run.stdout == b"", told(run)
    assert re.search(rb"-wal|\blog\b", run.stderr) and b"read-only" in run.stderr, told(run)


def test_a_copy_is_made_of_a_read_only_file(read_only):
    database, _ = read_only
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        copy = File(Path(name))
        run = carousel("backup", copy, "--database", database)
        assert run.returncode == 0, told(run)
        assert exported(copy) == exported(database)
        run = carousel("check", "--database", copy)
        assert run.returncode == 0, told(run)


DASHES = json.dumps({"say": "-" * 200})
LONG = Strip("s", tuple(Item(f"i{n}", width="10", fields=DASHES) for n in range(4000)))


@pytest.fixture
def long_one():
    """A long strip in a database of which whoever `stranger` runs may only read file and folder,
    and the program that may do more.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        database = imported(File(folder), LONG)
        if os.geteuid() == 0:
            database.path.chmod(0o444)
        folder.chmod(0o555)
        yield database, binary()
        folder.chmod(0o700)


class Watch:
    """Asks for windows of a strip all the while, and compares each with what its revision says."""

    def __init__(self, server: Server):
        self.server = server
        self.revision = server.revision("s")
        says = [(item.id, json.loads(item.fields)["say"]) for item in LONG.items]
        #: What each revision's items say, in their order.
        self.says = {self.revision: says}
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
            says = self.says[reply.json()["revision"]]
            for item in reply.json()["items"]:
                if says[item["index"]] != (item["id"], item["fields"]["say"]):
                    self.wrong.append(f"{reply.asked}: {item} is not {says[item['index']]}")

    def turn(self, number: int) -> list[dict]:
        """The next batch: takes every second item of a stretch away, and changes some others."""
        says = dict(self.says[self.revision])
        removed = [f"i{number * 500 + place}" for place in range(0, 500, 2)]
        for id in removed:
            del says[id]
        batch = [{"op": "remove", "ids": removed}]
        for id in [f"i{place}" for place in range(1, 4000, 40)]:
            says[id] = f"{number}" * 200
            batch.append({"op": "update", "id": id, "set": {"fields": {"say": says[id]}}})
        self.revision += 1
        self.says[self.revision] = list(says.items())
        return batch

    def followed(self) -> None:
        """Claims that the server comes to the newest revision."""

        def is_newest() -> bool:
            reply = self.server.window(strip="s", width="300")
            return reply.status == 200 and reply.json()["revision"] == self.revision

        come_to(is_newest, f"revision {self.revision} was not followed")

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for thread in self.threads:
            thread.join()
        assert not self.wrong, f"{len(self.wrong)}: {self.wrong[0]}"


def test_a_server_that_may_only_read_follows_commands_that_write(long_one, stranger):
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
            assert run.returncode == 0, told(run)
            watch.followed()


def test_a_server_that_may_only_read_follows_one_that_writes(long_one, stranger, monkeypatch):
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
