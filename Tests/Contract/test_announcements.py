"""`serve --announce-every`: in an interval, all event streams get the same revision of a strip."""

import time

import pytest

from command import carousel, imported, outcome
from editing import Editor, numbered, token
from model.strips import Strip
from test_events import listening
from waiting import wait_until

STRIP = Strip("s", numbered(4))
#: The interval, which is longer than the requests of a test.
SECONDS = 3


def interval() -> int:
    """The number of the current interval. The server uses the same clock."""
    return int(time.time() // SECONDS)


def insert(n: int) -> dict:
    return {"op": "insert", "before": None, "items": [{"id": f"new{n}", "width": 10}]}


def test_streams_that_open_after_an_edit_announce_the_revision_of_their_interval(database, serving):
    imported(database, STRIP)
    server = serving("--database", database, "--announce-every", str(SECONDS))
    editor = Editor(server, database, STRIP, token(database, "s"))
    with listening(server, "s") as early:
        while True:
            begun = interval()
            wait_until(lambda begun=begun: interval() > begun, "no interval begins")
            begun = interval()
            first = editor.revision
            with listening(server, "s") as opened:
                opened.wait_for("s", first)
            made = [editor.edited(insert(2 * begun + n)) for n in (0, 1)]
            with listening(server, "s") as late:
                late.until(lambda _, late=late: late.revisions())
                announced = late.revisions()[0]["revision"]
            # Windows, and the edit itself, do not wait for the interval.
            assert editor.revision == made[1]
            # If the requests took longer than the interval, the test tries again.
            if interval() == begun:
                break
        assert announced == first
        early.wait_for("s", made[1])
        seen = [event["revision"] for event in early.revisions()]
        assert made[0] not in seen and seen[-2:] == [first, made[1]]


@pytest.mark.parametrize("every", ["banana", "0", "31", "2s"])
def test_an_invalid_interval_is_a_wrong_command_line(sample_database, every):
    run = carousel("serve", "--database", sample_database, "--port", "0", f"--announce-every={every}")
    assert run.returncode == 64, outcome(run)
    assert b"--announce-every" in run.stderr, outcome(run)
