"""Three servers behind haproxy, written and read at once while one is killed and one cut off.

`CLUSTER_SECONDS` says for how long: some here, a minute in `make soak`.
"""

import json
import os
import signal
import time

import pytest

from command import carousel, told
from crowd import STRIPS, Crowd, Reader, Writer, whole, window
from front import proxied
from proxies import free_port
from server import Server
from waiting import GIVEN_UP_SECONDS

SECONDS = float(os.environ.get("CLUSTER_SECONDS", "18"))
#: How one finds a connection that listens: what its server asks on it from time to time.
LISTENING = "datname = current_database() AND query IN ('SELECT 1', 'LISTEN carousel')"


def newest(server: Server, strip: str) -> bytes:
    """What a server shows of a whole strip when no revision is named."""
    reply = server.get(window(strip, width=60000))
    assert reply.status == 200, f"{reply}"
    return reply.body


@pytest.fixture
def port():
    return free_port()


def test_no_edit_is_lost_and_all_servers_say_the_same(database, bearers, serving, port, tmp_path):
    servers = [serving(database) for _ in range(3)]
    crowd = Crowd()
    names = [strip.name for strip in STRIPS]
    with proxied(tmp_path, port, servers):
        writers = [
            Writer(crowd, port, name, bearers[name], f"{name}{n}") for name in names for n in "12"
        ]
        for writer in writers:
            crowd.start(writer.write)
        for seed in range(4):
            reader = Reader(crowd, port, [one.port for one in servers], names, seed)
            crowd.start(reader.read)
        try:
            while_it_goes_on(crowd, SECONDS / 3)
            servers[2].process.send_signal(signal.SIGKILL)
            servers[2].process.wait()
            while_it_goes_on(crowd, SECONDS / 3)
            ended = database.sql(
                str(database),
                "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity "
                f"WHERE {LISTENING} LIMIT 1) AS one",
            )
            assert ended == "1", "nobody listens"
            # A new one in the place of the one that was killed, where the proxy looks for it.
            servers[2] = serving(database, port=str(servers[2].port))
            while_it_goes_on(crowd, SECONDS / 3)
        finally:
            crowd.end()
    assert crowd.failures == []
    settled(servers, names, database, writers)
    print(f"{dict(crowd.answers)}, asked again: {crowd.again}, pinned: {len(crowd.pinned)}")
    for server in servers:
        assert crowd.answers[f"from {server.port}"] > 0
    assert crowd.answers["POST"] > len(writers)


def while_it_goes_on(crowd: Crowd, seconds: float) -> None:
    """Lets the crowd work for so long, or until something is wrong."""
    assert not crowd.over.wait(0)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        crowd.over.wait(0.05)
        assert crowd.failures == []


def settled(servers: list[Server], names: list[str], database, writers: list[Writer]) -> None:
    """Claims that all servers come to show what was acknowledged, and nothing else."""
    for name in names:
        run = carousel("export", "--database", database, "--strip", name)
        assert run.returncode == 0, told(run)
        stored = [json.loads(line)["id"] for line in run.stdout.splitlines()]
        mine = [writer for writer in writers if writer.strip == name]
        assert whole(stored, f"the export of {name}") == {id for one in mine for id in one.there}
        revisions = [revision for one in mine for revision in one.revisions]
        assert len(revisions) == len(set(revisions)), "two edits were told the same revision"
        deadline = time.monotonic() + GIVEN_UP_SECONDS
        while True:
            shown = {newest(server, name) for server in servers}
            answer = json.loads(next(iter(shown)))
            if len(shown) == 1 and answer["revision"] == max(revisions):
                break
            assert time.monotonic() < deadline, f"they do not come to show the same: {shown}"
        assert [item["id"] for item in answer["items"]] == stored
    run = carousel("check", "--database", database)
    assert run.returncode == 0, told(run)
