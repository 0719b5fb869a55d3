#!/usr/bin/env python3
"""Measures which share of the requests of a thousand readers reaches carousel behind Varnish.

    Benchmarks/Cache/bench.py [--seconds 60] [--readers 1000] [--edits 5] [--items 10000000]
                             [--live 1] [--front 0.95] [-- SERVE]

Varnish runs with Deployment/varnish/carousel.vcl. The number of readers is constant: when a reader
leaves, another comes. Readers have viewports of 40 sizes, with Zipf-distributed frequency. Most start at
the front of the strip. The others start at one of 50 linked places, also Zipf-distributed. A reader
scrolls for some flings and leaves. Edits change the strip at its front, in its middle and at its end.
`--live` is the share of readers who follow each revision, as the page does. `--front` is the share of
readers who start at the front. Options after `--` go to `carousel serve` and replace
`--fresh-for 15 --announce-every 30`.
"""

import argparse
import asyncio
import http.client
import itertools
import json
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from readers import Reader, Tally

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from serving import serving_port  # noqa: E402

HERE = Path(__file__).resolve().parent
OUT = ROOT / ".build/bench"
CAROUSEL = ROOT / ".build/release/carousel"
STRIP, PLACES, SEED = "many", 50, 7
SERVE = ["--fresh-for", "15", "--announce-every", "30"]


