"""`GET /events`: a stream sends the newest revision of each strip."""

import json
import re
import socket
import time
from contextlib import contextmanager

from command import exited, import_lines, imported
from model.strips import Item, Strip
from waiting import TIMEOUT_SECONDS

FIRST = Strip("s", (Item("a", width="10"),))


class Stream:
    """The events of one connection."""

    def __init__(self, link: socket.socket):
        self.link = link
        self.received = b""

    def until(self, found) -> None:
        """Reads until `found` is true of the received bytes; fails after TIMEOUT_SECONDS."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not found(self.received):
            self.link.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                part = self.link.recv(65536)
            except TimeoutError:
                raise AssertionError(f"the stream sent only {self.received!r}") from None
            assert part, f"the stream ended after {self.received!r}"
            self.received += part

    def revisions(self) -> list[dict]:
        """The data of all `revision` events so far."""
        text = self.received.decode()
        return [
            json.loads(data)
            for event in re.split(r"\r?\n\r?\n", text)
            if re.search(r"^event: ?revision\r?$", event, re.MULTILINE)
            for data in re.findall(r"^data: ?(.*?)\r?$", event, re.MULTILINE)
        ]

    def wait_for(self, strip: str, revision: int) -> None:
        """Waits for the event of this revision."""
        wanted = {"strip": strip, "revision": revision}
        self.until(lambda _: wanted in self.revisions())


@contextmanager
def listening(server, strips: str):
    """An open stream whose head has arrived."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as link:
        request = f"GET /events?strips={strips} HTTP/1.1\r\nHost: x\r\n\r\n"
        link.sendall(request.encode())
        stream = Stream(link)
        stream.until(lambda received: b"\r\n\r\n" in received)
        assert stream.received.startswith(b"HTTP/1.1 200"), stream.received
        assert b"text/event-stream" in stream.received.lower()
        yield stream


def test_a_change_is_sent(database, serving):
    running = serving("--database", imported(database, FIRST))
    with listening(running, "s") as stream:
        former = running.revision("s")
        exited(import_lines(database, FIRST.with_items([Item("b", width="9")]), "--append"))
        stream.wait_for("s", former + 1)
