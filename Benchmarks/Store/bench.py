#!/usr/bin/env python3
"""Measures a store: imports compared with `sqlite3 .import`, and the time until a server is ready.

    Benchmarks/Store/bench.py [--items 10000000] [--strips 200000] [--windows 2000] [NAME ...]

import    carousel's time for a table of ITEMS items, divided by sqlite3's time for the same rows, table and
          indexes; and carousel's peak memory
ready     the time from a server's start to the first 200 of /readyz, divided by the time that sqlite3 takes to
          read the rows of the layout; once from the disk, once from the page cache
strips    with STRIPS strips of 60 items: the time until a server is ready, the time of the first window of a
          strip (p50, p99), the time of a page of /strips, and the memory after WINDOWS windows

A short form: --items 100000 --strips 2000 --windows 500
"""

import argparse
import json
import os
import random
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "Benchmarks"))

from serving import serving_port  # noqa: E402

OUT = ROOT / ".build/bench"
CAROUSEL = Path(os.environ.get("CAROUSEL", ROOT / ".build/release/carousel"))
ONE = ["--strip", "many", "--gap", "0", "--map", "width=width", "--map", "group=group", "--map", "fields=*"]
MANY = ["--strip-from", "strip", "--gap", "0", "--map", "width=width", "--map", "fields=*"]


def figure(name: str, value: float, unit: str, bar: float) -> dict:
    return dict(
        name=name, value=round(value, 3), unit=unit, bar=bar, better="lower", met=value <= bar
    )


def table(name: str, *words) -> Path:
    path = OUT / f"{name}.csv"
    if not path.exists():
        partial = path.with_suffix(".part")
        with partial.open("wb") as file:
            subprocess.run([HERE / "rows.py", *map(str, words)], stdout=file, check=True)
        partial.rename(path)
    return path


def timed(command: list, **options) -> tuple[float, float]:
    """The seconds that a command took, and its peak memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command} failed")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def remove(path: Path) -> Path:
    for suffix in ("", "-wal", "-shm", "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    return path


def sqlite(path: Path, script: str) -> str:
    return subprocess.run(
        ["sqlite3", path], input=script, capture_output=True, text=True, check=True
    ).stdout


def import_ratio(items: int) -> list[dict]:
    source = table(f"one-{items}", "one", items)
    ours = remove(OUT / f"one-{items}.db")
    seconds, memory = timed([CAROUSEL, "import", source, "--database", ours, *ONE])
    # The same rows as text, for the same table. An absent value is 0, because .import has no NULL.
    rows = OUT / f"one-{items}.rows.csv"
    names = sqlite(ours, "SELECT name FROM pragma_table_info('item');").split()
    columns = ", ".join("0" if name == "aspect" else f'"{name}"' for name in names)
    sqlite(ours, f".mode csv\n.output {rows}\nSELECT {columns} FROM item;\n")
    schema = sqlite(ours, "SELECT sql || ';' FROM sqlite_schema WHERE name = 'item';")
    theirs = remove(OUT / "theirs.db")
    sqlite(theirs, f"PRAGMA page_size = 8192; {schema}")
    start = time.monotonic()
    sqlite(theirs, f"PRAGMA foreign_keys = OFF;\n.import --csv {rows} item\n")
    base = time.monotonic() - start
    print(f"import {seconds:.1f} s, sqlite3 .import {base:.1f} s")
    remove(theirs)
    rows.unlink()
    return [
        figure("import", seconds / base, "x", 3),
        figure("import_memory", memory, "MB", 300),
    ]


class Server:
    """A process of `carousel serve`. `seconds` is the time from its start until it was ready."""

    def __init__(self, database: Path):
        start = time.monotonic()
        self.process = subprocess.Popen(
            [CAROUSEL, "serve", "--database", database, "--port", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        # Earlier requests would use the server's processor.
        self.port = serving_port(self.process)
        while not self.is_ready():
            if self.process.poll() is not None:
                sys.exit("the server ended")
        self.seconds = time.monotonic() - start

    def get(self, target: str) -> bytes:
        return urllib.request.urlopen(f"http://127.0.0.1:{self.port}{target}").read()

    def is_ready(self) -> bool:
        try:
            self.get("/readyz")
            return True
        except OSError:
            time.sleep(0.002)
            return False

    def memory(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


@contextmanager
def serving(database: Path):
    server = Server(database)
    try:
        yield server
    finally:
        server.process.send_signal(signal.SIGTERM)
        server.process.wait()


def forget(path: Path) -> None:
    """Evicts a file from the system's page cache, so that it is read from the disk."""
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def ready_ratio(items: int) -> list[dict]:
    database = OUT / f"one-{items}.db"
    if not database.exists():
        timed([CAROUSEL, "import", table(f"one-{items}", "one", items), "--database", database, *ONE])
    figures = []
    for name, prepare in (("ready", forget), ("ready_again", lambda _: None)):
        bases, ours = [], []
        for _ in range(5):
            prepare(database)
            start = time.monotonic()
            with closing(sqlite3.connect(database)) as connection:
                for _row in connection.execute("SELECT * FROM layout"):
                    pass
            bases.append(time.monotonic() - start)
            prepare(database)
            with serving(database) as server:
                ours.append(server.seconds)
                memory = server.memory()
        print(f"{name} after {min(ours):.2f} s, its layout is read in {min(bases):.2f} s")
        figures.append(figure(name, min(ours) / min(bases), "x", 2))
    return [*figures, figure("ready_memory", memory, "MB", 400)]


def many_strips(strips: int, windows: int) -> list[dict]:
    database = OUT / f"many-{strips}.db"
    if not database.exists():
        source = table(f"many-{strips}", "many", strips, 60)
        seconds, memory = timed([CAROUSEL, "import", source, "--database", database, *MANY])
        print(f"import of {strips} strips {seconds:.1f} s, {memory:.0f} MB")
    asked = random.Random(7).sample(range(strips), min(windows, strips))
    with serving(database) as server:
        times = []
        for strip in asked:
            start = time.monotonic()
            server.get(f"/window?strip=s{strip:06d}&offset=2000&width=1280")
            times.append(1000 * (time.monotonic() - start))
        start = time.monotonic()
        server.get(f"/strips?after=s{strips // 2:06d}&limit=100")
        page = 1000 * (time.monotonic() - start)
        for strip in range(strips):
            server.get(f"/strips/s{strip:06d}")
        cuts = statistics.quantiles(times, n=100)
        return [
            figure("strips_ready", server.seconds, "s", 10),
            figure("strips_cold_p50", cuts[49], "ms", 20),
            figure("strips_cold_p99", cuts[98], "ms", 20),
            figure("strips_page", page, "ms", 20),
            figure("strips_memory", server.memory(), "MB", 1024),
        ]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--strips", type=int, default=200_000)
    parser.add_argument("--windows", type=int, default=2000)
    parser.add_argument("names", nargs="*", help="import, ready, strips: only these")
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    measures = {
        "import": lambda: import_ratio(options.items),
        "ready": lambda: ready_ratio(options.items),
        "strips": lambda: many_strips(options.strips, options.windows),
    }
    figures = []
    for name, measure in measures.items():
        if not options.names or name in options.names:
            figures += measure()
    for one in figures:
        verdict = "met" if one["met"] else "missed"
        print(f"{one['name']:<18}{one['value']:>10} {one['unit']:<4}<= {one['bar']:<6} {verdict}")
    (OUT / "bench-store.json").write_text(json.dumps({"figures": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
