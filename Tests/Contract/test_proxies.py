"""Whatever is sent through a proxy, it and the server count the same requests.

The requests are those of `Tests/Requests/raw-requests.json`, ambiguous ones among them: where a proxy
and the server read one differently, a request could be smuggled past the proxy.
"""

import json
import socket
import subprocess
import threading
import time

import pytest

from command import ROOT, binary, environment
from proxies import free_port, haproxy, nginx
from waiting import GIVEN_UP_SECONDS

SECTIONS = json.loads((ROOT / "Tests/Requests/raw-requests.json").read_text())
CASES = [case for section in SECTIONS for case in section["cases"]]
NEXT = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

NGINX = """
log_format forwarded '$upstream_status $request';
server {{
  listen 127.0.0.1:{port};
  client_header_timeout 1s; client_body_timeout 1s; keepalive_timeout 1s; lingering_timeout 1s;
  access_log {log} forwarded;
  location / {{ proxy_pass http://127.0.0.1:{back}; proxy_http_version 1.1;
    proxy_set_header Connection ""; }}
}}
upstream unused {{ server 127.0.0.1:{back}; keepalive 4; }}
"""
HAPROXY = """
global
  log stdout format raw local0
defaults
  mode http
  timeout connect 5s
  timeout client 1s
  timeout http-request 1s
  timeout server 5s
  log global
  log-format "%[var(txn.sent)] %ST %{{+Q}}r"
  http-reuse always
frontend in
  bind 127.0.0.1:{port}
  default_backend out
backend out
  http-request set-var(txn.sent) int(1)
  server one 127.0.0.1:{back}
"""


class Back:
    """A server, and the targets of the requests that have reached it."""

    def __init__(self):
        self.process = subprocess.Popen(
            [binary(), "serve", "--port", "0", "--access-log"],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=environment(),
        )
        first = self.process.stdout.readline().decode()
        self.port = int(first.rstrip("/\n").rsplit(":", 1)[1])
        self.lines: list[dict] = []
        self.more = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout:
            with self.more:
                self.lines.append(json.loads(line))
                self.more.notify_all()

    def until(self, target: str) -> list[dict]:
        """The lines before that of `target`, which are then forgotten."""

        def found():
            return next((n for n, line in enumerate(self.lines) if line.get("target") == target), None)

        with self.more:
            assert self.more.wait_for(lambda: found() is not None, GIVEN_UP_SECONDS), target
            end = found()
            lines, self.lines = self.lines[:end], self.lines[end + 1 :]
            return lines


class Front:
    """A proxy, and how many requests it has handed on."""

    def __init__(self, port: int, log, forwarded):
        self.port, self.log, self.forwarded = port, log, forwarded
        self.seen = 0

    def ask(self, request: bytes) -> bytes:
        """Sends bytes on a connection of their own; what comes until it is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as link:
            link.sendall(request)
            received = b""
            try:
                while part := link.recv(65536):
                    received += part
            except ConnectionResetError:
                pass
            return received

    def until(self, target: str) -> int:
        """How many requests it handed on before that of `target`."""
        deadline = time.monotonic() + GIVEN_UP_SECONDS
        while True:
            lines = self.log.read_text(errors="replace").splitlines()[self.seen :]
            end = next((n for n, line in enumerate(lines) if f" {target} " in line), None)
            if end is not None:
                self.seen += end + 1
                return sum(map(self.forwarded, lines[:end]))
            assert time.monotonic() < deadline, f"{target} is not in the proxy's log"


@pytest.fixture(scope="module")
def back():
    back = Back()
    yield back
    back.process.terminate()
    assert back.process.wait(timeout=15) == 0


@pytest.fixture(scope="module", params=["nginx", "haproxy"])
def front(request, back, tmp_path_factory):
    folder, port = tmp_path_factory.mktemp(request.param), free_port()
    log = folder / ("forwarded.log" if request.param == "nginx" else "said.log")
    if request.param == "nginx":
        running = nginx(folder, port, NGINX.format(port=port, back=back.port, log=log))
    else:
        running = haproxy(folder, port, HAPROXY.format(port=port, back=back.port))
    with running:
        # A proxy logs "-" where it answered by itself.
        yield Front(port, log, lambda line: not line.startswith("-") and " " in line)


def test_each_request_is_one_to_the_proxy_and_to_the_server(front, back):
    differing = []
    for number, case in enumerate(CASES):
        answered = front.ask((case["request"] + NEXT).encode())
        end = f"/livez?end={front.port}-{number}"
        front.ask(f"GET {end} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        # A version that there is none of is refused by libmicrohttpd itself, and logged some time later.
        handed_on = front.until(end)
        reached = [line for line in back.until(end) if line.get("status") != 505]
        uncounted = handed_on - len(reached) if answered.startswith(b"HTTP/1.1 505") else 0
        if handed_on != len(reached) + uncounted or uncounted > 1 or not answered:
            differing.append((case["request"], handed_on, reached, answered[:200]))
    assert differing == []
