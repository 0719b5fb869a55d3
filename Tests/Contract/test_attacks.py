"""Clients that mean no good cost those who do very little.

In `make test` each attack is short and small; `make soak` sets `ATTACKERS` to 1000 connections of
each kind, `ATTACK_SECONDS` to 60 and `FLOODED_ITEMS` to 10 million.
"""

import itertools
import os
import re
import resource
import subprocess
import threading
import time
from pathlib import Path

import pytest

from command import ROOT, binary, carousel, environment
from load import Clients
from server import Server
from waiting import come_to

ATTACKERS = int(os.environ.get("ATTACKERS", "200"))
SECONDS = int(os.environ.get("ATTACK_SECONDS", "5"))
ITEMS = int(os.environ.get("FLOODED_ITEMS", "200000"))
DEADLINE = 2  # seconds that the server gives a head, a body and a stalled answer
GOOD = ["/window?strip=albums&width=1000", "/livez", "/window?strip=billion&offset=7000"]

#: Heads that never end, bodies that never end, ranges of nothing, answers that are not taken.
KINDS = {
    "slow heads": ["-H", "-i", "1"],
    "slow bodies": ["-B", "-i", "1", "-s", "8192"],
    "ranges": ["-R", "-a", "5", "-b", "300"],
    "slow readers": ["-X", "-w", "8", "-y", "16", "-n", "1", "-z", "8", "-k", "3"],
}


def gauge(server: Server, name: str) -> float:
    """The sum of a metric over its labels."""
    found = re.findall(rf"^{name}(?:\{{.*\}})? ([0-9.e+-]+)$", server.get("/metrics").text, re.M)
    assert found, name
    return sum(map(float, found))


@pytest.fixture
def many_files():
    """As many files at once as the attackers need, who inherit the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("kind", KINDS)
def test_slow_clients_keep_nobody_else_waiting(kind, serving, many_files, tmp_path):
    limits = [f"--{phase}-deadline={DEADLINE}" for phase in ("head", "body", "response", "idle")]
    server = serving("--threads", "2", *limits)
    clients = Clients(server.port, GOOD, count=4, always=True, pause=0.02)
    attack = ["slowhttptest", *KINDS[kind], "-c", str(ATTACKERS), "-r", str(ATTACKERS)]
    attack += ["-l", str(SECONDS + 2 * DEADLINE), "-p", "1"]
    attack += ["-u", f"http://127.0.0.1:{server.port}/js/element/carousel-strip.js"]
    with clients.asking() as tally:
        attackers = subprocess.Popen(
            attack, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            most = 0.0
            ended_by = time.monotonic() + SECONDS + 3 * DEADLINE + 5
            while attackers.poll() is None and time.monotonic() < ended_by:
                clients.wait_for(10)
                most = max(most, gauge(server, "http_server_open_connections"))
            # None of them is left, whether or not they have given up.
            come_to(
                lambda: gauge(server, "http_server_open_connections") <= 6,
                "the attackers are still connected",
            )
        finally:
            attackers.kill()
            attackers.wait()
    # Ranges are answered at once, with all there is: those who ask for them have nothing to wait for.
    assert most > 6 or kind == "ranges", "nobody attacked"
    assert tally.failures == []
    assert set(tally.statuses) == {200}
    # Whoever waited for one of them would wait until the server gives it up.
    assert tally.quantile(0.99) < DEADLINE / 2


def test_without_files_to_spare_it_neither_spins_nor_babbles(many_files):
    command = f'ulimit -n 64; exec "{binary()}" serve --port 0 --threads 2'
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        port = int(process.stdout.readline().decode().rstrip("/\n").rsplit(":", 1)[1])
        clients = Clients(port, ["/livez"], count=200)
        with clients.asking() as tally:
            clients.wait_for(200)
        assert tally.statuses[200] > 0
        assert set(tally.statuses) <= {200, 503}
        # All have gone: it is idle, and answers.
        alone = Clients(port, ["/livez"], count=1)
        with alone.asking() as after:
            come_to(lambda: after.statuses.get(200, 0) > 0, f"{after.statuses}")
        used = processor_seconds(process.pid)
        threading.Event().wait(0.5)
        assert processor_seconds(process.pid) - used < 0.1
    finally:
        process.terminate()
        _, said = process.communicate(timeout=15)
    assert said.count(b"\n") < 100


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def test_a_flood_of_new_pools_is_felt_by_nobody_else(serving, tmp_path):
    """A hundred windows a second, each of a height and a stretch that were never asked for.

    There are 5,720 of them: a flood of more than 57 seconds begins again.
    """
    database, lines = tmp_path / "many.db", tmp_path / "many.jsonl"
    with lines.open("w") as file:
        for n in range(ITEMS):
            file.write(f'{{"id":"n{n}","width":{72 + n * 7919 % 167},"aspect":{n * 31 % 7 / 4}}}\n')
    run = carousel("import", lines, "--database", database, "--strip", "many", timeout=600)
    assert run.returncode == 0, run.stderr
    server = serving("--database", database, "--threads", "1")
    known = [f"/window?strip=many&width=1000&offset={n * 50_000}" for n in range(20)]
    for target in known:
        assert server.get(target).status == 200
    before = resident_mb(server.process.pid)
    calm = Clients(server.port, known, count=2, always=True, pause=0.01)
    with calm.asking() as unhurried:
        calm.wait_for(200)
    others = Clients(server.port, known, count=2, always=True, pause=0.01)
    rungs = [k << m for m in range(3, 14) for k in range(8, 16)]
    asked = itertools.cycle(
        f"/window?strip=many&width=64&height={height}&pool={pool}"
        for pool in rungs
        for height in rungs
        if 64 <= pool and 16 <= height <= 16384
    )
    flood = Clients(server.port, [next(asked) for _ in range(100 * SECONDS)], 20, True, pause=0.2)
    with others.asking() as felt, flood.asking() as flooded:
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            others.wait_for(10)
        assert resident_mb(server.process.pid) - before < 50
    assert set(flooded.statuses) <= {200, 503}
    assert flooded.statuses[200] > 0
    assert felt.failures == []
    assert set(felt.statuses) == {200}
    # Behind the flood they would wait for seconds: it asks for more than a thread can do.
    assert felt.quantile(0.99) < unhurried.quantile(0.99) + 0.25
