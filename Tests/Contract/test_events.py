"""`GET /events`: a stream sends the newest revision of each strip."""

import json
import re
import socket
import time
from contextlib import contextmanager

import pytest

from command import import_lines, imported
from model.strips import Item, Strip
from waiting import TIMEOUT_SECONDS

FIRST = Strip("s", (Item("a", width="10"),))
OTHER = Strip("other", (Item("o", width="10"),))


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
def listening(server, strips: str, fields: str = ""):
    """An open stream whose head has arrived."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as link:
        request = f"GET /events?strips={strips} HTTP/1.1\r\nHost: x\r\n{fields}\r\n"
        link.sendall(request.encode())
        stream = Stream(link)
        stream.until(lambda received: b"\r\n\r\n" in received)
        assert stream.received.startswith(b"HTTP/1.1 200"), stream.received
        assert b"text/event-stream" in stream.received.lower()
        yield stream


@pytest.fixture
def running(database, serving):
    return serving("--database", imported(database, FIRST, OTHER))


def appended(database, running, strip: Strip, id: str) -> int:
    """Appends an item with a command; returns the new revision."""
    former = running.revision(strip.name)
    run = import_lines(database, strip.with_items([Item(id, width="9")]), "--append")
    assert run.returncode == 0
    return former + 1


def test_a_change_is_sent(running, database):
    with listening(running, "s") as stream:
        made = appended(database, running, FIRST, "b")
        stream.wait_for("s", made)


def test_only_the_requested_strips_are_sent(running, database):
    with listening(running, "s") as stream:
        appended(database, running, OTHER, "p")
        made = appended(database, running, FIRST, "b")
        stream.wait_for("s", made)
        assert {event["strip"] for event in stream.revisions()} == {"s"}


def test_one_stream_sends_several_strips(running, database):
    with listening(running, "s,other") as stream:
        made_other = appended(database, running, OTHER, "p")
        made = appended(database, running, FIRST, "b")
        stream.wait_for("s", made)
        stream.wait_for("other", made_other)


def test_last_event_id_gets_a_missed_change(running, database):
    with listening(running, "s") as stream:
        made = appended(database, running, FIRST, "b")
        stream.wait_for("s", made)
        ids = re.findall(r"^id: ?(.*?)\r?$", stream.received.decode(), re.MULTILINE)
        assert ids
    missed = appended(database, running, FIRST, "c")
    with listening(running, "s", f"Last-Event-ID: {ids[-1]}\r\n") as stream:
        stream.wait_for("s", missed)


def test_an_unknown_strip_has_no_events(running):
    with listening(running, "s"):
        pass
    running.get("/events?strips=none").rejected((400, 404), "strips")


def test_head_has_no_content_length(built_in):
    head = built_in.ask("HEAD", "/events?strips=albums")
    assert head.status == 200 and head.type == "text/event-stream"
    assert "content-length" not in head.fields
    assert built_in.get("/livez").status == 200
