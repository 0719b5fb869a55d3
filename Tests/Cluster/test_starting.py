"""A server that starts before its database waits for it; other commands fail."""

import http.client
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from command import ROOT, binary, carousel, environment, outcome
from database_proxy import DatabaseProxy
from proxies import accepts, free_port
from waiting import TIMEOUT_SECONDS, wait_until
from workload import STRIPS, window


@pytest.fixture
def proxy(database, tmp_path):
    """A disconnected proxy to the database."""
    folder = tmp_path / "proxy"
    folder.mkdir()
    with DatabaseProxy(str(database), folder) as proxy:
        proxy.disconnect()
        yield proxy


@pytest.fixture
def port():
    return free_port()


def response(port: int, target: str) -> http.client.HTTPResponse:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    link.request("GET", target)
    return link.getresponse()


def test_a_server_waits_for_its_database(proxy, port, serving, database):
    target = window(STRIPS[0].name, width=300)
    with ThreadPoolExecutor() as threads:
        # serving() returns once the server prints that it serves.
        starting = threads.submit(serving, proxy.address, port=str(port))
        wait_until(lambda: accepts(port), "the server does not listen")
        assert response(port, "/livez").status == 200
        for unavailable in ("/readyz", target):
            reply = response(port, unavailable)
            assert reply.status == 503 and reply.headers["Retry-After"], unavailable
            assert proxy.NAME.encode() not in reply.read()
        proxy.connect()
        server = starting.result()
    assert server.get("/readyz").status == 200
    assert server.get(target).body == serving(database).get(target).body


def test_a_waiting_server_says_so_and_can_be_stopped(proxy, port):
    line = [binary(), "serve", "--database", proxy.address, "--port", str(port)]
    with subprocess.Popen(line, cwd=ROOT, env=environment(), stderr=subprocess.PIPE) as server:
        line = server.stderr.readline().decode()
        assert f"http://127.0.0.1:{port}/" in line
        assert "postgresql://" in line and proxy.NAME in line
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=TIMEOUT_SECONDS) == 0


@pytest.mark.parametrize("command", ["strips", "check"])
def test_a_command_does_not_wait(proxy, command):
    run = carousel(command, "--database", proxy.address)
    assert run.returncode == 69 and proxy.NAME.encode() in run.stderr, outcome(run)


@pytest.mark.parametrize("name", ["none", "postgres"], ids=["does not exist", "has no catalogue"])
def test_a_server_does_not_wait_for_a_database_that(database, name):
    address = database.server.replace("/postgres?", f"/{name}?")
    run = carousel("serve", "--database", address, "--port", "0")
    assert run.returncode == 69 and f"/{name}".encode() in run.stderr, outcome(run)
