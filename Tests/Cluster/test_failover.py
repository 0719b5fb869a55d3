"""The servers continue when the primary of PostgreSQL is killed and its standby is promoted."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from command import carousel, exited, imported, outcome
from editing import Editor, token
from proxies import accepts, free_port
from replication import Pair
from waiting import wait_until
from workload import STRIPS, Link, Workload, window

LEFT, RIGHT = STRIPS


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


def test_no_acknowledged_edit_is_lost_and_windows_are_answered(pair, store, serving):
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
        wait_until(lambda: all(w.count > n for w, n in zip(writers, made)), "edits did not resume")
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
    exited(carousel("check", "--database", store))


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


@pytest.mark.parametrize("hosts", ["both", "the standby"])
def test_a_server_waits_for_a_primary(hosts, pair, store, serving):
    """Only the standby runs when the server starts. It is not read before it is promoted."""
    bearer = token(store, LEFT.name)
    pair.primary.kill()
    port = free_port()
    with ThreadPoolExecutor() as threads:
        # serving() returns once the server prints that it serves.
        address = store if hosts == "both" else pair.standby.address
        starting = threads.submit(serving, address, port=str(port))
        wait_until(lambda: accepts(port) or starting.done(), "the server does not listen")
        assert Link(port).ask("GET", "/readyz")[0] == 503
        assert Link(port).ask("GET", window(LEFT.name, width=300))[0] == 503
        pair.standby.promote()
        server = starting.result()
    assert server.get("/readyz").status == 200
    Editor(server, store, LEFT, bearer).edited(inserted("new"))


def test_a_closed_server_without_a_primary_reads_no_tokens(pair, store, serving):
    """A token could be revoked."""
    bearer = token(store, LEFT.name)
    server = serving(store, {"CAROUSEL_CLOSED": "true"})
    pair.primary.kill()
    server.get("/window?width=100", {"Authorization": f"Bearer {bearer}"}).rejected(503)
    pair.standby.promote()
    read = lambda: server.get("/window?width=100", {"Authorization": f"Bearer {bearer}"}).status
    wait_until(lambda: read() == 200, "the token is not found")


def test_changes_fail_visibly_while_there_is_no_primary(pair, store, serving):
    server = serving(store)
    Editor(server, store, LEFT, token(store, LEFT.name)).window()
    pair.primary.kill()
    wait_until(lambda: "\ncarousel_store_writable 0\n" in server.get("/metrics").text, "no word")
    pair.standby.promote()
    wait_until(lambda: "\ncarousel_store_writable 1\n" in server.get("/metrics").text, "no word")


def test_commands_read_a_standby_if_its_address_says_so(pair, store):
    token(store, LEFT.name)
    pair.replay()
    standby = f"{pair.standby.address}&target_session_attrs=any"
    run = carousel("token", "list", "--database", standby)
    assert run.returncode == 0 and run.stdout.startswith(b"1\tleft\t"), outcome(run)
    for command in ["check"], ["strips"], ["export", "--strip", "left"]:
        exited(carousel(*command, "--database", standby))
        exited(carousel(*command, "--database", pair.standby.address), 69)
    run = carousel("token", "create", "--strip", "left", "--database", standby)
    assert run.returncode == 69 and b"standby" in run.stderr, outcome(run)
