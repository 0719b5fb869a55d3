"""A server that starts before its database waits, and says so; other commands say that it is away."""

import http.client
import signal
import subprocess
import threading
import time

import pytest

from command import ROOT, binary, carousel, environment, told
from crowd import STRIPS, window
from proxies import answers, free_port
from wire import Wire

STARTED_SECONDS = 30


@pytest.fixture
def wire(database, tmp_path):
    """The way to the database, cut."""
    folder = tmp_path / "wire"
    folder.mkdir()
    with Wire(str(database), folder) as wire:
        wire.cut()
        yield wire


@pytest.fixture
def port():
    return free_port()


def listening(port: int) -> None:
    """Waits until somebody takes connections."""
    deadline = time.monotonic() + STARTED_SECONDS
    while not answers(port):
        assert time.monotonic() < deadline, "nobody listens"


def told_by(port: int, target: str) -> http.client.HTTPResponse:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
    link.request("GET", target)
    return link.getresponse()


def test_a_server_waits_for_its_database(wire, port, serving, database):
    started = []
    start = threading.Thread(
        target=lambda: started.append(serving(wire.address, port=str(port))), daemon=True
    )
    start.start()
    listening(port)
    target = window(STRIPS[0].name, width=300)
    assert told_by(port, "/livez").status == 200
    for refused in ("/readyz", target):
        reply = told_by(port, refused)
        assert reply.status == 503 and reply.headers["Retry-After"], refused
        assert wire.NAME.encode() not in reply.read()
    wire.mend()
    start.join(STARTED_SECONDS)
    assert started, "it does not find the database"
    (server,) = started
    assert server.get("/readyz").status == 200
    assert server.get(target).body == serving(database).get(target).body


def test_a_server_that_waits_says_so_and_can_be_stopped(wire, port):
    line = [binary(), "serve", "--database", wire.address, "--port", str(port)]
    with subprocess.Popen(line, cwd=ROOT, env=environment(), stderr=subprocess.PIPE) as server:
        said = server.stderr.readline().decode()
        assert f"http://127.0.0.1:{port}/" in said
        assert "postgresql://" in said and wire.NAME in said
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=15) == 0


@pytest.mark.parametrize("command", ["strips", "check"])
def test_a_command_does_not_wait(wire, command):
    run = carousel(command, "--database", wire.address)
    assert run.returncode == 69 and wire.NAME.encode() in run.stderr, told(run)


@pytest.mark.parametrize("name", ["none", "postgres"], ids=["does not exist", "has no catalogue"])
def test_a_server_does_not_wait_for_a_database_that(database, name):
    address = database.server.replace("/postgres?", f"/{name}?")
    run = carousel("serve", "--database", address, "--port", "0")
    assert run.returncode == 69 and f"/{name}".encode() in run.stderr, told(run)
