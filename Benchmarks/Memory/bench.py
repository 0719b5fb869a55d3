#!/usr/bin/env python3
"""Measures the memory of a server under attack: make bench-memory.

    Benchmarks/Memory/bench.py [--items 2000000] [--strips 3] [--seconds 1800] [--connections 64]

The server has long strips in SQLite and default limits. Clients make edits with ever-new values, and request filters,
searches, sorts, facets and lists, none of them twice. One more client requests plain windows, first alone and then
during the attack. The attackers have the lowest priority, as if they were on another machine.

The figures are the largest resident size, its growth over the second half, and the 99th percentile of plain windows
under attack over that without. The bar of the size is the sum of the documented limits and 150 MB.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from serving import serving_port  # noqa: E402

OUT = ROOT / ".build/bench"
CAROUSEL = Path(os.environ.get("CAROUSEL", ROOT / ".build/release/carousel"))
DECLARED = ["--filterable", "artist,year,price", "--searchable", "title"]
WORDS = 50_000
#: Edits go to so many items of a strip again and again. So the data itself stays as large as it is.
EDITED = 20_000

#: The documented limits in MB: strips, views and facets, windows, unread answers, bodies, SQLite's page caches, program.
LIMITS = (512, 256, 32, 256, 64, 592, 30)


def item(number: int, dice: random.Random) -> dict:
    title = " ".join(f"w{dice.randrange(WORDS):05d}" for _ in range(4))
    fields = {
        "title": title,
        "artist": f"a{int(dice.paretovariate(0.6)) % 100_000}",
        "year": dice.randrange(1800, 1900),
        "price": dice.randrange(10_000),
    }
    return {"id": f"r{number:08}", "aspect": dice.choice((0.75, 1, 1.333, 1.5)), "fields": fields}


def database(items: int, strips: int) -> tuple[str, list[str]]:
    """A new copy of a database that is imported once."""
    kept = OUT / f"memory-{items}-{strips}.db"
    if not kept.exists():
        print(f"importing {strips} strips of {items} items", flush=True)
        for strip in range(strips):
            dice = random.Random(strip)
            command = [CAROUSEL, "import", "-", "--database", kept, "--strip", f"s{strip}"]
            command += ["--format", "jsonl", *DECLARED]
            with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
                for start in range(0, items, 10_000):
                    numbers = range(start, min(items, start + 10_000))
                    lines = [json.dumps(item(n, dice), separators=(",", ":")) for n in numbers]
                    process.stdin.write(("\n".join(lines) + "\n").encode())
            if process.returncode:
                sys.exit("the import failed")
    path = str(OUT / "memory.db")
    for name in (path, path + "-wal", path + "-shm"):
        Path(name).unlink(missing_ok=True)
    subprocess.run(["cp", kept, path], check=True)
    return path, [f"s{strip}" for strip in range(strips)]


def token(path: str, strip: str) -> str:
    run = [CAROUSEL, "token", "create", "--database", path, "--strip", strip]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()[-1]


class Attacker:
    """A connection whose requests are never repeated."""

    def __init__(self, port: int, seed: int, strips: list[str], tokens: list[str], items: int):
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.dice = random.Random(time.time_ns() ^ seed)
        self.strips, self.tokens, self.items = strips, tokens, items

    def request(self) -> tuple[str, int]:
        kind = self.dice.choice(("edit", "filter", "filter", "search", "sort", "facets", "list"))
        strip = self.dice.randrange(len(self.strips))
        method, target, body = getattr(self, kind)(self.strips[strip])
        headers = {"Content-Type": "application/json"} if body else {}
        if body:
            headers["Authorization"] = f"Bearer {self.tokens[strip]}"
        try:
            self.link.request(method, target, body, headers)
            reply = self.link.getresponse()
            answer = reply.read()
        except (OSError, http.client.HTTPException):
            self.link.close()
            return kind, 0
        if kind == "list" and reply.status in (200, 201):
            query = {"strip": self.strips[strip], "list": json.loads(answer)["list"]}
            self.link.request("GET", "/window?" + urlencode(query))
            reply = self.link.getresponse()
            reply.read()
        return kind, reply.status

    def id(self) -> str:
        return f"r{self.dice.randrange(self.items):08}"

    def edited_id(self) -> str:
        return f"r{self.dice.randrange(min(EDITED, self.items)) * max(1, self.items // EDITED):08}"

    def word(self) -> str:
        return f"w{self.dice.randrange(WORDS):05d}"

    def clause(self) -> str:
        low = self.dice.random() * 10_000
        return f"price {low:.6f} TO {low + 10 ** (self.dice.random() * 4):.6f}"

    def window(self, strip: str, **asked):
        return "GET", "/window?" + urlencode({"strip": strip, "width": 1024, **asked}), None

    def edit(self, strip: str):
        changes = []
        for _ in range(self.dice.randrange(1, 20)):
            fields = {"price": self.dice.random() * 10_000, "title": f"{self.word()} t{self.dice.random()}"}
            changes.append({"op": "update", "id": self.edited_id(), "set": {"fields": fields}})
        if self.dice.random() < 0.3:
            changes.append({"op": "move", "ids": [self.edited_id()], "before": self.id()})
        return "POST", f"/strips/{strip}/edits", json.dumps(changes).encode()

    def filter(self, strip: str):
        return self.window(strip, where=self.clause())

    def search(self, strip: str):
        return self.window(strip, q=f"{self.word()} {self.word()[: self.dice.randrange(2, 6)]}")

    def sort(self, strip: str):
        order = self.dice.choice(("price", "-year,price", "artist", "aspect,-price"))
        return self.window(strip, where=self.clause(), sort=order)

    def facets(self, strip: str):
        asked = {"field": self.dice.choice(("artist,year", "price", "kind")), "where": self.clause()}
        return "GET", f"/strips/{strip}/facets?{urlencode({**asked, 'limit': 1000})}", None

    def list(self, strip: str):
        ids = {self.id() for _ in range(self.dice.randrange(10, 2000))}
        return "POST", f"/strips/{strip}/lists", json.dumps(sorted(ids)).encode()


def attack(connections: int, counts, stop, *rest):
    """Runs attackers until `stop` is set. Their thousands of requests are counted in `counts`."""
    os.nice(19)
    total: Counter = Counter()

    def run(seed: int):
        attacker = Attacker(rest[0], seed, *rest[1:])
        while not stop.is_set():
            total[attacker.request()] += 1
            time.sleep(0.002)

    threads = [threading.Thread(target=run, args=[os.getpid() + n]) for n in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts.put(total)


class Windows(threading.Thread):
    """Requests plain windows at random offsets, fifty times a second."""

    def __init__(self, port: int, strips: list[str], extent: float):
        super().__init__(daemon=True)
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.strips, self.extent = strips, extent
        self.taken: list[float] = []
        self.ends = threading.Event()

    def run(self):
        dice = random.Random(1)
        while not self.ends.wait(0.02):
            offset = int(dice.random() * self.extent)
            query = urlencode({"strip": dice.choice(self.strips), "offset": offset, "width": 1024})
            begin = time.perf_counter()
            self.link.request("GET", f"/window?{query}")
            reply = self.link.getresponse()
            reply.read()
            self.taken.append(time.perf_counter() - begin)
            if reply.status != 200:
                print(f"a plain window is {reply.status}", flush=True)

    def p99(self) -> float:
        """Milliseconds, of the windows since the last call."""
        taken, self.taken = self.taken, []
        return statistics.quantiles(taken, n=100)[98] * 1000


def resident(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0


def get(port: int, target: str) -> tuple[int, bytes]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    link.request("GET", target)
    reply = link.getresponse()
    return reply.status, reply.read()


def measure(options) -> dict[str, float]:
    path, strips = database(options.items, options.strips)
    tokens = [token(path, strip) for strip in strips]
    command = [CAROUSEL, "serve", "--database", path, "--port", "0", *options.serve.split()]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT)
    port = serving_port(server)
    while get(port, "/readyz")[0] != 200:
        time.sleep(0.05)
    for strip in strips:
        while (reply := get(port, f"/window?strip={strip}&where=year=1700"))[0] == 503:
            time.sleep(1)
    extent = json.loads(get(port, f"/window?strip={strips[0]}")[1])["extent"]
    windows = Windows(port, strips, extent)
    windows.start()
    time.sleep(2)
    windows.p99()
    time.sleep(max(10, options.seconds / 20))
    alone = windows.p99()
    stop, counts = multiprocessing.Event(), multiprocessing.Queue()
    crew = (options.connections, counts, stop, port, strips, tokens, options.items)
    share = options.connections // 2
    attackers = [
        multiprocessing.Process(target=attack, args=(number, *crew[1:]))
        for number in (share, options.connections - share)
    ]
    for attacker in attackers:
        attacker.start()
    samples = []
    begin = time.monotonic()
    while time.monotonic() - begin < options.seconds:
        samples.append(resident(server.pid))
        if len(samples) % 30 == 0:
            print(f"{len(samples)} s: {samples[-1]:.0f} MB, {used(port)}", flush=True)
        time.sleep(1)
    attacked = windows.p99()
    windows.ends.set()
    windows.join()
    stop.set()
    made = sum((counts.get() for _ in attackers), Counter())
    for kind, number in sorted(made.items()):
        print(f"{kind[0]:<8}{kind[1]:>4}{number:>9}")
    server.terminate()
    server.wait()
    (OUT / "bench-memory-samples.json").write_text(json.dumps([round(s, 1) for s in samples]))
    half = samples[len(samples) // 2 :]
    part = max(1, len(half) // 5)
    growth = statistics.median(half[-part:]) / statistics.median(half[:part]) - 1
    return {
        "resident_mb": max(samples), "growth_percent": growth * 100, "window_p99_x": attacked / alone,
        "window_p99_ms": attacked, "window_p99_alone_ms": alone, "requests": made.total(),
    }  # fmt: skip


def used(port: int) -> str:
    """What the server counts."""
    lines = get(port, "/metrics")[1].decode().splitlines()
    names = ("carousel_strip_cache_bytes", "carousel_view_cache_bytes", "carousel_view_cache_views")
    return ", ".join(line for line in lines if line.split(" ")[0] in names)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=2_000_000)
    parser.add_argument("--strips", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=1800)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--serve", default="", help="more options of the server")
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    bars = {"resident_mb": ("MB", sum(LIMITS) + 150), "growth_percent": ("%", 2), "window_p99_x": ("x", 3)}
    figures = []
    for name, value in measure(options).items():
        figure = {"name": name, "value": round(value, 2)}
        if name in bars:
            unit, bar = bars[name]
            figure |= {"unit": unit, "bar": bar, "better": "lower", "met": value <= bar}
        else:
            figure["unit"] = name.rpartition("_")[2] if name.endswith("ms") else ""
        figures.append(figure)
        print(f"{name:<22}{figure['value']:>10} {figure['unit']:<3}" + (
            f"<= {figure['bar']} {'met' if figure['met'] else 'missed'}" if "bar" in figure else ""))
    (OUT / "bench-memory.json").write_text(json.dumps({"figures": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
