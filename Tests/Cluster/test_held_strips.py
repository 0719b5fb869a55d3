"""A strip that somebody else writes for long, as an import does, and the others of the same server."""

import json
from concurrent.futures import ThreadPoolExecutor

from crowd import STRIPS
from server import Reply, Server
from waiting import come_to

HELD, FREE = (strip.name for strip in STRIPS)
EDIT = json.dumps([{"op": "move", "ids": ["i1"], "before": None}]).encode()
LOCK = f"DO $$ BEGIN PERFORM FROM carousel.strip WHERE name = '{HELD}' FOR UPDATE; END $$"
WAITERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


def edit(server: Server, strip: str, bearer: str) -> Reply:
    fields = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"}
    return server.ask("POST", f"/strips/{strip}/edits", fields, EDIT)


def test_a_strip_that_is_held_keeps_nobody_from_the_others(database, bearers, serving):
    server = serving(database)
    with ThreadPoolExecutor(20) as pool, database.locked(LOCK):
        held = [pool.submit(edit, server, HELD, bearers[HELD]) for _ in range(5)]
        come_to(lambda: database.sql(str(database), WAITERS) == "1", "nobody waits for the strip")
        strangers = [pool.submit(edit, server, HELD, "of-nobody") for _ in range(300)]
        assert {one.result().status for one in strangers} == {401}
        for _ in range(5):
            assert edit(server, FREE, bearers[FREE]).status == 200
        assert not any(one.done() for one in held)
