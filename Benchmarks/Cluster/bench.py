#!/usr/bin/env python3
"""Measures edits and imports on PostgreSQL: Scripts/with-postgres Benchmarks/Cluster/bench.py

    [--seconds 8] [--writers 4] [--servers 2] [--items 200000]

edits_one    edits each second, of one item each, that WRITERS make in one strip, over all servers
edits_many   the same, where each writes a strip of its own
followed     ms from an edit's answer until another server shows it to who names no revision (median)
imported     items each second that one import writes
ready        items each second that a server reads, from its start to its first window of them
bytes        what an item takes of the database's disk

Scripts/with-postgres starts PostgreSQL without fsync: what a disk adds to each edit is not in here.
"""

import argparse
import json
import os
import statistics
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / ".build/bench"
sys.path.insert(0, str(ROOT / "Tests/Contract"))

from command import carousel, imported  # noqa: E402
from editing import Editor, token  # noqa: E402
from model.strips import Item, Strip  # noqa: E402
from server import Server  # noqa: E402
from stores import Postgres  # noqa: E402


def edits(writers: list[Editor], seconds: float) -> float:
    """Edits each second, made by all at once."""
    counts = [0] * len(writers)
    end = time.monotonic() + seconds

    def write(number: int) -> None:
        while time.monotonic() < end:
            item = {"id": f"i{number}", "set": {"width": counts[number] % 90}}
            reply = writers[number].edit({"op": "update", **item})
            assert reply.status == 200, f"{reply}"
            counts[number] += 1

    began = time.monotonic()
    threads = [threading.Thread(target=write, args=(n,)) for n in range(len(writers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.monotonic() - began)


def followed(here: Editor, there: Server, times: int = 100) -> float:
    """Milliseconds until another server shows an edit, the median."""
    waits = []
    for turn in range(times):
        made = here.edited({"op": "update", "id": "i0", "set": {"width": turn % 90}})
        began = time.monotonic()
        while there.revision(here.strip.name) < made:
            pass
        waits.append(1000 * (time.monotonic() - began))
    return statistics.median(waits)


def loads(database, items: int) -> tuple[float, float]:
    """Items each second that are imported, and that a server reads."""
    file = OUT / f"cluster-{items}.jsonl"
    with file.open("w") as lines:
        for n in range(items):
            lines.write(f'{{"id":"n{n}","width":{n % 90 + 1},"fields":{{"title":"Item {n}"}}}}\n')
    began = time.monotonic()
    run = carousel("import", file, "--database", database, "--strip", "long", timeout=600)
    seconds = time.monotonic() - began
    assert run.returncode == 0, run.stderr
    began = time.monotonic()
    with Server("--database", database) as server:
        assert server.window(strip="long", width="1").status == 200
        return items / seconds, items / (time.monotonic() - began)


def size(database: Postgres) -> int:
    """Bytes of a whole database on its disk."""
    return int(database.sql(str(database), "SELECT pg_database_size(current_database())"))


def main() -> None:
    wanted = argparse.ArgumentParser(usage=__doc__)
    wanted.add_argument("--seconds", type=float, default=8)
    wanted.add_argument("--writers", type=int, default=4)
    wanted.add_argument("--servers", type=int, default=2)
    wanted.add_argument("--items", type=int, default=200_000)
    options = wanted.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    items = tuple(Item(f"i{n}", width="10") for n in range(1000))
    strips = [Strip(f"s{n}", items) for n in range(options.writers)]
    database = imported(Postgres(OUT), *strips)
    bearers = [token(database, strip.name) for strip in strips]
    servers = [Server("--database", database) for _ in range(options.servers)]
    try:
        one, many = (
            [
                Editor(servers[n % len(servers)], database, strips[k], bearers[k])
                for n in range(options.writers)
                for k in [n if apart else 0]
            ]
            for apart in (False, True)
        )
        figures = {
            "edits_one": edits(one, options.seconds),
            "edits_many": edits(many, options.seconds),
            "followed_ms": followed(one[0], servers[-1]),
        }
    finally:
        for server in servers:
            server.__exit__()
    before = size(database)
    figures["imported"], figures["ready"] = loads(database, options.items)
    figures["bytes"] = (size(database) - before) / options.items
    figures = {name: round(value, 2) for name, value in figures.items()}
    print(json.dumps(figures))
    (OUT / "bench-cluster.json").write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    if "POSTGRES" not in os.environ:
        os.execv(str(ROOT / "Scripts/with-postgres"), ["with-postgres", *sys.argv])
    main()
