"""A server whose way to the database is cut says so, and goes on once it is mended."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from crowd import STRIPS, Link, window
from editing import Editor
from front import proxied
from proxies import free_port
from waiting import come_to
from wire import Wire

LEFT, RIGHT = STRIPS
#: What a server waits for a revision that it has not reached, and what a busy machine adds.
WAITED = 1.0
BUSY = 4.0
#: After which a server gives up a connection on which nothing comes, and one that is not made.
SILENT, UNMADE = 8.0, 3.0
#: What a server sends when the items of a change are in their table, and the answer to COMMIT.
WRITTEN = b"INSERT INTO past_strip"
COMMITTED = b"COMMIT\x00Z"


def inserted(id: str, count: int = 1) -> dict:
    items = [{"id": f"{id}-{part}", "width": 10} for part in range(count)]
    return {"op": "insert", "after": "i7", "items": items}


@pytest.fixture
def wire(database, tmp_path):
    folder = tmp_path / "wire"
    folder.mkdir()
    with Wire(str(database), folder) as wire:
        yield wire


@pytest.fixture
def cut_off(wire, serving, bearers, database):
    """An editor on a server whose way leads over the wire."""
    return Editor(serving(wire.address), database, LEFT, bearers["left"])


@pytest.fixture
def whole(serving, bearers, database):
    """An editor on a server beside it."""
    return Editor(serving(database), database, LEFT, bearers["left"])


def test_a_revision_that_was_not_reached_is_waited_for_a_second(wire, cut_off, whole):
    known = cut_off.window()
    wire.cut()
    made = whole.edited(inserted("new"))
    began = time.monotonic()
    reply = cut_off.window(revision=str(made))
    waited = time.monotonic() - began
    reply.refused(503)
    assert int(reply.fields["retry-after"]) >= 1
    assert WAITED <= waited < WAITED + BUSY
    # What it has, it goes on to answer.
    assert cut_off.window().body == known.body


def test_a_revision_that_is_reached_meanwhile_is_answered(wire, cut_off, whole):
    cut_off.window()
    wire.cut()
    made = str(whole.edited(inserted("new")))
    replies = []
    asking = threading.Thread(target=lambda: replies.append(cut_off.window(revision=made)))
    asking.start()
    wire.mend()
    asking.join()
    assert replies[0].status == 200, f"{replies[0]}"
    assert replies[0].body == whole.window(revision=made).body


def test_a_server_that_was_cut_off_catches_up(wire, cut_off, whole):
    """Nobody asks it for a revision: it looks by itself, as soon as there is a way."""
    cut_off.window()
    wire.cut()
    for turn in range(5):
        made = whole.edited(inserted(f"n{turn}"))
    wire.mend()
    come_to(lambda: cut_off.revision == made, "it did not catch up")
    assert cut_off.window().body == whole.window().body


def test_a_server_that_is_cut_off_goes_on_to_publish_what_it_has(wire, serving):
    server = serving(wire.address, {"CAROUSEL_PUBLISH_EVERY": "100ms"})
    target = window(LEFT.name, width=300)
    known = server.get(target)
    wire.cut()
    intervals = set()
    while len(intervals) < 4:
        reply = server.get(target)
        assert (reply.status, reply.body) == (200, known.body)
        intervals.add(int(time.time() * 10))


def test_a_proxy_goes_on_to_ask_servers_that_have_no_database(wire, serving, tmp_path):
    """None is ready then, and each answers what it has in memory."""
    servers, port = [serving(wire.address) for _ in range(2)], free_port()
    target = window(LEFT.name, width=300)
    (known,) = {server.get(target).body for server in servers}
    with proxied(tmp_path, port, servers):
        wire.cut()
        said = tmp_path / "said.log"
        alone = "backend servers has no server available"
        come_to(lambda: alone in said.read_text(), "the proxy still has a server")
        link = Link(port)
        assert link.ask("GET", target) == (200, known)
        status, _ = link.ask("GET", window(LEFT.name, width=300, revision=2))
        assert status == 503


def test_a_strip_that_was_not_loaded_is_refused_while_nobody_answers(wire, cut_off):
    """The connections are whole, and no byte comes: PostgreSQL is stopped, or the network is."""
    known = cut_off.window()
    server, target = cut_off.server, window(RIGHT.name, width=300)

    def refused(targets: list[str], within: float) -> None:
        began = time.monotonic()
        with ThreadPoolExecutor(len(targets)) as asking:
            for reply in asking.map(server.get, targets):
                reply.refused(503)
                assert int(reply.fields["retry-after"]) >= 1
        assert time.monotonic() - began < within + BUSY

    wire.freeze()
    # The others wait for the first, and for no more than it.
    refused([target, target, target, f"/strips/{RIGHT.name}"], SILENT)
    refused([target], UNMADE)
    assert cut_off.window().body == known.body
    wire.thaw()
    come_to(lambda: server.get(target).status == 200, "it did not recover")


def test_a_connection_cut_before_the_commit_leaves_the_old_state(wire, cut_off, whole):
    before = whole.window().body
    # The items are written by then.
    wire.cut_at(WRITTEN)
    cut_off.edit(inserted("new", 3)).refused(503)
    assert wire.sprung.is_set()
    assert whole.window().body == before
    made = cut_off.edited(inserted("new", 3))
    assert whole.window(revision=str(made)).json()["count"] == len(LEFT.items) + 3


def test_a_change_whose_answer_was_lost_is_made_once(wire, cut_off, whole):
    """The database has committed, and the server does not hear of it: the key says what became."""
    before = whole.revision
    once = {"Idempotency-Key": "a-key-of-its-own"}
    wire.cut_at(WRITTEN, COMMITTED)
    replies = [cut_off.edit(inserted("new"), fields=once) for _ in range(2)]
    assert wire.sprung.is_set()
    assert replies[0].status == 503, f"{replies[0]}"
    assert replies[1].json()["revision"] == before + 1
    whole.window(revision=str(before + 2)).refused(404)
    assert whole.window(revision=str(before + 1)).json()["count"] == len(LEFT.items) + 1


def test_a_writer_whose_connection_is_ended_while_it_waits_changes_nothing(database, whole):
    """Another holds the strip, and the database's operator ends the one that waits for it."""
    before = whole.window().body
    with database.written_elsewhere():
        replies = []
        edit = threading.Thread(target=lambda: replies.append(whole.edit(inserted("late"))))
        edit.start()
        ended = (
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        come_to(lambda: database.sql(str(database), ended) != "0", "nobody waits")
        edit.join()
    replies[0].refused(503)
    assert whole.window().body == before
    assert json.loads(whole.edit(inserted("late")).body)["revision"] == whole.revision
