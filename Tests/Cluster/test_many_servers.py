"""Three servers behind haproxy under load, while one is killed and one loses its connection.

`CLUSTER_SECONDS` is the duration: 12 in `make test`, 60 in `make soak`.
"""

import json
import os
import signal
import time

import pytest

from command import carousel, exited
from proxies import free_port, shipped_haproxy
from server import Server
from waiting import wait_until
from workload import STRIPS, Reader, Workload, Writer, complete, window

SECONDS = float(os.environ.get("CLUSTER_SECONDS", "12"))
#: Selects the connections of the servers that listen for notifications.
LISTENING = "datname = current_database() AND query IN ('SELECT 1', 'LISTEN carousel')"


def newest(server: Server, strip: str) -> bytes:
    """The newest window of a whole strip."""
    reply = server.get(window(strip, width=60000))
    assert reply.status == 200, f"{reply}"
    return reply.body


@pytest.fixture
def port():
    return free_port()


def test_no_edit_is_lost_and_all_servers_show_the_same(database, bearers, serving, port, tmp_path):
    servers = [serving(database) for _ in range(3)]
    workload = Workload()
    names = [strip.name for strip in STRIPS]
    with shipped_haproxy(tmp_path, port, servers):
        writers = [Writer(workload, port, name, bearers[name], f"{name}{n}") for name in names for n in "12"]
        for writer in writers:
            workload.start(writer.write)
        for seed in range(4):
            reader = Reader(workload, port, [one.port for one in servers], names, seed)
            workload.start(reader.read)
        try:
            run_for(workload, SECONDS / 3)
            servers[2].process.send_signal(signal.SIGKILL)
            servers[2].process.wait()
            run_for(workload, SECONDS / 3)
            ended = database.sql(
                str(database),
                "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity "
                f"WHERE {LISTENING} LIMIT 1) AS one",
            )
            assert ended == "1", "no server listens"
            # Replaces the killed server on the same port.
            servers[2] = serving(database, port=str(servers[2].port))
            run_for(workload, SECONDS / 3)
        finally:
            workload.end()
    assert workload.failures == []
    settled(servers, names, database, writers)
    print(f"{dict(workload.answers)}, repeated: {workload.retries}, pinned: {len(workload.pinned)}")
    for server in servers:
        assert workload.answers[f"from {server.port}"] > 0
    assert workload.answers["POST"] > len(writers)


def run_for(workload: Workload, seconds: float) -> None:
    """Waits for `seconds`, or until a thread fails."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        workload.over.wait(0.05)
        assert workload.failures == []


def settled(servers: list[Server], names: list[str], database, writers: list[Writer]) -> None:
    """Asserts that all servers finally show all acknowledged edits and no others."""
    for name in names:
        run = exited(carousel("export", "--database", database, "--strip", name))
        stored = [json.loads(line)["id"] for line in run.stdout.splitlines()]
        mine = [writer for writer in writers if writer.strip == name]
        assert complete(stored, f"the export of {name}") == {id for one in mine for id in one.triples}
        revisions = [revision for one in mine for revision in one.revisions]
        assert len(revisions) == len(set(revisions)), "two edits have the same revision"

        def is_settled() -> bool:
            shown = [json.loads(newest(server, name))["revision"] for server in servers]
            return set(shown) == {max(writer.newest for writer in mine)}

        wait_until(is_settled, "the servers do not show the newest revision")
        (answer,) = {newest(server, name) for server in servers}
        answer = json.loads(answer)
        assert [item["id"] for item in answer["items"]] == stored
    exited(carousel("check", "--database", database))
