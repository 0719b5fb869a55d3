"""`GET /events`: who listens hears of each strip's newest revision."""

import json
import re
import socket
import time
from contextlib import contextmanager

import pytest

from command import import_lines, imported
from editing import NOT_YET
from model.strips import Item, Strip
from waiting import GIVEN_UP_SECONDS

FIRST = Strip("s", (Item("a", width="10"),))
OTHER = Strip("other", (Item("o", width="10"),))


class Stream:
    """The events of one connection."""

    def __init__(self, link: socket.socket):
        self.link = link
        self.received = b""

    def until(self, found) -> None:
        """Reads until what was received satisfies `found`, or fails at the deadline."""
        deadline = time.monotonic() + GIVEN_UP_SECONDS
        while not found(self.received):
            self.link.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                part = self.link.recv(65536)
            except TimeoutError:
                raise AssertionError(f"heard only {self.received!r}") from None
            assert part, f"the stream ended after {self.received!r}"
            self.received += part

    def revisions(self) -> list[dict]:
        """The data of each `revision` event so far."""
        text = self.received.decode()
        return [
            json.loads(data)
            for event in re.split(r"\r?\n\r?\n", text)
            if re.search(r"^event: ?revision\r?$", event, re.MULTILINE)
            for data in re.findall(r"^data: ?(.*?)\r?$", event, re.MULTILINE)
        ]

    def hears(self, strip: str, revision: int) -> None:
        wanted = {"strip": strip, "revision": revision}
        self.until(lambda _: wanted in self.revisions())


@contextmanager
def listening(server, strips: str, fields: str = ""):
    """A stream, once its head has come; skips while there are none."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=GIVEN_UP_SECONDS) as link:
        request = f"GET /events?strips={strips} HTTP/1.1\r\nHost: x\r\n{fields}\r\n"
        link.sendall(request.encode())
        stream = Stream(link)
        stream.until(lambda received: b"\r\n\r\n" in received)
        status = int(stream.received[9:12])
        if status in NOT_YET:
            pytest.skip(f"this carousel answers /events with {status}")
        assert stream.received.startswith(b"HTTP/1.1 200"), stream.received
        assert b"text/event-stream" in stream.received.lower()
        yield stream


@pytest.fixture
def running(database, serving):
    return serving("--database", imported(database, FIRST, OTHER))


def appended(database, running, strip: Strip, id: str) -> int:
    """One more item; the revision that it makes."""
    former = running.revision(strip.name)
    run = import_lines(database, strip.with_items([Item(id, width="9")]), "--append")
    assert run.returncode == 0
    return former + 1


def test_a_change_is_heard(running, database):
    with listening(running, "s") as stream:
        made = appended(database, running, FIRST, "b")
        stream.hears("s", made)


def test_only_the_strips_asked_for_are_told(running, database):
    with listening(running, "s") as stream:
        appended(database, running, OTHER, "p")
        made = appended(database, running, FIRST, "b")
        stream.hears("s", made)
        assert {event["strip"] for event in stream.revisions()} == {"s"}


def test_several_strips_are_told_on_one_stream(running, database):
    with listening(running, "s,other") as stream:
        stream_other = appended(database, running, OTHER, "p")
        made = appended(database, running, FIRST, "b")
        stream.hears("s", made)
        stream.hears("other", stream_other)


def test_who_missed_a_change_hears_of_it_by_the_last_id(running, database):
    with listening(running, "s") as stream:
        made = appended(database, running, FIRST, "b")
        stream.hears("s", made)
        ids = re.findall(r"^id: ?(.*?)\r?$", stream.received.decode(), re.MULTILINE)
        assert ids
    missed = appended(database, running, FIRST, "c")
    with listening(running, "s", f"Last-Event-ID: {ids[-1]}\r\n") as stream:
        stream.hears("s", missed)


def test_an_unknown_strip_has_no_events(running):
    with listening(running, "s"):
        pass
    running.get("/events?strips=none").refused((400, 404), "strips")


def test_head_says_no_length_that_the_stream_does_not_have(built_in):
    head = built_in.ask("HEAD", "/events?strips=albums")
    assert head.status == 200 and head.type == "text/event-stream"
    assert "content-length" not in head.fields
    assert built_in.get("/livez").status == 200
