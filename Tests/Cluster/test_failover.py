"""The servers continue when the primary of PostgreSQL is killed and its standby is promoted."""

import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from command import carousel, imported, outcome
from editing import Editor, token
from proxies import accepts, free_port
from replication import Pair
from waiting import wait_until
from workload import STRIPS, Link, Workload, window

LEFT, RIGHT = STRIPS
#: Seconds after a promotion within which edits succeed again.
RESUMED_SECONDS = 10


class Store:
    """The address of a database, with a folder for files to import."""

    def __init__(self, address: str, folder: Path):
        self.address, self.parent = address, folder

    def __str__(self) -> str:
        return self.address


@pytest.fixture
def pair():
    # The user of PostgreSQL cannot enter pytest's folders.
    with tempfile.TemporaryDirectory(prefix="carousel-pair-", ignore_cleanup_errors=True) as folder:
        made = Pair(Path(folder))
        yield made
        made.close()


@pytest.fixture
def store(pair, tmp_path):
    return imported(Store(pair.address, tmp_path), *STRIPS)


def inserted(id: str) -> dict:
    return {"op": "insert", "after": "i7", "items": [{"id": id, "width": 10}]}


class Writing:
    """A thread that inserts items one by one, each with a key. It repeats an edit until a server
    acknowledges it."""

    def __init__(self, workload: Workload, editor: Editor, name: str):
        self.editor, self.name = editor, name
        self.acknowledged: dict[str, int] = {}
        self.count = 0
        workload.start(self.insert)

    def insert(self) -> None:
        id = f"{self.name}{self.count}"
        reply = self.editor.edit(inserted(id), fields={"Idempotency-Key": id})
        if reply.status == 200:
            self.acknowledged[id] = reply.json()["revision"]
            self.count += 1
        else:
            reply.rejected(503)


def reading(workload: Workload, port: int) -> None:
    """A thread that requests windows. Each request must be answered, and a revision must have one content."""
    link = Link(port)

    def read():
        target = window(LEFT.name, width=60000)
        answer = link.ask("GET", target)
        assert answer is not None and answer[0] == 200, answer
        revision = answer[1].split(b'"revision":')[1].split(b",")[0].decode()
        workload.compare(window(LEFT.name, width=60000, revision=revision), answer[1])
        with workload.lock:
            workload.answers["window"] += 1

    workload.start(read)


def test_no_acknowledged_edit_is_lost_and_windows_are_answered(
    pair, store, serving, record_property
):
    servers = [serving(store) for _ in range(2)]
    editors = [Editor(server, store, LEFT, token(store, LEFT.name)) for server in servers]
    for editor in editors:
        editor.window(width="60000")
    workload = Workload()
    writers = [Writing(workload, editor, f"w{n}-") for n, editor in enumerate(editors)]
    for server in servers:
        reading(workload, server.port)
    try:
        wait_until(lambda: all(writer.count > 10 for writer in writers), "no edit was made")
        pair.primary.kill()
        read = workload.answers["window"]
        wait_until(lambda: workload.answers["window"] > read + 50 or workload.failures, "no window")
        made = [writer.count for writer in writers]
        pair.standby.promote()
        promoted = time.monotonic()
        wait_until(lambda: all(w.count > n for w, n in zip(writers, made)), "edits did not resume")
        resumed = time.monotonic() - promoted
        record_property("resumed_seconds", resumed)
        assert resumed < RESUMED_SECONDS
    finally:
        workload.end()
    assert workload.failures == []
    made = {id for writer in writers for id in writer.acknowledged}
    for editor in editors:
        newest = max(revision for writer in writers for revision in writer.acknowledged.values())
        wait_until(lambda: editor.revision >= newest, "the server did not follow")
        ids = editor.ids()
        assert len(ids) == len(set(ids)) and made <= set(ids)
    # Compares the windows of all servers at revisions from before and after the failover.
    for target, content in list(workload.pinned.items()):
        for server in servers:
            reply = server.get(target)
            assert reply.status == 410 or reply.body == content, target
    run = carousel("check", "--database", store)
    assert run.returncode == 0, outcome(run)


def test_a_revision_that_the_standby_lacks_is_never_used_again(pair, store, serving):
    """Without synchronous replication an acknowledged edit can be lost. Its revision names it for ever."""
    server = serving(store)
    editor = Editor(server, store, LEFT, token(store, LEFT.name))
    editor.edited(inserted("kept"))
    pair.primary.set("synchronous_standby_names", "")
    pair.standby.stop()
    lost = editor.edited(inserted("lost"))
    shown = editor.window(revision=str(lost)).body
    pair.primary.kill()
    pair.standby.start()
    pair.standby.promote()
    replies = []
    wait_until(lambda: replies.append(editor.edit(inserted("next"))) or replies[-1].status == 200)
    revision = replies[-1].json()["revision"]
    assert revision > lost + 1
    ids = editor.ids()
    assert "kept" in ids and "next" in ids and "lost" not in ids
    for asked in range(lost, lost + 3):
        reply = editor.window(revision=str(asked))
        assert reply.status in (404, 410) or (asked == lost and reply.body == shown), f"{reply}"
    other = serving(store).window(strip=LEFT.name, revision=str(lost))
    assert other.status in (404, 410), f"{other}"


