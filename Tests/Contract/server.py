"""Runs `carousel serve` and sends requests to it over a socket."""

import http.client
import json
import re
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote_plus

from command import ROOT, binary, environment
from server_log import ServerLog
from waiting import TIMEOUT_SECONDS

#: A request on a connection that was idle for longer opens a new one: the server closes idle connections.
IDLE_SECONDS = 20


@dataclass(frozen=True)
class Reply:
    """A response: status, header fields by lower-case name, body; and the request, for messages."""

    request: str
    status: int
    fields: dict[str, str]
    body: bytes

    @property
    def type(self) -> str:
        """The media type, without parameters."""
        return self.fields.get("content-type", "").split(";")[0].strip().lower()

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    def json(self):
        """The JSON of a response with status 200."""
        assert self.status == 200, f"{self}"
        assert self.type == "application/json", f"{self.request}: {self.type}"
        return json.loads(self.body)

    def rejected(self, status: int | tuple[int, ...], parameter: str | None = None):
        """Asserts that this is a problem (RFC 9457) with this status, about this parameter; returns it."""
        allowed = (status,) if isinstance(status, int) else status
        assert self.status in allowed, f"{self}, expected {status}"
        assert self.type == "application/problem+json", f"{self.request}: {self.type}"
        problem = json.loads(self.body)
        assert problem["status"] == self.status, f"{self}"
        assert problem["title"] and isinstance(problem["title"], str), f"{self}"
        assert problem["detail"] and isinstance(problem["detail"], str), f"{self}"
        if parameter is not None:
            assert problem.get("parameter") == parameter, f"{self}: expected the parameter {parameter}"
        assert self.fields.get("cache-control") == "no-store", f"{self.request}: {self.fields}"
        return problem

    def __str__(self) -> str:
        return f"{self.request} -> {self.status} {self.body[:600]!r}"


def query(parameters: dict[str, str]) -> str:
    """The query string of these parameters, encoded as a form: a space is `+`."""
    pairs = (f"{name}={quote_plus(value, safe='')}" for name, value in parameters.items())
    return "?" + "&".join(pairs) if parameters else ""


class Server:
    """A server on a free port. It accepts requests when it is made, and stops when its block ends."""

    #: The command and its first arguments.
    command: tuple[str, ...] = ("serve",)

    def __init__(self, *arguments, env=None, port: str | None = "0", prefix=(), program=None, **more):
        """`prefix` is a command that runs the program, and `more` has other options of the process."""
        self.log = ServerLog()
        on_port = [] if port is None else ["--port", port]
        command = [*prefix, program or binary(), *self.command, *map(str, arguments), *on_port]
        files = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": self.log}
        self.process = subprocess.Popen(command, cwd=ROOT, env=env or environment(), **{**files, **more})
        self.port = self.log.port(self.process)
        self.idle_seconds = IDLE_SECONDS
        self.threads = threading.local()
        self.connections: list[http.client.HTTPConnection] = []

    def logged(self) -> str:
        """The last 3000 characters of the server's standard error."""
        return self.log.text()[-3000:]

    def stop(self) -> int:
        """Ends the server with SIGTERM; returns its exit status.

        Closes this client's connections first: a server waits half a second for idle ones.
        """
        for connection in self.connections:
            connection.close()
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        if self.process.poll() is None:
            self.stop()
        self.log.close()

    def ask(self, method: str, target: str, fields: dict | None = None, body=None) -> Reply:
        """Sends a request. Each thread has one connection, which it reuses."""
        connection = getattr(self.threads, "connection", None)
        if connection is None or time.monotonic() - self.threads.used > self.idle_seconds:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
            self.threads.connection = connection
            self.connections.append(connection)
        self.threads.used = time.monotonic()
        request = f"{method} {target}"
        try:
            connection.request(method, target, body=body, headers=fields or {})
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            alive = self.process.poll() is None
            raise AssertionError(f"{request}: {error!r}, alive: {alive}: {self.logged()}") from None
        named = {name.lower(): value for name, value in response.getheaders()}
        return Reply(request, response.status, named, content)

    def get(self, target: str, fields: dict | None = None) -> Reply:
        return self.ask("GET", target, fields)

    def window(self, parameters: dict[str, str] | None = None, **more: str) -> Reply:
        """Sends `GET /window` with these parameters."""
        return self.get("/window" + query({**(parameters or {}), **more}))

    def follow(self, parameters: dict[str, str]) -> Reply:
        """A window that this server may not have yet, such as one of a new revision: it waits for some seconds, then answers 503."""
        while (reply := self.window(parameters)).status == 503:
            pass
        return reply

    def revision(self, strip: str) -> int:
        """The newest revision of a strip."""
        return self.window(strip=strip, width="1", wrap="false").json()["revision"]

    def metric(self, name: str) -> float:
        """The value of a metric; the sum over its labels if `name` has none."""
        found = re.findall(rf"^{re.escape(name)}(?:{{.*}})? ([0-9.e+-]+)$", self.get("/metrics").text, re.M)
        assert found, name
        return sum(map(float, found))

    def memory_mb(self, name: str = "VmRSS") -> float:
        """The memory of the process: what it has now, or at most had (VmHWM)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT_SECONDS)

    def raw(self, request: bytes, is_half_closed=False) -> bytes:
        """Sends bytes on a new connection; returns all bytes until the server closes it."""
        return exchange(self.port, request, is_half_closed)


def exchange(port: int, request: bytes, is_half_closed=False) -> bytes:
    """Sends bytes, and closes the sending half if `is_half_closed`; returns all bytes until the connection ends.

    A server resets a connection that it closes before it has read all bytes.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS) as link:
        with suppress(ConnectionError):
            link.sendall(request)
            if is_half_closed:
                link.shutdown(socket.SHUT_WR)
        return received(link)


def received(link: socket.socket) -> bytes:
    """All bytes until the connection ends."""
    content = b""
    with suppress(ConnectionError):
        while part := link.recv(65536):
            content += part
    return content