@contextmanager
def ended(process: subprocess.Popen):
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def database(count: int) -> Path:
    """A copy of a strip of items of different widths. The strip is imported once; edits change the
    copy."""
    kept, path = OUT / f"items-{count}.db", OUT / "cache.db"
    if not kept.exists():
        print(f"importing {count} items, once", flush=True)
        command = [CAROUSEL, "import", "-", "--database", kept, "--strip", STRIP]
        command += ["--format", "jsonl", "--gap", "8"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            for start in range(0, count, 10_000):
                lines = (
                    f'{{"id":"n{n}","width":{72 + n * 7919 % 167},"fields":{{"title":"No. {n}",'
                    f'"subtitle":"{72 + n * 7919 % 167} px","color":"#5b7a99"}}}}\n'
                    for n in range(start, min(count, start + 10_000))
                )
                process.stdin.write("".join(lines).encode())
    for old in OUT.glob("cache.db*"):
        old.unlink()
    subprocess.run(["cp", "--reflink=auto", kept, path], check=True)
    return path


@contextmanager
def carousel(path: Path, options: list[str]):
    command = [CAROUSEL, "serve", "--database", path, "--port", "0"]
    limits = ["--connection-limit", "8192", "--stream-limit", "8192"]
    pipes = dict(stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with ended(subprocess.Popen([*command, *limits, *options], **pipes, cwd=ROOT)) as running:
        yield serving_port(running)


@contextmanager
def varnish(back: int):
    """Starts Varnish with the file of Deployment in front of the server, and yields Varnish's port."""
    folder = OUT / "varnish"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    vcl = (ROOT / "Deployment/varnish/carousel.vcl").read_text()
    (folder / "carousel.vcl").write_text(vcl.replace('"8080"', f'"{back}"'))
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    command = ["varnishd", "-F", "-j", "none", "-n", folder / "work", "-s", "malloc,1g"]
    # One thread for each reader, because all readers can send a request at the same time.
    command += ["-p", "thread_pool_min=500", "-p", "thread_queue_limit=2000"]
    command += ["-f", folder / "carousel.vcl", "-a", f"127.0.0.1:{port}"]
    with (folder / "log").open("wb") as log, ended(
        subprocess.Popen(command, stdout=log, stderr=log)
    ) as running:
        deadline = time.monotonic() + 20
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/strips/{STRIP}").read()
                break
            except OSError:
                if running.poll() is not None or time.monotonic() > deadline:
                    sys.exit((folder / "log").read_text())
        yield port


def reached(port: int) -> int:
    """The number of windows and event streams that the server itself has answered."""
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    name = "http_server_request_duration_seconds_count"
    counts = re.findall(rf'^{name}\{{.*method="GET".*route="(.*?)"\}} (\d+)$', text, re.M)
    return sum(int(n) for route, n in counts if route in ("/window", "/events"))


class Editor(threading.Thread):
    """Edits the strip `rate` times a second, until `ended` is set."""

    def __init__(self, port: int, path: Path, rate: float, count: int):
        super().__init__()
        said = subprocess.run(
            [CAROUSEL, "token", "create", "--database", path, "--strip", STRIP],
            capture_output=True,
            check=True,
        )
        self.token = said.stdout.decode().splitlines()[-1]
        self.port, self.rate, self.count = port, rate, count
        self.made, self.ended = 0, threading.Event()

    def run(self) -> None:
        link = http.client.HTTPConnection("127.0.0.1", self.port)
        fields = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        due = time.monotonic()
        for n in itertools.count():
            place = (0, self.count // 2, self.count - 1)[n // 2 % 3]
            item = {"id": f"edit{n // 2}", "width": 100 + n % 50, "fields": {"title": "New"}}
            op = {"op": "insert", "before": f"n{place}", "items": [item]}
            if n % 2:
                op = {"op": "remove", "ids": [item["id"]]}
            link.request("POST", f"/strips/{STRIP}/edits", json.dumps([op]), fields)
            answer = link.getresponse()
            said = answer.read()
            if answer.status != 200:
                sys.exit(f"an edit was answered {answer.status}: {said[:200]!r}")
            self.made += 1
            due += 1 / self.rate
            if self.ended.wait(max(due - time.monotonic(), 0)):
                return


class Crowd:
    """Makes readers with random viewports and random start positions."""

    def __init__(self, extent: int, front: float):
        self.dice, self.front = random.Random(SEED), front
        words = (HERE / "viewports.txt").read_text().split("\n", 1)[1].split()
        self.widths = [int(word) for word in words]
        self.places = [self.dice.randrange(extent) for _ in range(PLACES)]

    def one_of(self, values: list[int]) -> int:
        """One of `values`. Earlier values are more frequent (Zipf)."""
        weights = [1 / (rank + 1) for rank in range(len(values))]
        return self.dice.choices(values, weights)[0]

    def reader(self, port: int, tally: Tally) -> Reader:
        start = 0 if self.dice.random() < self.front else self.one_of(self.places)
        dice = random.Random(self.dice.random())
        return Reader(port, STRIP, self.one_of(self.widths), start, tally, dice)


def staleness(serve: list[str]) -> float:
    """The seconds after which the page opens its event stream, if `serve` has these options."""
    return float(serve[serve.index("--fresh-for") + 1]) if "--fresh-for" in serve else 0


async def read(port: int, options, extent: int) -> Tally:
    """Runs all readers. The first readers start over some seconds, not all at once."""
    tally, crowd = Tally(), Crowd(extent, options.front)
    until = time.monotonic() + options.seconds

    async def seat(number: int):
        await asyncio.sleep(number / options.readers * min(10, options.seconds / 4))
        while time.monotonic() < until:
            reader = crowd.reader(port, tally)
            reading = asyncio.create_task(reader.read(until))
            if crowd.dice.random() < options.live:
                hearing = asyncio.create_task(reader.listen(staleness(options.serve), until))
                await reading
                hearing.cancel()
            else:
                await reading

    await asyncio.gather(*(seat(number) for number in range(options.readers)))
    return tally


def figure(name: str, value: float, unit: str, bar: float, better: str = "lower") -> dict:
    met = value <= bar if better == "lower" else value >= bar
    return dict(name=name, value=round(value, 3), unit=unit, bar=bar, better=better, met=met)


def measure(options) -> list[dict]:
    path = database(options.items)
    with carousel(path, options.serve) as back, varnish(back) as port:
        editor = Editor(back, path, options.edits, options.items)
        editor.start()
        before, began = reached(back), time.monotonic()
        try:
            tally = asyncio.run(read(port, options, options.items * 160))
        finally:
            editor.ended.set()
            editor.join()
        took, asked = time.monotonic() - began, reached(back) - before
    slowest = statistics.quantiles(tally.seconds, n=100)[98] * 1000
    print(f"{tally.requests / took:.0f} requests/s by {options.readers} readers on 40 viewports,")
    print(f"{editor.made / took:.1f} edits/s; {tally.revisions} times one went on to a revision;")
    print(f"{100 * tally.streams / tally.requests:.1f} % of the requests open an event stream; p99 of an answer {slowest:.0f} ms, in {took:.0f} s")
    for error in tally.errors[:5]:
        print(f"  {error}")
    return [
        figure("reaching", 100 * asked / tally.requests, "%", 10),
        figure("errors", len(tally.errors), "", 0),
        figure("edits", editor.made / took, "1/s", 0.9 * options.edits, "higher"),
        figure("readers", options.readers, "", options.readers, "higher"),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--readers", type=int, default=1000)
    parser.add_argument("--edits", type=float, default=5)
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("--live", type=float, default=1)
    parser.add_argument("--front", type=float, default=0.95)
    parser.add_argument("serve", nargs="*", help="options of `carousel serve`, behind --")
    options = parser.parse_args()
    options.serve = options.serve or SERVE
    OUT.mkdir(parents=True, exist_ok=True)
    figures = measure(options)
    for one in figures:
        bound = f"{'>=' if one['better'] == 'higher' else '<='} {one['bar']}"
        verdict = "met" if one["met"] else "missed"
        print(f"{one['name']:<12}{one['value']:>10} {one['unit']:<5}{bound:>9}  {verdict}")
    (OUT / "bench-cache.json").write_text(json.dumps({"figures": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
