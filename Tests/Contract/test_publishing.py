"""`serve --publish-every`: readers see one revision for each interval."""

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


@pytest.fixture
def editor(database, serving):
    imported(database, STRIP)
    bearer = token(database, "s")
    return Editor(serving("--database", database, "--publish-every", f"{SECONDS}s"), database, STRIP, bearer)


def begin_interval(editor) -> int:
    """Waits for an interval to begin, which publishes an edit; returns the published revision."""
    made = editor.edited(insert(99))
    wait_until(lambda: editor.revision == made, "an edit is not published")
    return made


def insert(n: int) -> dict:
    return {"op": "insert", "before": None, "items": [{"id": f"new{n}", "width": 10}]}


def test_edits_are_published_together_and_each_can_be_read_by_its_revision(editor):
    server, first = editor.server, begin_interval(editor)
    with listening(server, "s") as stream:
        made = [editor.edited(insert(n)) for n in range(3)]
        assert made == [first + 1, first + 2, first + 3]
        # Pinned windows have the new revisions at once. Other windows have the published one.
        for n, revision in enumerate(made):
            assert editor.window(revision=str(revision)).json()["count"] == 6 + n
        assert editor.revision == first
        assert server.get("/strips/s").json()["revision"] == first
        assert [s["revision"] for s in server.get("/strips").json()["strips"]] == [first]
        assert f"&quot;revision&quot;:{first}," in server.get("/?strip=s").text
        stream.wait_for("s", made[-1])
        assert [event["revision"] for event in stream.revisions()] == [first, made[-1]]
    assert editor.revision == made[-1]
    assert editor.window(revision=str(first)).json()["count"] == 5


def test_servers_of_one_database_publish_the_same_revision(editor, serving):
    other = serving("--database", editor.database, "--publish-every", f"{SECONDS}s")
    begun = interval()
    while True:
        wait_until(lambda begun=begun: interval() > begun, "no interval begins")
        begun = interval()
        first = editor.revision
        made = [editor.edited(insert(n)) for n in (2 * begun, 2 * begun + 1)]
        read = [other.revision("s"), editor.revision]
        # If the requests took longer than the interval, the test tries again.
        if interval() == begun:
            break
    assert read == [first, first] and first < made[0]
    wait_until(lambda: interval() > begun, "no interval begins")
    wait_until(lambda: other.revision("s") == made[-1], "an edit is not published")
    wait_until(lambda: editor.revision == made[-1], "an edit is not published")


def interval() -> int:
    """The number of the current interval. The servers use the same clock."""
    return int(time.time() // SECONDS)


@pytest.mark.parametrize("every", ["500ms", "2", "0.5s"])
def test_a_time_is_in_seconds_or_milliseconds(sample_database, serving, every):
    assert serving("--database", sample_database, "--publish-every", every).get("/").status == 200


@pytest.mark.parametrize("every", ["banana", "1m", "-1", "5ms", "31s", "nans", "1e1s", f"{10**21}s"])
def test_an_invalid_time_is_a_wrong_command_line(sample_database, every):
    run = carousel("serve", "--database", sample_database, "--port", "0", f"--publish-every={every}")
    assert run.returncode == 64, outcome(run)
    assert b"--publish-every" in run.stderr, outcome(run)
