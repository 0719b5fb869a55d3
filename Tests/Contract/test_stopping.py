"""A server that is stopped answers what is under way, and another may take its place.

`STOPS` says how often it is stopped under load: a few times in `make test`, 50 in `make soak`.
"""

import os
import signal
import socket
import sqlite3
import time
from contextlib import closing

import pytest

from command import carousel, imported, told
from editing import Editor, numbered, token
from handover import Handover
from load import Clients
from model.strips import Strip
from server import Server
from stores import File
from test_events import listening

STOPS = int(os.environ.get("STOPS", "3"))
TARGETS = ["/window?strip=billion&width=4000&offset=5000", "/window?strip=albums", "/", "/livez"]


@pytest.mark.parametrize("round", range(STOPS))
def test_a_stop_under_load_cuts_no_answer_short(round):
    with Server("--threads", "2") as server:
        clients = Clients(server.port, TARGETS, count=8)
        with clients.asking() as tally, listening(server, "albums") as stream:
            with listening(server, "albums,elements") as other:
                clients.wait_for(100 + 37 * round)
                began = time.monotonic()
                assert server.stop() == 0
                assert time.monotonic() - began < 8
                for ended in (stream, other):
                    while part := ended.link.recv(65536):
                        ended.received += part
                    # The last chunk says that the stream is over, not lost.
                    assert ended.received.endswith(b"0\r\n\r\n")
        assert tally.failures == []
        assert set(tally.statuses) == {200}


def test_a_second_signal_ends_it_at_once():
    with Server() as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
            # A request that is under way holds the first stop up.
            link.sendall(b"POST /strips/s/edits HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n[")
            assert server.get("/livez").status == 200
            server.process.send_signal(signal.SIGTERM)
            await_refusal(server.port)
            server.process.send_signal(signal.SIGTERM)
            # Stopped to its end by the first one, it would end with 0.
            assert server.process.wait(timeout=10) == -signal.SIGTERM


def started(on_hangup) -> Server:
    """A server that has inherited what is to be done on SIGHUP."""
    before = signal.signal(signal.SIGHUP, on_hangup)
    try:
        return Server()
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("times", [1, 2])
def test_a_hangup_stops_it_in_order_and_another_hurries_nothing(times):
    with started(signal.SIG_DFL) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
            link.sendall(b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")
            assert server.get("/livez").status == 200
            for _ in range(times):
                server.process.send_signal(signal.SIGHUP)
                await_refusal(server.port)
            link.sendall(b"[")
            answered = b""
            while part := link.recv(65536):
                answered += part
            assert answered.startswith(b"HTTP/1.1 405 ")
        assert server.process.wait(timeout=15) == 0


def test_a_hangup_that_is_ignored_already_stays_so():
    with started(signal.SIG_IGN) as server:
        server.process.send_signal(signal.SIGHUP)
        with started(signal.SIG_DFL) as other:
            # When this one has ended, the first would listen no more either.
            other.process.send_signal(signal.SIGHUP)
            assert other.process.wait(timeout=15) == 0
        assert server.get("/readyz").status == 200
        assert server.stop() == 0


@pytest.fixture
def edited(tmp_path):
    """A server that has read and written a SQLite file, and the file."""
    database = imported(File(tmp_path), Strip("s", numbered(5000)))
    bearer = token(database, "s")
    with Server("--database", database) as server:
        editor = Editor(server, database, Strip("s", numbered(5000)), bearer)
        assert editor.window(offset="20000").status == 200
        editor.edited({"op": "insert", "before": None, "items": [{"id": f"n{n}"} for n in range(2000)]})
        yield server, database


def beside(database) -> dict[str, int]:
    """The sizes of the files that stand beside a database."""
    files = database.parent.glob("strips.db-*")
    return {file.name.removeprefix("strips.db"): file.stat().st_size for file in files}


def count(path) -> int:
    """How many items there are in a file, without what stands beside it."""
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
        return db.execute("SELECT count(*) FROM item").fetchone()[0]


def test_a_database_is_one_file_when_its_server_has_stopped(edited):
    server, database = edited
    assert beside(database)["-wal"] > 0
    assert server.stop() == 0
    assert beside(database) == {}
    assert count(database) == 7000


@pytest.mark.parametrize("is_reading", [False, True], ids=["idle", "reading"])
def test_another_process_that_has_it_open_holds_no_stop_up(edited, is_reading):
    """What is in the file then is what that process does not read of the log."""
    server, database = edited
    with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("BEGIN" if is_reading else "SELECT 1")
        assert other.execute("SELECT count(*) FROM item").fetchone() == (7000,)
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 8
        assert is_reading or beside(database)["-wal"] == 0
        assert count(database) == 7000
    assert beside(database) == {}
    run = carousel("check", "--database", database)
    assert run.returncode == 0, told(run)


def await_refusal(port: int) -> None:
    """Waits until nobody listens on a port."""
    deadline = time.monotonic() + 10
    try:
        while True:
            socket.create_connection(("127.0.0.1", port), timeout=10).close()
            assert time.monotonic() < deadline, "it still listens"
    except ConnectionError:
        pass


def test_readiness_ends_before_the_answers_do():
    with Server() as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
            # Its head has begun, so that the connection is kept until it is answered.
            link.sendall(b"GET /readyz HTTP/1.1\r\nHo")
            assert server.get("/livez").status == 200
            server.process.send_signal(signal.SIGTERM)
            await_refusal(server.port)
            link.sendall(b"st: x\r\n\r\n")
            answered = b""
            while part := link.recv(65536):
                answered += part
            assert answered.startswith(b"HTTP/1.1 503 ")
            assert b"connection: close" in answered.lower()
            assert b"retry-after" in answered.lower()
        assert server.process.wait(timeout=15) == 0


def test_a_restart_by_socket_activation_loses_no_connection():
    with Handover() as handover:
        clients = Clients(handover.port, TARGETS, count=8, always=True)
        # They come before the first server does, and while none is there.
        with clients.asking() as tally:
            for _ in range(STOPS):
                with handover.server("--threads", "2"):
                    clients.wait_for(100)
            with handover.server():
                clients.end()
        assert tally.failures == []
        assert set(tally.statuses) == {200}
