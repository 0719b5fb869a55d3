#!/usr/bin/env python3
"""Measures PostgreSQL as a store, and compares a long strip with SQLite: Benchmarks/Cluster/bench.py

    [--seconds 8] [--writers 4] [--servers 2] [--items 1000000]

edits_one     edits of one item a second, by WRITERS in one strip, over all servers
edits_many    the same, with a strip for each writer
followed_ms   from an edit's answer until another server shows the edit, median
followed_p99  the same, 99th percentile
long          a strip of ITEMS, in both stores:
  imported    items a second of one import
  ready       items a second, from a server's start until it is ready
  memory      MB of this server
  windows_new    new windows a second, with content that is not cached
  windows_known  new windows a second, with cached content; SQLite has no such cache
  edit_ms        from an edit of one item to its answer, median
  edits_ms       the same for a batch of 1,000 items
  bytes       bytes of an item on the disk

Scripts/with-postgres starts PostgreSQL without fsync, so the figures do not contain the time of a disk.
The server, the clients and PostgreSQL share the machine's processors.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
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
from stores import File, Postgres  # noqa: E402


def edits(writers: list[Editor], seconds: float) -> float:
    """The edits a second of all writers together."""
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


def followed(here: Editor, there: Server, times: int = 400) -> list[float]:
    """The milliseconds until another server shows an edit, sorted."""
    waits = []
    for turn in range(times):
        made = here.edited({"op": "update", "id": "i0", "set": {"width": turn % 90}})
        began = time.monotonic()
        while there.revision(here.strip.name) < made:
            pass
        waits.append(1000 * (time.monotonic() - began))
    return sorted(waits)


def lines(items: int) -> Path:
    """A file of items about 145 px wide."""
    file = OUT / f"cluster-{items}.jsonl"
    with file.open("w") as out:
        for n in range(items):
            out.write(f'{{"id":"n{n}","width":{n % 90 + 100},"fields":{{"title":"Item {n}"}}}}\n')
    return file


def long(database, items: int, seconds: float) -> dict[str, float]:
    """The figures of a long strip."""
    file = lines(items)
    empty = size(database)
    began = time.monotonic()
    run = carousel("import", file, "--database", database, "--strip", "long", "--gap", "0", timeout=1800)
    assert run.returncode == 0, run.stderr
    figures = {"imported": items / (time.monotonic() - began)}
    figures["bytes"] = (size(database) - empty) / items
    began = time.monotonic()
    with Server("--database", database) as server:
        while server.get("/readyz").status != 200:
            pass
        figures["ready"] = items / (time.monotonic() - began)
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        figures["memory"] = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
        figures["windows_new"] = windows(server, 145 * items, seconds, seed=1)
        windows(server, 145 * 20_000, seconds, seed=2)
        figures["windows_known"] = windows(server, 145 * 20_000, seconds, seed=3)
        editor = Editor(server, database, Strip("long", ()), token(database, "long"))
        for name, count in {"edit_ms": 1, "edits_ms": 1000}.items():
            figures[name] = edit_time(editor, items, count)
    return {name: round(value, 1) for name, value in figures.items()}


def edit_time(editor: Editor, items: int, count: int, times: int = 30) -> float:
    """The median of the milliseconds from a batch to its answer. Its items are scattered over the
    strip."""
    waits = []
    for turn in range(times):
        ids = [f"n{(turn * count + n) * 7919 % items}" for n in range(count)]
        batch = [{"op": "update", "id": id, "set": {"width": 200 + turn}} for id in ids]
        began = time.monotonic()
        editor.edited(*batch)
        waits.append(1000 * (time.monotonic() - began))
    return statistics.median(waits)


def windows(server: Server, extent: int, seconds: float, seed: int) -> float:
    """The windows a second that wrk receives on 32 connections. Each window has a different offset."""
    revision = server.revision("long")
    said = subprocess.run(
        ["wrk", "-t1", "-c32", f"-d{seconds:.0f}s", "-s", ROOT / "Benchmarks/HTTP/window.lua",
         f"http://127.0.0.1:{server.port}", "--", "long", str(revision), str(extent), str(seed)],
        capture_output=True, text=True, check=True).stdout  # fmt: skip
    assert "Non-2xx" not in said and "Socket errors" not in said, said
    return float(re.search(r"Requests/sec: *([\d.]+)", said)[1])


def size(database: Postgres | File) -> int:
    """The bytes of a database on the disk."""
    if isinstance(database, File):
        return sum(file.stat().st_size for file in database.parent.glob(f"{database.name}*"))
    return int(database.sql(str(database), "SELECT pg_database_size(current_database())"))


def main() -> None:
    wanted = argparse.ArgumentParser(usage=__doc__)
    wanted.add_argument("--seconds", type=float, default=8)
    wanted.add_argument("--writers", type=int, default=4)
    wanted.add_argument("--servers", type=int, default=2)
    wanted.add_argument("--items", type=int, default=1_000_000)
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
            "edits_one": round(edits(one, options.seconds), 1),
            "edits_many": round(edits(many, options.seconds), 1),
        }
        waits = followed(one[0], servers[-1])
        figures["followed_ms"] = round(statistics.median(waits), 2)
        figures["followed_p99"] = round(waits[len(waits) * 99 // 100], 2)
    finally:
        for server in servers:
            server.__exit__()
    with tempfile.TemporaryDirectory() as folder:
        for store in (database, File(Path(folder))):
            figures[type(store).__name__] = long(store, options.items, options.seconds)
    print(json.dumps(figures, indent=2))
    (OUT / "bench-cluster.json").write_text(json.dumps(figures) + "\n")


if __name__ == "__main__":
    if "POSTGRES" not in os.environ:
        os.execv(str(ROOT / "Scripts/with-postgres"), ["with-postgres", *sys.argv])
    main()
