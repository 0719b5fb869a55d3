"""A proxy and the server count the same requests, so no request can be smuggled past the proxy.

The requests of `Tests/Requests/raw-requests.json` are sent, many of them ambiguous.
"""

import json
import subprocess
import threading

import pytest

from command import ROOT
from proxies import free_port, haproxy, nginx
from server import Server, exchange
from waiting import TIMEOUT_SECONDS, wait_until

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


class Back(Server):
    """A server and its access log."""

    def __init__(self):
        super().__init__("--access-log", stdout=subprocess.PIPE)
        self.lines: list[dict] = []
        self.more = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout:
            with self.more:
                self.lines.append(json.loads(line))
                self.more.notify_all()

    def until(self, target: str) -> list[dict]:
        """Removes and returns the lines before the line of `target`."""

        def found():
            return next((n for n, line in enumerate(self.lines) if line.get("target") == target), None)

        with self.more:
            assert self.more.wait_for(lambda: found() is not None, TIMEOUT_SECONDS), target
            end = found()
            lines, self.lines = self.lines[:end], self.lines[end + 1 :]
            return lines


class Front:
    """A proxy and its log. `forwarded` says for a line whether the request reached the server."""

    def __init__(self, port: int, log, forwarded):
        self.port, self.log, self.forwarded = port, log, forwarded
        self.seen = 0

    def ask(self, request: bytes) -> bytes:
        return exchange(self.port, request)

    def until(self, target: str) -> int:
        """The number of requests that the proxy forwarded before the request of `target`."""

        def logged() -> list[str]:
            return self.log.read_text(errors="replace").splitlines()[self.seen :]

        wait_until(lambda: any(f" {target} " in line for line in logged()), f"{target} is not logged")
        lines = logged()
        end = next(n for n, line in enumerate(lines) if f" {target} " in line)
        self.seen += end + 1
        return sum(map(self.forwarded, lines[:end]))


@pytest.fixture(scope="module")
def back():
    with Back() as back:
        yield back
        assert back.stop() == 0


@pytest.fixture(scope="module", params=["nginx", "haproxy"])
def front(request, back, tmp_path_factory):
    folder, port = tmp_path_factory.mktemp(request.param), free_port()
    log = folder / ("forwarded.log" if request.param == "nginx" else "output.log")
    if request.param == "nginx":
        running = nginx(folder, port, NGINX.format(port=port, back=back.port, log=log))
    else:
        running = haproxy(folder, port, HAPROXY.format(port=port, back=back.port))
    with running:
        # A proxy logs "-" if it answered the request itself.
        yield Front(port, log, lambda line: not line.startswith("-") and " " in line)


def test_the_proxy_and_the_server_count_the_same_requests(front, back):
    differing = []
    for number, case in enumerate(CASES):
        answered = front.ask((case["request"] + NEXT).encode())
        end = f"/livez?end={front.port}-{number}"
        front.ask(f"GET {end} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        # libmicrohttpd itself rejects an unknown HTTP version, and logs it later.
        forwarded = front.until(end)
        reached = [line for line in back.until(end) if line.get("status") != 505]
        uncounted = forwarded - len(reached) if answered.startswith(b"HTTP/1.1 505") else 0
        if forwarded != len(reached) + uncounted or uncounted > 1 or not answered:
            differing.append((case["request"], forwarded, reached, answered[:200]))
    assert differing == []
