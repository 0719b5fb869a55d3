"""`serve --announce-every`: in an interval, all event streams get the same revision of a strip."""

import time

import pytest

from command import carousel, exited, imported, outcome
from editing import Editor, numbered, token
from model.strips import Strip
from test_events import listening

STRIP = Strip("s", numbered(4))
#: The longest interval, so that the requests of a test fit into it.
SECONDS = 30


def interval() -> int:
    """The number of the current interval. The server uses the same clock."""
    return int(time.time() // SECONDS)


def announced(server) -> int:
    """The first revision that a new stream gets."""
    with listening(server, "s") as stream:
        stream.until(lambda _: stream.revisions())
        return stream.revisions()[0]["revision"]


def test_a_stream_that_opens_after_an_edit_announces_the_revision_of_its_interval(database, serving):
    imported(database, STRIP)
    server = serving("--database", database, "--announce-every", str(SECONDS))
    editor = Editor(server, database, STRIP, token(database, "s"))
    while True:
        begun, first = interval(), announced(server)
        item = {"id": f"new{begun}", "width": 10}
        made = editor.edited({"op": "insert", "before": None, "items": [item]})
        # A window does not wait for the interval.
        assert editor.revision == made
        late = announced(server)
        # If the requests took longer than the interval, the test tries again.
        if interval() == begun:
            break
    assert late == first < made


@pytest.mark.one_store
@pytest.mark.parametrize("every", ["banana", "0", "31", "2s"])
def test_an_invalid_interval_is_a_wrong_command_line(sample_database, every):
    run = exited(carousel("serve", "--database", sample_database, "--port", "0", f"--announce-every={every}"), 64)
    assert b"--announce-every" in run.stderr, outcome(run)
