"""A strip that another process has locked for long, as an import does, does not block other strips."""

import json
from concurrent.futures import ThreadPoolExecutor

from server import Reply, Server
from waiting import wait_until
from workload import STRIPS

LOCKED, FREE = (strip.name for strip in STRIPS)
EDIT = json.dumps([{"op": "move", "ids": ["i1"], "before": None}]).encode()
LOCK = f"DO $$ BEGIN PERFORM FROM carousel.strip WHERE name = '{LOCKED}' FOR UPDATE; END $$"
WAITERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def edit(server: Server, strip: str, bearer: str) -> Reply:
    fields = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"}
    return server.ask("POST", f"/strips/{strip}/edits", fields, EDIT)


def test_a_locked_strip_does_not_block_other_strips(database, bearers, serving):
    server = serving(database)
    with ThreadPoolExecutor(20) as pool, database.locked(LOCK):
        for _ in range(5):
            pool.submit(edit, server, LOCKED, bearers[LOCKED])
        wait_until(lambda: database.sql(str(database), WAITERS) == "1", "no edit waits for the lock")
        unauthorized = [pool.submit(edit, server, LOCKED, "unknown-token") for _ in range(300)]
        assert {one.result().status for one in unauthorized} == {401}
        for _ in range(5):
            assert edit(server, FREE, bearers[FREE]).status == 200