def test_a_server_waits_for_a_primary(pair, store, serving):
    """Only the standby runs when the server starts."""
    bearer = token(store, LEFT.name)
    pair.primary.kill()
    port = free_port()
    with ThreadPoolExecutor() as threads:
        # serving() returns once the server prints that it serves.
        starting = threads.submit(serving, store, port=str(port))
        wait_until(lambda: accepts(port) or starting.done(), "the server does not listen")
        assert Link(port).ask("GET", "/readyz")[0] == 503
        pair.standby.promote()
        server = starting.result()
    assert server.get("/readyz").status == 200
    Editor(server, store, LEFT, bearer).edited(inserted("new"))


def test_a_server_reads_from_a_standby(pair, store, serving):
    bearer = token(store, LEFT.name)
    replica = serving(store, env={"CAROUSEL_READ_DATABASE": pair.standby.address})
    plain = serving(store)
    editors = [Editor(server, store, LEFT, bearer) for server in (replica, plain)]
    for number, editor in enumerate(editors):
        made = editor.edited(inserted(f"new{number}"))
        wait_until(lambda: editors[0].revision == made, "the standby was not followed")
        bodies = {one.window(revision=str(made), width="900").body for one in editors}
        assert len(bodies) == 1
    # Windows that are not in memory need no primary.
    pair.primary.kill()
    reply = replica.window(strip=RIGHT.name, width="333")
    assert reply.status == 200, f"{reply}"
    editors[0].edit(inserted("later")).rejected(503)
    wait_until(lambda: "writes" in replica.get("/readyz").json(), "/readyz tells nothing")
    assert "\ncarousel_store_writable 0\n" in replica.get("/metrics").text
    pair.standby.promote()
    replies = []
    wait_until(lambda: replies.append(editors[0].edit(inserted("last"))) or replies[-1].status == 200)
    wait_until(lambda: editors[0].revision == replies[-1].json()["revision"], "not followed")
    wait_until(lambda: "\ncarousel_store_writable 1\n" in replica.get("/metrics").text)


def test_a_closed_server_knows_tokens_from_its_standby(pair, store, serving):
    first, second = (token(store, LEFT.name) for _ in range(2))
    server = serving(store, {"CAROUSEL_READ_DATABASE": pair.standby.address, "CAROUSEL_CLOSED": "true"})

    def read(bearer: str):
        return server.get("/window?width=100", {"Authorization": f"Bearer {bearer}"})

    wait_until(lambda: read(second).status == 200, "the standby has no token")
    pair.primary.kill()
    assert read(first).status == 200
    read("unknown").rejected(401)


def test_a_revision_that_a_standby_has_not_replayed_is_waited_for(pair, store, serving):
    bearer = token(store, LEFT.name)
    replica = serving(store, env={"CAROUSEL_READ_DATABASE": pair.standby.address})
    editor = Editor(replica, store, LEFT, bearer)
    known = editor.window().body
    # The follower knows that it reads a standby, so it treats the revision as shown.
    wait_until(lambda: "\ncarousel_store_reachable 1\n" in replica.get("/metrics").text)
    pair.standby.sql("SELECT pg_wal_replay_pause()")
    made = editor.edited(inserted("new"))
    reply = editor.window(revision=str(made))
    assert int(reply.fields["retry-after"]) >= 1
    reply.rejected(503)
    assert editor.window().body == known
    answers = []
    asking = threading.Thread(target=lambda: answers.append(editor.window(revision=str(made))))
    asking.start()
    pair.standby.sql("SELECT pg_wal_replay_resume()")
    asking.join()
    wait_until(lambda: editor.window(revision=str(made)).status == 200, "not replayed")
    assert answers[0].status in (200, 503)


def test_a_server_on_a_standby_alone_answers_reads(pair, store, serving):
    bearer = token(store, LEFT.name)
    pair.replay()
    server = serving(pair.standby.address)
    editor = Editor(server, store, LEFT, bearer)
    editor.window().json()
    wait_until(lambda: "standby" in server.get("/readyz").json().get("writes", ""), "no word")
    assert "standby" not in editor.edit(inserted("new")).rejected(503)["title"]
    other = Editor(serving(store), store, LEFT, bearer)
    made = other.edited(inserted("new"))
    wait_until(lambda: editor.revision == made, "the standby was not followed")


def test_tokens_are_listed_on_a_standby(pair, store):
    token(store, LEFT.name)
    pair.replay()
    run = carousel("token", "list", "--database", pair.standby.address)
    assert run.returncode == 0 and run.stdout.startswith(b"1\tleft\t"), outcome(run)
    for command in ["check"], ["strips"], ["export", "--strip", "left"]:
        run = carousel(*command, "--database", pair.standby.address)
        assert run.returncode == 0, outcome(run)
    run = carousel("token", "create", "--strip", "left", "--database", pair.standby.address)
    assert run.returncode == 69 and b"standby" in run.stderr, outcome(run)


@pytest.mark.parametrize("options", [["--read-database", "file.db"], ["--read-database", "postgresql:///x"]])
def test_a_standby_belongs_to_a_database_of_postgresql(options, tmp_path):
    needed = ["--database", tmp_path / "s.db"] if "file.db" in options else []
    run = carousel("serve", *needed, *options)
    assert run.returncode == (69 if needed else 64), outcome(run)
    assert b"--read-database" in run.stderr
