"""A database survives SIGKILL of its writers: it has every acknowledged edit, and no partial edit.

`KILLS` is the number of kills of each command: 4 in `make test`, 200 in `make soak`.
"""

import os
import signal
import subprocess
import threading
from random import Random

import pytest

from command import ROOT, binary, carousel, exited, exported_ids, imported
from editing import Editor, numbered, token
from model.strips import Item, Strip
from server import Server
from stores import File

KILLS = int(os.environ.get("KILLS", "4"))
#: The number of kills after which a test starts with a new database, so that checks stay fast.
KILLS_OF_ONE = 10
STRIP = Strip("s", numbered(50))


def another(database: File, kill: int) -> File:
    """A new database in the same folder as `database`."""
    folder = database.parent / f"after-{kill}"
    folder.mkdir()
    new = File(folder)
    imported(new, STRIP)
    return new


@pytest.mark.parametrize("seed", [1])
def test_every_acknowledged_edit_survives_a_kill(seed, database):
    """Each edit inserts three neighbours: afterwards all of them exist, or none."""
    rng = Random(seed)
    for kill in range(KILLS):
        if kill % KILLS_OF_ONE == 0:
            database = another(database, kill)
            bearer = token(database, "s")
            turn = 0
            acknowledged: set[str] = set()
        with Server("--database", database) as server:
            editor = Editor(server, database, STRIP, bearer)
            killer = threading.Timer(rng.uniform(0.0, 0.4), server.process.kill)
            killer.start()
            while True:
                turn += 1
                new = [{"id": f"n{turn}-{part}", "width": turn % 50} for part in range(3)]
                op = {"op": "insert", "after": rng.choice(["i7", "i40", None]), "items": new}
                try:
                    reply = editor.edit(op)
                except AssertionError:
                    break
                assert reply.status == 200, f"{reply}"
                acknowledged.add(f"n{turn}")
            killer.join()
            server.process.wait()
        exited(carousel("check", "--database", database))
        there = [id for id in exported_ids(database) if id.startswith("n")]
        whole = {id.split("-")[0] for id in there}
        assert whole >= acknowledged, f"seed {seed}, kill {kill}: lost {acknowledged - whole}"
        assert len(there) == 3 * len(whole), f"seed {seed}, kill {kill}: a partial edit"
        for id in whole:
            at = there.index(f"{id}-0")
            assert there[at : at + 3] == [f"{id}-{part}" for part in range(3)]


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize("option", ["--append", "--replace"])
def test_a_killed_import_is_complete_or_has_no_effect(seed, option, database):
    rng = Random(seed)
    for kill in range(KILLS):
        if kill % KILLS_OF_ONE == 0:
            database = another(database, kill)
        before = exported_ids(database)
        more = [Item(f"k{kill}-{n}", width="9") for n in range(20_000)]
        file = database.parent / "more.jsonl"
        file.write_text(STRIP.with_items(more).lines())
        process = subprocess.Popen(
            [binary(), "import", file, "--database", str(database), "--strip", "s", option],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
        )
        try:
            process.wait(timeout=rng.uniform(0.0, 1.0))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        exited(carousel("check", "--database", database))
        new = [item.id for item in more]
        after = before + new if option == "--append" else new
        assert exported_ids(database) in (before, after), f"seed {seed}, kill {kill}"
