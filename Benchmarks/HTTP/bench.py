#!/usr/bin/env python3
"""Compares carousel with nginx, which sends the same bytes from open files.

    Benchmarks/HTTP/bench.py [--seconds 3] [--pairs 9] [--items 10000000] [NAME ...]

Each server has one thread and its own core. The load generator has another core and 32 persistent
connections. The servers take turns. A figure is the upper quartile of the ratio carousel : nginx over all
pairs of runs. NAME compares requests a second. NAME_cpu compares requests for each second of the
server's processor time.

Requests have the ten header fields of browsers, in 64 forms. nginx compresses with gzip 1. Figures whose
name ends with _plain accept no compression. Requests of figures with _bare have only a Host. `postgres`
starts a PostgreSQL server and imports into it.
"""

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys

from pathlib import Path

from heads import ALL, NONE
from instructions import new, of_a_request, repeated
from load import again, elsewhere, h2load, listed, not_modified, percentile99, revision
from load import targets, wrk
from servers import ANY_WINDOW, CLIENT_CORE, EXTENT, OUT, ROOT, SERVER_CORE
from servers import carousel, database, hummingbird, imported, nginx

# The value of Accept-Encoding, by the end of a figure's name.
ACCEPTED = {"": ALL, "_plain": NONE, "_bare": None}
# The figures and their bars; None for a figure without one.
BARS = {
    "new": (1.1, "higher"), "new_plain": (0.65, "higher"), "new_bare": (None, "higher"),
    "repeated": (3.0, "higher"), "repeated_plain": (1.0, "higher"), "repeated_bare": (None, "higher"),
    "instructions_new": (120, "lower"), "instructions_new_plain": (None, "lower"),
    "instructions_new_bare": (None, "lower"), "instructions_repeated": (40, "lower"),
    "instructions_repeated_plain": (None, "lower"), "instructions_repeated_bare": (None, "lower"),
    "sqlite": (0.6, "higher"), "sqlite_plain": (None, "higher"),
    "postgres": (None, "higher"), "postgres_plain": (None, "higher"),
    "file": (1.0, "higher"), "not_modified": (1.2, "higher"), "hummingbird": (2.5, "higher"),
    "threads": (1.15, "lower"), "p99": (2.0, "lower"), "syscalls": (3.05, "lower"),
    "memory_mb": (400, "lower"),
}
FILE = "/favicon.svg"


def figure(name: str, value: float, unit: str = "x") -> dict:
    bar, better = BARS[name.removesuffix("_cpu")]
    met = None if bar is None else value >= bar if better == "higher" else value <= bar
    return dict(name=name, value=round(value, 3), unit=unit, bar=bar, better=better, met=met)


def quartile(values) -> float:
    return statistics.quantiles(values, n=4)[2]


def compared(name: str, ours, theirs, options, measure) -> list[dict]:
    """The figures of `name` from pairs of runs. `measure` takes a server, seconds and the number of the
    pair."""
    for server in (ours, theirs):
        measure(server, 1, 0)
    ratios = []
    for number in range(1, options.pairs + 1):
        other, own = measure(theirs, options.seconds, number), measure(ours, options.seconds, number)
        ratios.append((own.second / other.second, own.cpu / other.cpu))
    return [
        figure(label, quartile(column)) for label, column in zip((name, f"{name}_cpu"), zip(*ratios))
    ]


def hot(asked: list[str], accepted: str | None = NONE):
    """A measurement that requests the same windows repeatedly."""
    return lambda server, seconds, _: wrk(server, seconds, "", *again(asked, accepted))


def scattered(ours, strip: str, extent: int, accepted: str | None):
    """A measurement that requests a new window each time, the same windows from both servers."""
    pin = revision(ours, strip)
    return lambda server, seconds, number: wrk(
        server, seconds, "", *elsewhere(strip, pin, extent, number + 1, accepted))


def thousand(ours) -> list[str]:
    """The targets of a thousand windows of four kilobytes."""
    return targets(ours, "billion", EXTENT, 1000)


def files(ours, asked: list[str], folder: Path):
    """Writes carousel's answers as nginx's files: one for each of these targets, and one for all other
    targets."""
    windows = folder / "windows"
    windows.mkdir(parents=True, exist_ok=True)
    for old in windows.iterdir():
        old.unlink()
    for target in asked:
        (windows / target.rsplit("=", 1)[1]).write_bytes(ours.get(target).read())
    (folder / "window.json").write_bytes(ours.get(asked[0]).read())
    (folder / "favicon.svg").write_bytes((ROOT / "Public/favicon.svg").read_bytes())


