"""A server shows what commands write to its database."""

import subprocess

import pytest

from command import ROOT, binary, carousel, environment, exported_ids, import_lines, imported, shown
from editing import Editor, token
from model.strips import Item, Strip
from waiting import wait_until

FIRST = Strip("s", (Item("a", width="10"), Item("b", width="20")), gap="5")
SECOND = Strip("s", (Item("c", width="30"),), gap="5")


@pytest.fixture
def running(database, serving):
    return serving("--database", imported(database, FIRST))


def follows_to(ask) -> None:
    wait_until(ask, "the server did not follow")


def ids(server) -> list[str]:
    return [item["id"] for item in server.window(strip="s").json()["items"]]


def newest(database) -> int:
    """The newest revision in the database."""
    return shown(database)["revision"]


@pytest.mark.parametrize("option, after", [("--append", ["a", "b", "c"]), ("--replace", ["c"])])
def test_a_server_follows_an_import(running, database, option, after):
    assert ids(running) == ["a", "b"]
    assert import_lines(database, SECOND, option).returncode == 0
    follows_to(lambda: ids(running) == after)
    assert running.revision("s") == newest(database)


def test_a_server_follows_a_new_strip(running, database):
    running.window(strip="t").rejected(404, "strip")
    imported(database, Strip("t", (Item("x", width="10"),)))
    follows_to(lambda: running.window(strip="t").status == 200)


def test_a_server_waits_for_a_revision_that_the_database_has(running, database):
    """ "A server that is itself behind its store waits up to a second, then `503`". Never 404."""
    for turn in range(4):
        more = Strip("s", (Item(f"n{turn}", width="10"),))
        assert import_lines(database, more, "--append").returncode == 0
        asked = {"strip": "s", "revision": str(newest(database))}
        assert running.follow(asked).json()["items"][-1]["id"] == f"n{turn}"


def test_a_server_and_commands_that_write_in_turns_lose_no_edit(running, database):
    """A server that has written keeps the file open: no command may delete its log."""
    editor = Editor(running, database, FIRST, token(database, "s"))
    for turn in range(3):
        made = editor.edited({"op": "insert", "before": None, "items": [{"id": f"h{turn}", "width": 10}]})
        assert carousel("token", "list", "--database", database).returncode == 0
        assert newest(database) == made
        added = Strip("s", (Item(f"c{turn}", width="10"),))
        assert import_lines(database, added, "--append").returncode == 0
        follows_to(lambda turn=turn: ids(running)[-2:] == [f"h{turn}", f"c{turn}"])
    assert exported_ids(database) == ids(running)


def test_the_etag_of_the_previous_revision_does_not_match(running, database):
    tag = running.get("/window").fields["etag"]
    assert running.get("/window", {"If-None-Match": tag}).status == 304
    assert import_lines(database, SECOND, "--replace").returncode == 0
    follows_to(lambda: running.get("/window", {"If-None-Match": tag}).status == 200)


def test_a_server_keeps_serving_while_an_import_runs(running, database):
    """Each window is from the old strip or from the new one, never from both."""
    many = FIRST.with_items(Item(f"i{n}", width="10") for n in range(20000))
    file = database.parent / "many.jsonl"
    file.write_text(many.lines())
    line = ["import", str(file), "--database", str(database), "--strip", "s", "--replace"]
    writing = subprocess.Popen([binary(), *line], cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL)
    counts = set()
    while writing.poll() is None:
        counts.add(running.window(strip="s").json()["count"])
    assert writing.returncode == 0
    follows_to(lambda: running.window(strip="s").json()["count"] == 20000)
    assert counts <= {2, 20000}
