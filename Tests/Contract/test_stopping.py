"""A server that stops answers the current requests, and another server can take over its socket.

`STOPS` is the number of stops under load: 3 in `make test`, 50 in `make soak`.
"""

import os
import signal
import sqlite3
from contextlib import closing

import pytest

from command import carousel, exited, imported
from editing import Editor, numbered, token
from load import Clients
from model.strips import Strip
from proxies import accepts
from server import Server, received
from socket_activation import SocketActivation
from stores import File
from test_events import listening
from waiting import TIMEOUT_SECONDS, wait_until

STOPS = int(os.environ.get("STOPS", "3"))
TARGETS = ["/window?strip=billion&width=4000&offset=5000", "/window?strip=albums", "/", "/livez"]


@pytest.mark.parametrize("round", range(STOPS))
def test_a_stop_under_load_truncates_no_answer(round):
    with Server("--threads", "2") as server:
        clients = Clients(server.port, TARGETS, count=8)
        with clients.asking() as tally, listening(server, "albums") as stream:
            with listening(server, "albums,elements") as other:
                clients.wait_for(100 + 37 * round)
                assert server.stop() == 0
                for ended in (stream, other):
                    # The last chunk ends the stream correctly.
                    assert (ended.received + received(ended.link)).endswith(b"0\r\n\r\n")
        assert tally.failures == []
        assert set(tally.statuses) == {200}


def test_a_second_sigterm_ends_it_at_once():
    with Server() as server:
        with server.connect() as link:
            # An incomplete request delays the stop.
            link.sendall(b"POST /strips/s/edits HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n[")
            assert server.get("/livez").status == 200
            server.process.send_signal(signal.SIGTERM)
            await_refusal(server.port)
            server.process.send_signal(signal.SIGTERM)
            # After the first signal alone, it would end with 0.
            assert server.process.wait(timeout=TIMEOUT_SECONDS) == -signal.SIGTERM


def started(on_hangup) -> Server:
    """A server that inherits a disposition of SIGHUP."""
    before = signal.signal(signal.SIGHUP, on_hangup)
    try:
        return Server()
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("times", [1, 2])
def test_sighup_stops_in_order_and_a_second_one_changes_nothing(times):
    with started(signal.SIG_DFL) as server:
        with server.connect() as link:
            link.sendall(b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")
            assert server.get("/livez").status == 200
            for _ in range(times):
                server.process.send_signal(signal.SIGHUP)
                await_refusal(server.port)
            link.sendall(b"[")
            answered = received(link)
            assert answered.startswith(b"HTTP/1.1 405 ")
        assert server.process.wait(timeout=TIMEOUT_SECONDS) == 0


def test_an_ignored_sighup_stays_ignored():
    with started(signal.SIG_IGN) as server:
        server.process.send_signal(signal.SIGHUP)
        with started(signal.SIG_DFL) as other:
            # By the time it has ended, the first server would have stopped too.
            other.process.send_signal(signal.SIGHUP)
            assert other.process.wait(timeout=TIMEOUT_SECONDS) == 0
        assert server.get("/readyz").status == 200
        assert server.stop() == 0


@pytest.fixture
def edited(tmp_path):
    """A server that has read and written a SQLite file, and the database."""
    database = imported(File(tmp_path), Strip("s", numbered(5000)))
    bearer = token(database, "s")
    with Server("--database", database) as server:
        editor = Editor(server, database, Strip("s", numbered(5000)), bearer)
        assert editor.window(offset="20000").status == 200
        editor.edited({"op": "insert", "before": None, "items": [{"id": f"n{n}"} for n in range(2000)]})
        yield server, database


def beside(database) -> dict[str, int]:
    """The sizes of the -wal and -shm files of a database."""
    files = database.parent.glob("strips.db-*")
    return {file.name.removeprefix("strips.db"): file.stat().st_size for file in files}


def count(path) -> int:
    """The number of items in the file itself, without the -wal file."""
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
        return db.execute("SELECT count(*) FROM item").fetchone()[0]


def test_a_database_is_one_file_when_its_server_has_stopped(edited):
    server, database = edited
    assert beside(database)["-wal"] > 0
    assert server.stop() == 0
    assert beside(database) == {}
    assert count(database) == 7000


@pytest.mark.parametrize("is_reading", [False, True], ids=["idle", "reading"])
def test_another_process_with_the_database_open_does_not_block_the_stop(edited, is_reading):
    """The stop checkpoints the log as far as the other process allows. What is left stays in the log: the file alone
    is not whole then, if the server has written after the read began.
    """
    server, database = edited
    with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("BEGIN" if is_reading else "SELECT 1")
        assert other.execute("SELECT count(*) FROM item").fetchone() == (7000,)
        assert server.stop() == 0
        assert is_reading or beside(database)["-wal"] == 0
    assert beside(database) == {}
    assert count(database) == 7000
    exited(carousel("check", "--database", database))


def await_refusal(port: int) -> None:
    """Waits until no process listens on a port."""
    wait_until(lambda: not accepts(port), "the server still listens")


def test_readyz_is_503_during_a_stop():
    with Server() as server:
        with server.connect() as link:
            # The server waits for the rest of a head that has begun.
            link.sendall(b"GET /readyz HTTP/1.1\r\nHo")
            assert server.get("/livez").status == 200
            server.process.send_signal(signal.SIGTERM)
            await_refusal(server.port)
            link.sendall(b"st: x\r\n\r\n")
            answered = received(link)
            assert answered.startswith(b"HTTP/1.1 503 ")
            assert b"connection: close" in answered.lower()
            assert b"retry-after" in answered.lower()
        assert server.process.wait(timeout=TIMEOUT_SECONDS) == 0


def test_a_restart_by_socket_activation_loses_no_connection():
    with SocketActivation() as socket_activation:
        clients = Clients(socket_activation.port, TARGETS, count=8, always=True)
        # Clients connect before the first server starts, and between two servers.
        with clients.asking() as tally:
            for _ in range(STOPS):
                with socket_activation.server("--threads", "2"):
                    clients.wait_for(100)
            with socket_activation.server():
                clients.end()
        assert tally.failures == []
        assert set(tally.statuses) == {200}


def test_a_server_deletes_at_its_start_what_the_last_one_left(tmp_path):
    database = imported(File(tmp_path), Strip("s", numbered(3)))
    database.execute("INSERT INTO idempotency_key VALUES ('s', x'01', x'01', 1, 0)")

    def keys() -> int:
        with closing(sqlite3.connect(database.path)) as db:
            return db.execute("SELECT count(*) FROM idempotency_key").fetchone()[0]

    assert keys() == 1
    with Server("--database", database):
        wait_until(lambda: keys() == 0, "the expired key is still there")