def syscalls(server, asked: list[str]) -> float:
    """The system calls of all threads for each of a thousand repeated requests, including those of the
    connection's start and end."""
    calls = ["-c1", "-i", str(listed(server.url(target) for target in asked))]
    for _ in range(3):
        h2load(server, "-n2000", *calls)
    command = ["strace", "-f", "-c", "-p", str(server.process)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
        while "attached" not in tracer.stderr.readline():
            pass
        h2load(server, "-n1000", *calls)
        tracer.send_signal(signal.SIGINT)
        said = tracer.stderr.read()
    # The columns are % time, seconds, usecs/call, calls, errors (may be absent), name.
    total = next(line.split() for line in said.splitlines() if line.endswith(" total"))
    return int(total[3]) / 1000


def slowness(ours, theirs, options, asked: list[str]) -> dict:
    """The ratio of the 99th percentiles of latency, at 70 % of the slower server's capacity."""
    top = min(
        h2load(server, "-c32", "-D", "2", server.url(asked[0]))[1] / 2 for server in (ours, theirs))
    ratios = []
    for _ in range(options.pairs):
        other = percentile99(theirs, options.seconds, asked, top * 0.7)
        ratios.append(percentile99(ours, options.seconds, asked, top * 0.7) / other)
    return figure("p99", statistics.quantiles(ratios, n=4)[0])


def threads(options) -> dict:
    costs = []
    for count in (1, 2):
        with carousel(threads=count, cores=f"{SERVER_CORE},{CLIENT_CORE}") as ours:
            measure = hot(thousand(ours))
            measure(ours, 1, 0)
            runs = [measure(ours, options.seconds, n).cpu for n in range(5)]
            costs.append(1 / statistics.median(runs))
    return figure("threads", costs[1] / costs[0])


def measured(options) -> list[dict]:
    figures = []

    def wanted(*names: str) -> bool:
        return not options.names or any(name in options.names for name in names)

    def compare(name: str, ours, theirs, measure, *ends: str) -> None:
        """Adds the figures of `name` and its `ends`. `measure` takes the value of Accept-Encoding."""
        for end in ends:
            if wanted(name + end):
                figures.extend(compared(name + end, ours, theirs, options, measure(ACCEPTED[end])))

    folder = OUT / "nginx"
    with carousel() as ours:
        asked = thousand(ours)
        files(ours, asked, folder)
        with nginx(folder, ANY_WINDOW) as theirs:
            compare("repeated", ours, theirs, lambda a: hot(asked, a), *ACCEPTED)
            if wanted("p99"):
                figures.append(slowness(ours, theirs, options, asked))
        if wanted("syscalls"):
            figures.append(figure("syscalls", syscalls(ours, asked), "a request"))
    with carousel() as ours, nginx(folder) as theirs:
        compare("new", ours, theirs, lambda a: scattered(ours, "billion", EXTENT, a), *ACCEPTED)
        if wanted("file"):
            figures += compared("file", ours, theirs, options, hot([FILE]))
        if wanted("not_modified"):
            figures += compared(
                "not_modified", ours, theirs, options,
                lambda server, s, _: not_modified(server, s, FILE))
    if wanted("hummingbird"):
        with carousel() as ours, hummingbird(folder) as theirs:
            figures += compared("hummingbird", ours, theirs, options, hot(thousand(ours)))
    if wanted("sqlite", "sqlite_plain", "memory_mb"):
        with carousel("--database", str(database(options.items))) as ours, nginx(folder) as theirs:
            extent = options.items * 160
            compare(
                "sqlite", ours, theirs, lambda a: scattered(ours, "many", extent, a), "", "_plain")
            if not wanted("sqlite", "sqlite_plain"):
                scattered(ours, "many", extent, ALL)(ours, 10, 1)
            if wanted("memory_mb"):
                figures.append(figure("memory_mb", ours.megabytes(), "MB"))
    if wanted("postgres", "postgres_plain"):
        items = min(options.items, 1_000_000)
        address = os.environ["POSTGRES"]
        imported(address, items)
        with carousel("--database", address) as ours, nginx(folder) as theirs:
            compare(
                "postgres", ours, theirs, lambda a: scattered(ours, "many", items * 160, a),
                "", "_plain")
    if wanted("threads"):
        figures.append(threads(options))
    for name, targets in (("instructions_new", new), ("instructions_repeated", repeated)):
        for end, accepted in ACCEPTED.items():
            if wanted(name + end):
                count = of_a_request(targets, accepted) / 1000
                figures.append(figure(name + end, count, "thousand"))
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("names", nargs="*", help=f"only these figures: {', '.join(BARS)}")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BARS):
        sys.exit(f"no such figure: {', '.join(sorted(unknown))}; there are {', '.join(BARS)}")
    if "POSTGRES" not in os.environ and (not options.names or "postgres" in " ".join(options.names)):
        os.execv(str(ROOT / "Scripts/with-postgres"), ["with-postgres", *sys.argv])
    OUT.mkdir(parents=True, exist_ok=True)
    figures = measured(options)
    for one in figures:
        bound = f"{'>=' if one['better'] == 'higher' else '<='} {one['bar']}" if one["bar"] else ""
        verdict = {True: "met", False: "missed", None: ""}[one["met"]]
        print(f"{one['name']:<28}{one['value']:>10} {one['unit']:<10}{bound:>9}  {verdict}")
    (OUT / "bench-http.json").write_text(json.dumps({"figures": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
