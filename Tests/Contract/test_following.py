"""A server shows what commands write to its database."""

import json
import subprocess

import pytest

from command import ROOT, binary, carousel, environment, import_lines, imported, outcome
from editing import token
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
    run = carousel("window", "--database", database, "--strip", "s")
    assert run.returncode == 0, outcome(run)
    return json.loads(run.stdout)["revision"]


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
    fields = {
        "Authorization": f"Bearer {token(database, 's')}",
        "Content-Type": "application/json",
    }
    for turn in range(3):
        edit = {"op": "insert", "before": None, "items": [{"id": f"h{turn}", "width": 10}]}
        reply = running.ask("POST", "/strips/s/edits", fields, json.dumps([edit]).encode())
        assert reply.status == 200, reply
        assert carousel("token", "list", "--database", database).returncode == 0
        assert newest(database) == reply.json()["revision"]
        added = Strip("s", (Item(f"c{turn}", width="10"),))
        assert import_lines(database, added, "--append").returncode == 0
        follows_to(lambda turn=turn: ids(running)[-2:] == [f"h{turn}", f"c{turn}"])
    exported = carousel("export", "--database", database, "--strip", "s").stdout.splitlines()
    assert [json.loads(line)["id"] for line in exported] == ids(running)


def test_a_window_at_a_retained_revision_does_not_change(running, database):
    pinned = {"strip": "s", "revision": str(running.revision("s"))}
    before = running.window(pinned)
    assert import_lines(database, SECOND, "--append").returncode == 0
    follows_to(lambda: len(ids(running)) == 3)
    after = running.window(pinned)
    assert (after.status, after.body) == (200, before.body)
    html = running.window(pinned, format="html")
    assert 'data-id="a"' in html.text and 'data-id="c"' not in html.text


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
    line = ["import", file, "--database", database, "--strip", "s", "--replace"]
    writing = subprocess.Popen(
        [binary(), *map(str, line)],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    counts = set()
    while writing.poll() is None:
        counts.add(running.window(strip="s").json()["count"])
    assert writing.returncode == 0
    follows_to(lambda: running.window(strip="s").json()["count"] == 20000)
    assert counts <= {2, 20000}


def test_no_revision_number_is_used_twice(running, database):
    """Each replacement of a strip has a new revision."""
    seen: dict[int, int] = {}
    for turn in range(5):
        strip = FIRST.with_items([Item("only", width=str(turn + 1))])
        assert import_lines(database, strip, "--replace").returncode == 0
        number = newest(database)
        assert number not in seen and number > max(seen, default=0)
        seen[number] = turn
