"""A server that loses its database answers 503 if it needs the database, and recovers."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from database_proxy import DatabaseProxy
from editing import Editor
from proxies import accepts, free_port, shipped_haproxy
from waiting import wait_until
from workload import STRIPS, Link, window

LEFT, RIGHT = STRIPS
#: Seconds for which a server waits for a revision that it does not have yet.
WAIT_SECONDS = 1.0
#: A statement that a server sends after it has written the items, and the response to COMMIT.
WRITTEN = b"INSERT INTO revision"
COMMITTED = b"COMMIT\x00Z"


def inserted(id: str, count: int = 1) -> dict:
    items = [{"id": f"{id}-{part}", "width": 10} for part in range(count)]
    return {"op": "insert", "after": "i7", "items": items}


@pytest.fixture
def proxy(database, tmp_path):
    """A proxy to the database."""
    folder = tmp_path / "proxy"
    folder.mkdir()
    with DatabaseProxy(str(database), folder) as proxy:
        yield proxy


@pytest.fixture
def disconnected(proxy, serving, bearers, database):
    """An editor on a server behind the proxy."""
    return Editor(serving(proxy.address), database, LEFT, bearers["left"])


@pytest.fixture
def connected(serving, bearers, database):
    """An editor on a server with a direct connection."""
    return Editor(serving(database), database, LEFT, bearers["left"])


def test_a_server_waits_a_second_for_a_revision_that_it_does_not_have(proxy, disconnected, connected):
    known = disconnected.window()
    proxy.disconnect()
    made = connected.edited(inserted("new"))
    began = time.monotonic()
    reply = disconnected.window(revision=str(made))
    waited = time.monotonic() - began
    reply.rejected(503)
    assert int(reply.fields["retry-after"]) >= 1
    assert waited >= WAIT_SECONDS
    # The server still answers from memory.
    assert disconnected.window().body == known.body


def test_a_server_answers_a_revision_that_arrives_while_it_waits(proxy, disconnected, connected):
    disconnected.window()
    proxy.disconnect()
    made = str(connected.edited(inserted("new")))
    with ThreadPoolExecutor() as asking:
        waiting = asking.submit(disconnected.window, revision=made)
        proxy.connect()
        assert waiting.result().status in (200, 503)
    reply = disconnected.server.follow({"strip": LEFT.name, "revision": made})
    assert reply.body == connected.window(revision=made).body


def test_a_server_that_was_disconnected_catches_up(proxy, disconnected, connected):
    """The server reads the newest revision without a request for it."""
    disconnected.window()
    proxy.disconnect()
    for turn in range(5):
        made = connected.edited(inserted(f"n{turn}"))
    proxy.connect()
    wait_until(lambda: disconnected.revision == made, "the server did not catch up")
    assert disconnected.window().body == connected.window().body


def test_an_acknowledged_revision_is_never_unknown_while_connections_are_lost(proxy, disconnected, connected):
    """The server reads the revision, waits for it, or cannot say. It never says that the revision does not exist."""
    disconnected.window()
    statuses = set()
    for turn in range(12):
        proxy.disconnect()
        made = connected.edited(inserted(f"n{turn}"))
        with ThreadPoolExecutor(4) as asking:
            windows = [asking.submit(disconnected.window, revision=str(made), width=str(200 + n)) for n in range(4)]
            proxy.connect()
            proxy.close_links()
            statuses |= {reply.result().status for reply in windows}
        wait_until(lambda: disconnected.window(revision=str(made)).status == 200, "the server did not recover")
    assert statuses <= {200, 503}


def test_a_starting_server_answers_an_acknowledged_revision(proxy, serving, connected):
    """It waits, or cannot say, until it has read the strip."""
    made = connected.edited(inserted("new"))
    statuses, port = set(), free_port()
    proxy.disconnect()
    with ThreadPoolExecutor() as threads:
        starting = threads.submit(serving, proxy.address, port=str(port))
        wait_until(lambda: accepts(port) or starting.done(), "the server does not listen")
        target = window(LEFT.name, width=300, revision=made)

        def is_loaded() -> bool:
            statuses.add(Link(port).ask("GET", target)[0])
            return 200 in statuses

        assert not is_loaded()
        proxy.connect()
        starting.result()
        wait_until(is_loaded, "the strip is not loaded")
    assert statuses == {503, 200}


def test_haproxy_still_uses_servers_without_a_database(proxy, serving, tmp_path):
    """No server is ready, but each server answers from memory."""
    servers, port = [serving(proxy.address) for _ in range(2)], free_port()
    target = window(LEFT.name, width=300)
    (known,) = {server.get(target).body for server in servers}
    with shipped_haproxy(tmp_path, port, servers):
        proxy.disconnect()
        log = tmp_path / "output.log"
        alone = "backend servers has no server available"
        wait_until(lambda: alone in log.read_text(), "the proxy still has a server")
        link = Link(port)
        assert link.ask("GET", target) == (200, known)
        status, _ = link.ask("GET", window(LEFT.name, width=300, revision=2))
        assert status == 503


def test_a_strip_that_is_not_in_memory_is_503_while_the_database_is_stopped(proxy, disconnected):
    """Connections are open but no byte arrives, as if PostgreSQL or the network were stopped."""
    known = disconnected.window()
    server, target = disconnected.server, window(RIGHT.name, width=300)

    def rejected(*targets: str) -> None:
        with ThreadPoolExecutor(len(targets)) as asking:
            for reply in asking.map(server.get, targets):
                reply.rejected(503)
                assert int(reply.fields["retry-after"]) >= 1

    proxy.pause()
    # Requests wait at the same time: 8 seconds each in turn would exceed the client's timeout.
    rejected(target, target, target, f"/strips/{RIGHT.name}")
    rejected(target)
    assert disconnected.window().body == known.body
    proxy.resume()
    wait_until(lambda: server.get(target).status == 200, "the server did not recover")


def test_a_connection_lost_before_the_commit_changes_nothing(proxy, disconnected, connected):
    before = connected.window().body
    # The server has written the items by then.
    proxy.disconnect_at(WRITTEN)
    disconnected.edit(inserted("new", 3)).rejected(503)
    assert proxy.triggered.is_set()
    assert connected.window().body == before
    made = disconnected.edited(inserted("new", 3))
    window = connected.server.follow({"strip": LEFT.name, "revision": str(made)})
    assert window.json()["count"] == len(LEFT.items) + 3


def test_an_edit_whose_commit_response_was_lost_is_made_once(proxy, disconnected, connected):
    """PostgreSQL has committed, but the server gets no response. The key prevents a second edit."""
    before = connected.revision
    once = {"Idempotency-Key": "a-key-of-its-own"}
    proxy.disconnect_at(WRITTEN, COMMITTED)
    replies = [disconnected.edit(inserted("new"), fields=once) for _ in range(2)]
    assert proxy.triggered.is_set()
    assert "may have been made" in replies[0].rejected(503)["detail"]
    assert replies[1].json()["revision"] == before + 1
    window = connected.server.follow({"strip": LEFT.name, "revision": str(before + 1)})
    assert window.json()["count"] == len(LEFT.items) + 1
    connected.window(revision=str(before + 2)).rejected(404)


def test_an_edit_whose_connection_is_ended_while_it_waits_changes_nothing(database, connected):
    """Another process holds the lock, and an operator ends the connection that waits for it."""
    before = connected.window().body
    with ThreadPoolExecutor() as asking, database.locked_by_writer():
        edit = asking.submit(connected.edit, inserted("late"))
        ended = (
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        wait_until(lambda: database.sql(str(database), ended) != "0", "no edit waits for the lock")
        edit.result().rejected(503)
    assert connected.window().body == before
    assert json.loads(connected.edit(inserted("late")).body)["revision"] == connected.revision
