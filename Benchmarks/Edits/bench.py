#!/usr/bin/env python3
"""Measures the time of an edit of a long strip in SQLite, from request to answer: make bench-edits.

    Benchmarks/Edits/bench.py [--items 10000000] [--rounds 15] [--pause 0] [--database FILE]
                              [--sizes 1 10 100 1000] [--operations update insert move remove]

An edit of k items is one POST. The items are neighbors (`local`) or at random places (`scattered`). A
figure is the median over the rounds, less the median of a bare fsync of one page to the same disk. Its
bar is 5 ms + 20 us x k. `seen` is the time of the window at the edited item, after the edit's answer.
The file is locked in memory if the system permits it.
"""

import argparse
import ctypes
import http.client
import json
import mmap
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from serving import serving_port  # noqa: E402

OUT = ROOT / ".build/bench"
CAROUSEL = ROOT / ".build/release/carousel"
STRIP = "long"


def database(count: int) -> Path:
    """Items like those of a museum's catalogue, imported once."""
    path = OUT / f"museum-{count}.db"
    if not path.exists():
        print(f"importing {count} items, once", flush=True)
        command = [CAROUSEL, "import", "-", "--database", path, "--strip", STRIP]
        command += ["--format", "jsonl", "--gap", "4"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            for start in range(0, count, 10_000):
                lines = (line(n) for n in range(start, min(count, start + 10_000)))
                process.stdin.write("".join(lines).encode())
        if process.returncode:
            sys.exit("the import failed")
    return path


def line(n: int) -> str:
    fields = {
        "title": f"A picture, the {n}. of its kind",
        "subtitle": f"Somebody of the school of {n % 977}",
        "image": f"https://example.org/pictures/{n}/{{w}}.jpg",
        "year": str(1500 + n % 500),
    }
    item = {"id": f"r{n:08}", "kind": ("artwork", "print", "drawing")[n % 3]}
    item |= {"aspect": (0.75, 1, 1.333, 1.5, 0.66)[n % 5], "fields": fields}
    return json.dumps(item, separators=(",", ":")) + "\n"


def hold(path: Path):
    """Locks the file in memory until the benchmark ends, because the system could evict pages that are
    not used."""
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + 3 * [ctypes.c_int] + [ctypes.c_long]
    libc.mlock.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    size = path.stat().st_size
    with open(path, "rb") as file:
        start = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    if libc.mlock(start, size):
        print("the file may not be held in memory: reading it once", flush=True)
        with open(path, "rb", buffering=0) as file:
            while file.read(8 << 20):
                pass


def fsync(folder: Path) -> float:
    """The median of the seconds of a bare fsync."""
    path = folder / "fsync.tmp"
    taken = []
    with open(path, "wb", buffering=0) as file:
        for _ in range(40):
            file.write(bytes(8192))
            start = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - start)
    path.unlink()
    return statistics.median(taken)


