#!/usr/bin/env python3
"""Compares the three ways to distribute connections to libmicrohttpd's threads (threads.c), with answers of 4 KB.

    Benchmarks/HTTP/Threads/compare.py [--threads 2] [--seconds 3] [--rounds 5]

The server and the load generator use all cores. So compare the models by the server's processor time for
a request, and by the number of connections on each thread.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from load import wrk  # noqa: E402
from servers import OUT, Measured, ended  # noqa: E402

MODELS = ("acceptor", "reuseport", "pool")


def measured(model: str, threads: int, seconds: int):
    """The requests a second, the requests for each second of the processor, and the connections of
    each thread."""
    command = [OUT / "threads", model, str(threads), "4096"]
    pipe = subprocess.PIPE
    with ended(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)) as process:
        server = Measured(int(process.stdout.readline()), process.pid)
        load = ["wrk", "-t1", "-c32", "-d2s", server.url("/")]
        with subprocess.Popen(load, stdout=subprocess.DEVNULL) as idle:
            shares = []
            while sum(shares) < 32 and idle.poll() is None:
                process.stdin.write("\n")
                process.stdin.flush()
                shares = [int(n) for n in process.stdout.readline().split()]
        return wrk(server, seconds, "/"), shares


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    source = HERE / "threads.c"
    subprocess.run(
        ["cc", "-O2", "-Wall", "-o", OUT / "threads", source, "-lmicrohttpd", "-lpthread"],
        check=True)
    rates = {(model, count): [] for model in MODELS for count in (1, options.threads)}
    shares = {model: [] for model in MODELS}
    for _ in range(options.rounds):
        for model, count in rates:
            rate, share = measured(model, count, options.seconds)
            rates[model, count].append(rate.cpu)
            if count > 1:
                shares[model].append("+".join(map(str, share)))
    for model in MODELS:
        one, more = (statistics.median(rates[model, n]) for n in (1, options.threads))
        print(f"{model:<10} {one:>9.0f} {more:>9.0f} requests a CPU-second with 1 and "
              f"{options.threads} threads; connections {', '.join(shares[model])}")


if __name__ == "__main__":
    main()
