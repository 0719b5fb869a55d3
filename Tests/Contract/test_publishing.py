"""`serve --publish-every`: edits come to those who read as one revision for each interval."""

import time

import pytest

from command import carousel, imported, told
from editing import Editor, numbered, token
from model.strips import Strip
from test_events import listening
from waiting import come_to

STRIP = Strip("s", numbered(4))
#: Longer than some requests take.
SECONDS = 3


@pytest.fixture
def editor(database, serving):
    imported(database, STRIP)
    bearer = token(database, "s")
    return Editor(serving("--database", database, "--publish-every", f"{SECONDS}s"), database, STRIP, bearer)


def begun_interval(editor) -> int:
    """What is published, once an interval has begun: an edit shows then, and not before."""
    made = editor.edited(insert(99))
    come_to(lambda: editor.revision == made, "an edit is not published")
    return made


def insert(n: int) -> dict:
    return {"op": "insert", "before": None, "items": [{"id": f"new{n}", "width": 10}]}


def test_edits_are_gathered_and_each_can_be_read_by_its_revision(editor):
    server, first = editor.server, begun_interval(editor)
    with listening(server, "s") as stream:
        made = [editor.edited(insert(n)) for n in range(3)]
        assert made == [first + 1, first + 2, first + 3]
        # Whoever has made them reads them at once; all others go on with what is published.
        for n, revision in enumerate(made):
            assert editor.window(revision=str(revision)).json()["count"] == 6 + n
        assert editor.revision == first
        assert server.get("/strips/s").json()["revision"] == first
        assert [s["revision"] for s in server.get("/strips").json()["strips"]] == [first]
        assert f"&quot;revision&quot;:{first}," in server.get("/?strip=s").text
        stream.hears("s", made[-1])
        assert [event["revision"] for event in stream.revisions()] == [first, made[-1]]
    assert editor.revision == made[-1]
    assert editor.window(revision=str(first)).json()["count"] == 5


def test_servers_of_one_database_publish_the_same_whenever_they_are_first_asked(editor, serving):
    other = serving("--database", editor.database, "--publish-every", f"{SECONDS}s")
    begun = interval()
    while True:
        come_to(lambda begun=begun: interval() > begun, "no interval begins")
        begun = interval()
        first = editor.revision
        made = [editor.edited(insert(n)) for n in (2 * begun, 2 * begun + 1)]
        read = [other.revision("s"), editor.revision]
        # A busy machine may take longer than an interval: then nothing was seen.
        if interval() == begun:
            break
    assert read == [first, first] and first < made[0]
    come_to(lambda: interval() > begun, "no interval begins")
    come_to(lambda: other.revision("s") == made[-1], "an edit is not published")
    come_to(lambda: editor.revision == made[-1], "an edit is not published")


def interval() -> int:
    """The number of this one, by the clock that the servers have as well."""
    return int(time.time() // SECONDS)


@pytest.mark.parametrize("every", ["500ms", "2", "0.5s"])
def test_a_time_is_of_seconds_unless_it_says_milliseconds(shelf_database, serving, every):
    assert serving("--database", shelf_database, "--publish-every", every).get("/").status == 200


@pytest.mark.parametrize("every", ["banana", "1m", "-1", "5ms", "31s", "nans", "1e1s"])
def test_a_time_that_is_none_is_a_wrong_command_line(shelf_database, every):
    run = carousel("serve", "--database", shelf_database, "--port", "0", f"--publish-every={every}")
    assert run.returncode == 64, told(run)