class Server:
    def __init__(self, path: Path):
        run = [CAROUSEL, "token", "create", "--database", path, "--strip", STRIP]
        said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        self.fields = {
            "Authorization": f"Bearer {said.splitlines()[-1]}",
            "Content-Type": "application/json",
        }
        command = [CAROUSEL, "serve", "--database", path, "--port", "0", "--body-limit", "10000000"]
        pipes = dict(stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.process = subprocess.Popen(command, **pipes, cwd=ROOT)
        self.link = http.client.HTTPConnection("127.0.0.1", serving_port(self.process))

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[float, dict]:
        start = time.perf_counter()
        self.link.request(method, path, body, self.fields if body else {})
        answer = self.link.getresponse()
        content = answer.read()
        taken = time.perf_counter() - start
        if answer.status != 200:
            sys.exit(f"{method} {path}: {answer.status} {content[:300]}")
        return taken, json.loads(content)

    def edit(self, batch: list) -> float:
        body = json.dumps(batch).encode()
        taken, said = self.ask("POST", f"/strips/{STRIP}/edits", body)
        self.revision = said["revision"]
        return taken

    def seconds_used(self) -> float:
        """The processor seconds of all threads."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        self.process.wait()


class Edits:
    """Batches of one kind, of random items. Each batch changes every item that it names."""

    def __init__(self, count: int):
        self.random = random.Random(7)
        self.run = str(int(time.time()))
        #: Batches of inserted items, which later edits remove.
        self.inserted: dict[tuple[int, str], list[list[str]]] = {}
        self.count = count
        self.made = 0

    def items(self, k: int, place: str, others: int = 0) -> list[str]:
        """The ids of k items, neighbors or scattered, then of `others` that are different scattered
        items."""
        if place == "scattered":
            chosen = self.random.sample(range(self.count), k + others)
        else:
            start = self.random.randrange(self.count - k + 1)
            chosen = list(range(start, start + k))
            for n in self.random.sample(range(self.count - k), others):
                chosen.append(n if n < start else n + k)
        return [f"r{n:08}" for n in chosen]

    def new(self) -> dict:
        self.made += 1
        return json.loads(line(self.made)) | {"id": f"new-{self.run}-{self.made}"}

    def insert(self, k: int, place: str) -> list[dict]:
        items = [self.new() for _ in range(k)]
        self.inserted.setdefault((k, place), []).append([item["id"] for item in items])
        return items

    def batch(self, operation: str, k: int, place: str) -> tuple[list, str]:
        """The operations, and the item whose window is requested afterwards."""
        if operation == "remove":
            ids = self.inserted[k, place].pop()
            return [{"op": "remove", "ids": [id]} for id in ids], "r00000000"
        if operation == "update":
            ids = self.items(k, place)
            self.made += 1
            # Each batch has a different value, because SQLite does not write a value that a row already
            # has.
            aspect = 1.25 + self.made % 1000 / 1000
            changes = {"aspect": aspect, "fields": {"title": f"Title {self.made} of {self.run}"}}
            return [{"op": "update", "id": id, "set": changes} for id in ids], ids[0]
        if place == "local":
            *ids, at = self.items(k, place, others=1)
            if operation == "move":
                return [{"op": "move", "ids": ids, "before": at}], ids[0]
            items = self.insert(k, place)
            return [{"op": "insert", "before": at, "items": items}], items[0]["id"]
        if operation == "move":
            ids = self.items(k, place, others=k)
            batch = [{"op": "move", "ids": [i], "before": t} for i, t in zip(ids, ids[k:])]
            return batch, ids[0]
        items = self.insert(k, place)
        batch = [
            {"op": "insert", "before": i, "items": [n]}
            for i, n in zip(self.items(k, place), items)
        ]
        return batch, items[0]["id"]


def measure(options) -> list[dict]:
    path = options.database or database(options.items)
    hold(path)
    bare = fsync(path.parent)
    figures = [dict(name="fsync", value=round(bare * 1000, 3), unit="ms")]
    server = Server(path)
    try:
        _, said = server.ask("GET", f"/strips/{STRIP}")
        edits = Edits(min(options.items, said["count"]))
        server.ask("GET", f"/window?strip={STRIP}&width=1280")
        server.edit(edits.batch("update", 1, "local")[0])
        for operation in options.operations:
            for place in ("local", "scattered"):
                for k in options.sizes:
                    if k == 1 and place == "scattered":
                        continue
                    taken, seen = [], []
                    for _ in range(options.rounds):
                        batch, item = edits.batch(operation, k, place)
                        time.sleep(options.pause)
                        taken.append(server.edit(batch))
                        target = f"/window?strip={STRIP}&width=1280&item={item}"
                        late, window = server.ask("GET", target)
                        if window["revision"] != server.revision:
                            sys.exit("an edit is not in the window")
                        seen.append(late)
                    name = f"{operation}_{place}_{k}"
                    cost = (statistics.median(taken) - bare) * 1000
                    bar = 5 + 0.02 * k
                    figures.append(
                        dict(
                            name=name, value=round(cost, 2), unit="ms", bar=round(bar, 2),
                            better="lower", met=cost <= bar, worst=round(max(taken) * 1000, 2),
                            seen=round(statistics.median(seen) * 1000, 2),
                        )
                    )  # fmt: skip
                    tell(figures[-1])
    finally:
        server.end()
    return figures


def tell(one: dict):
    verdict = "met" if one["met"] else "missed"
    print(
        f"{one['name']:<24}{one['value']:>9} {one['unit']} <= {one['bar']:<6} {verdict:<7}"
        f" worst {one['worst']}, seen {one['seen']}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--pause", type=float, default=0, help="seconds before each edit")
    parser.add_argument("--database", type=Path, help="one that is there, of r00000000 and so on")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1, 10, 100, 1000])
    parser.add_argument(
        "--operations", nargs="*", default=["update", "insert", "move", "remove"]
    )
    options = parser.parse_args()
    if 2 * max(options.sizes, default=1) > options.items:
        parser.error("--items must be at least twice the largest size")
    OUT.mkdir(parents=True, exist_ok=True)
    figures = measure(options)
    print(f"a bare fsync: {figures[0]['value']} ms")
    (OUT / "bench-edits.json").write_text(json.dumps({"figures": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
