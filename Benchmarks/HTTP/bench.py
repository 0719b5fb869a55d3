#!/usr/bin/env python3
"""Measures carousel beside nginx, which sends the same bytes from a file it keeps open.

    Benchmarks/HTTP/bench.py [--seconds 3] [--pairs 9] [--items 10000000] [NAME ...]

Each has one thread on a core of its own, wrk another core, 32 connections that are kept. The two
take turns; a figure is the upper quartile over the pairs of the ratio carousel : nginx, once of
requests a second (NAME) and once of requests a second of the server's processor (NAME_cpu).

A 304 is not measured: ours says how long the body would be, as RFC 9110 allows, and wrk waits for it.
"""

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
OUT = ROOT / ".build/bench"
CAROUSEL = ROOT / ".build/release/carousel"
SERVER_CORE, CLIENT_CORE = "0", "1"
BARS = {"hot": 1.1, "random": 1.0, "sqlite": 0.4, "file": 1.0}

NGINX = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile off; keepalive_requests 1000000000; keepalive_timeout 600;
  open_file_cache max=1000 inactive=600s; open_file_cache_valid 600s;
  types {{ application/json json; image/svg+xml svg; }}
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{ listen 127.0.0.1:{port}; root {folder}; location = /window {{ try_files /window.json =404; }} }}
}}
"""


class Measured:
    """A server under measurement: where it listens, and the process whose time is counted."""

    def __init__(self, port: int, process: int):
        self.port, self.process = port, process

    def seconds_used(self) -> float:
        fields = Path(f"/proc/{self.process}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def get(self, target: str):
        return urllib.request.urlopen(f"http://127.0.0.1:{self.port}{target}")


@contextmanager
def ended(process: subprocess.Popen):
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


@contextmanager
def carousel(*arguments: str, threads: int = 1, cores: str = SERVER_CORE):
    command = ["taskset", "-c", cores, CAROUSEL, "serve", "--port", "0"]
    command += ["--threads", str(threads), *arguments]
    with ended(subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)) as process:
        port = int(process.stdout.readline().decode().rstrip("/\n").rsplit(":", 1)[1])
        yield Measured(port, process.pid)


@contextmanager
def nginx(folder: Path, port: int = 18099):
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, port=port))
    command = ["taskset", "-c", SERVER_CORE, "nginx", "-c", config, "-p", folder]
    with ended(subprocess.Popen(command)) as process:
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        server = Measured(port, 0)
        deadline = time.monotonic() + 10
        while not (workers.exists() and workers.read_text().split()):
            if time.monotonic() > deadline:
                sys.exit("nginx does not start: " + (folder / "error.log").read_text())
        server.process = int(workers.read_text().split()[0])
        yield server


def load(server: Measured, seconds: int, target: str, *rest: str) -> tuple[float, float]:
    """Requests a second, and a second of the server's processor."""
    command = ["taskset", "-c", CLIENT_CORE, "wrk", "-t1", "-c32", f"-d{seconds}s"]
    command += [*rest[:2], f"http://127.0.0.1:{server.port}{target}", *rest[2:]]
    used = server.seconds_used()
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    used = server.seconds_used() - used
    if refused := re.search(r"Non-2xx.*", said):
        sys.exit(f"{target}: {refused[0]}")
    count = int(re.search(r"(\d+) requests in", said)[1])
    return float(re.search(r"Requests/sec: *([\d.]+)", said)[1]), count / max(used, 0.01)


def compared(name: str, ours: Measured, theirs: Measured, options, target: str, *rest: str):
    """The figures of `name`, from pairs that take turns."""
    load(ours, 1, target, *rest)
    load(theirs, 1, target, *rest)
    ratios = []
    for _ in range(options.pairs):
        other = load(theirs, options.seconds, target, *rest)
        own = load(ours, options.seconds, target, *rest)
        ratios.append((own[0] / other[0], own[1] / other[1]))
    return [
        figure(label, statistics.quantiles(column, n=4)[2], "x", BARS[name], "higher")
        for label, column in zip((name, f"{name}_cpu"), zip(*ratios))
    ]


def figure(name: str, value: float, unit: str, bar: float, better: str) -> dict:
    met = value >= bar if better == "higher" else value <= bar
    return dict(name=name, value=round(value, 3), unit=unit, bar=bar, better=better, met=met)


def windows(server: Measured, strip: str, extent: int, different: int) -> list[str]:
    """wrk's words for windows of `strip` at its newest revision."""
    revision = json.load(server.get(f"/strips/{strip}"))["revision"]
    return ["-s", str(HERE / "window.lua"), "--", strip, str(revision), str(extent), str(different)]


def database(count: int) -> Path:
    """Ten million items of varied width, imported once."""
    path = OUT / f"items-{count}.db"
    if not path.exists():
        print(f"importing {count} items, once", flush=True)
        command = [CAROUSEL, "import", "-", "--database", path, "--strip", "many"]
        command += ["--format", "jsonl", "--gap", "8"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            for start in range(0, count, 10_000):
                process.stdin.write(
                    "".join(
                        f'{{"id":"n{n}","width":{72 + n * 7919 % 167},"fields":{{"title":"No. {n}",'
                        f'"subtitle":"{72 + n * 7919 % 167} px","color":"#5b7a99"}}}}\n'
                        for n in range(start, min(count, start + 10_000))
                    ).encode()
                )
    return path


def memory(server: Measured) -> float:
    status = Path(f"/proc/{server.process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def measure(options) -> list[dict]:
    figures = []

    def wanted(name: str) -> bool:
        return not options.names or name in options.names

    folder = OUT / "nginx"
    folder.mkdir(parents=True, exist_ok=True)
    with carousel() as ours, nginx(folder) as theirs:
        extent = 1_600_000_000  # of the first ten million items, about
        sample = ours.get("/window?strip=billion&width=1900&offset=987654321").read()
        (folder / "window.json").write_bytes(sample)
        (folder / "favicon.svg").write_bytes((ROOT / "Public/favicon.svg").read_bytes())
        for name, different in (("hot", 1000), ("random", 0)):
            if wanted(name):
                words = windows(ours, "billion", extent, different)
                figures += compared(name, ours, theirs, options, "", *words)
        if wanted("file"):
            figures += compared("file", ours, theirs, options, "/favicon.svg")
    if wanted("sqlite"):
        with carousel("--database", str(database(options.items))) as ours, nginx(folder) as theirs:
            words = windows(ours, "many", options.items * 160, 0)
            figures += compared("sqlite", ours, theirs, options, "", *words)
            figures.append(figure("memory_mb", memory(ours), "MB", 400, "lower"))
    if wanted("threads"):
        costs = []
        for threads in (1, 2):
            with carousel(threads=threads, cores=f"{SERVER_CORE},{CLIENT_CORE}") as ours:
                words = windows(ours, "billion", 1_600_000_000, 1000)
                runs = [load(ours, options.seconds, "", *words)[1] for _ in range(5)]
                costs.append(1 / statistics.median(runs))
        figures.append(figure("threads", costs[1] / costs[0], "x", 1.15, "lower"))
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--items", type=int, default=10_000_000)
    parser.add_argument("names", nargs="*", help="only these figures")
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    figures = measure(options)
    for one in figures:
        bound = f"{'>=' if one['better'] == 'higher' else '<='} {one['bar']}"
        verdict = "met" if one["met"] else "missed"
        print(f"{one['name']:<18}{one['value']:>10} {one['unit']:<4}{bound:>9}  {verdict}")
    (OUT / "bench-http.json").write_text(json.dumps({"figures": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
