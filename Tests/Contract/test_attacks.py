"""Attacks by many clients do not stop the service of other clients.

`make test` runs short attacks. `make soak` sets `ATTACKERS` to 1000 connections of each kind,
`ATTACK_SECONDS` to 60, and `FLOODED_ITEMS` to 10 million.
"""

import itertools
import os
import re
import resource
import socket
import subprocess
import time
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

from command import carousel, exited
from load import Clients
from server import Server
from waiting import TIMEOUT_SECONDS, wait_until

ATTACKERS = int(os.environ.get("ATTACKERS", "200"))
SECONDS = int(os.environ.get("ATTACK_SECONDS", "5"))
ITEMS = int(os.environ.get("FLOODED_ITEMS", "200000"))
DEADLINE = 2  # seconds that the server allows for a head, a body, and a stalled response
FLOODERS = 20
GOOD = ["/window?strip=albums&width=1000", "/livez", "/window?strip=billion&offset=7000"]

#: Options of slowhttptest: slow heads, slow bodies, many ranges, responses read slowly.
KINDS = {
    "slow heads": ["-H", "-i", "1"],
    "slow bodies": ["-B", "-i", "1", "-s", "8192"],
    "ranges": ["-R", "-a", "5", "-b", "300"],
    "slow readers": ["-X", "-w", "8", "-y", "16", "-n", "1", "-z", "8", "-k", "3"],
}


def is_attacked(server: Server) -> bool:
    """Whether the server has more connections than the test's five: four clients and this request."""
    return server.metric("http_server_open_connections") > 6


@pytest.fixture
def many_files():
    """Raises the limit of open files for the attackers, which inherit it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def limited(limit: str) -> list[str]:
    """A command that runs a program with a limit of the shell."""
    return ["bash", "-c", f'ulimit {limit}; exec "$0" "$@"']


@pytest.mark.parametrize("kind", KINDS)
def test_other_clients_are_served_during_an_attack_by(kind, serving, many_files, tmp_path):
    limits = [f"--{phase}-deadline={DEADLINE}" for phase in ("head", "body", "response", "idle")]
    server = serving("--threads", "2", *limits)
    server.idle_seconds = DEADLINE / 4
    clients = Clients(server.port, GOOD, count=4, always=True, pause=0.02)
    attack = ["slowhttptest", *KINDS[kind], "-c", str(ATTACKERS), "-r", str(ATTACKERS)]
    attack += ["-l", str(SECONDS + 2 * DEADLINE), "-p", "1"]
    attack += ["-u", f"http://127.0.0.1:{server.port}/js/element/carousel-strip.js"]
    with clients.asking() as tally:
        attackers = subprocess.Popen(attack, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            rounds = 0
            # slowhttptest does not always exit by itself.
            ends = time.monotonic() + SECONDS + 3 * DEADLINE + 5
            while attackers.poll() is None and time.monotonic() < ends:
                was_attacked = is_attacked(server)
                clients.wait_for(1)
                rounds += was_attacked and is_attacked(server)
            wait_until(lambda: not is_attacked(server), "the attackers are still connected")
        finally:
            attackers.kill()
            attackers.wait()
    # Other clients got answers while attackers were connected. The server answers requests for ranges
    # immediately, so their connections can be too short to be seen.
    assert rounds > 0 or kind == "ranges", "no answer came during the attack"
    assert tally.failures == []
    assert set(tally.statuses) == {200}


def test_without_free_file_descriptors_it_neither_spins_nor_floods_the_log(many_files):
    with Server("--threads", "2", prefix=limited("-n 64")) as server:
        clients = Clients(server.port, ["/livez"], count=200)
        with clients.asking() as tally:
            clients.wait_for(200)
        assert tally.statuses[200] > 0
        assert set(tally.statuses) <= {200, 503}
        # Without clients, it answers again and uses no processor time.
        alone = Clients(clients.port, ["/livez"], count=1)
        with alone.asking() as after:
            wait_until(lambda: after.statuses.get(200, 0) > 0, f"{after.statuses}")
        used = processor_seconds(server.process.pid)
        # A spinning thread would use half a second of processor time.
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(timeout=0.5)
        assert processor_seconds(server.process.pid) - used < 0.1
        server.stop()
        assert server.log.content().count(b"\n") < 100


def test_the_server_raises_its_limit_of_open_files_to_the_connection_limit():
    with Server("--connection-limit", "300", prefix=limited("-Sn 128")) as server:
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        assert int(re.search(r"Max open files +(\d+)", limits)[1]) > 300


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_clients_that_do_not_read_leave_the_memory_bounded(serving, many_files, tmp_path):
    """1,000 clients request different windows of 4.6 MB, and do not read them."""
    database, lines = tmp_path / "large.db", tmp_path / "large.jsonl"
    # A window of few large items takes less time than one of 4,096 items, and the same memory.
    item = '{{"id":"n{n}","width":100,"fields":{{"title":"{text}"}}}}\n'
    lines.write_text("".join(item.format(n=n, text="x" * 50_000) for n in range(200)))
    exited(carousel("import", lines, "--database", database, "--strip", "large", "--gap", "0"))
    # A slow machine needs minutes for these answers.
    slowly = ["--head-deadline=600", "--idle-deadline=600", "--response-deadline=600"]
    server = serving("--database", database, "--threads", "2", *slowly)
    silent = []
    try:
        for n in range(1000):
            client = socket.socket()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(10 * TIMEOUT_SECONDS)
            client.connect(("127.0.0.1", server.port))
            target = f"/window?strip=large&width=9100&offset={n}"
            client.sendall(f"GET {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            silent.append(client)
        statuses = Counter(client.recv(12)[9:12] for client in silent)
        assert set(statuses) == {b"200", b"503"}
        assert statuses[b"200"] >= 50
        assert server.memory_mb("VmHWM") < 600
        assert 200e6 < server.metric("http_server_response_bytes") <= 256 << 20
        small = "/window?strip=large&width=100"
        wait_until(lambda: server.get(small).status == 200, "small windows are rejected")
        reply = server.get("/window?strip=large&width=9100&offset=2000")
        reply.rejected(503)
        assert int(reply.fields["retry-after"]) > 0
        assert "--response-budget" in server.log.text()
    finally:
        for client in silent:
            client.close()
    wait_until(lambda: server.metric("http_server_response_bytes") == 0)
    assert server.get("/window?strip=large&width=9100").status == 200


def test_a_flood_of_new_pools_does_not_delay_other_requests(serving, tmp_path):
    """A flood of windows, each with a new height and pool, which need an expensive search.

    There are 5,720 such windows; then the flood repeats them.
    """
    database, lines = tmp_path / "many.db", tmp_path / "many.jsonl"
    with lines.open("w") as file:
        for n in range(ITEMS):
            file.write(f'{{"id":"n{n}","width":{72 + n * 7919 % 167},"aspect":{n * 31 % 7 / 4}}}\n')
    exited(carousel("import", lines, "--database", database, "--strip", "many", timeout=600))
    server = serving("--database", database, "--threads", "1")
    known = [f"/window?strip=many&width=1000&offset={n * 50_000}" for n in range(20)]
    for target in known:
        assert server.get(target).status == 200
    before = server.memory_mb()
    rungs = [k << m for m in range(3, 14) for k in range(8, 16)]
    asked = itertools.cycle(
        f"/window?strip=many&width=64&height={height}&pool={pool}"
        for pool in rungs
        for height in rungs
        if 64 <= pool and 16 <= height <= 16384
    )
    new = [next(asked) for _ in range(100 * SECONDS)]
    flood = Clients(server.port, new, FLOODERS, always=True, pause=0.2)
    others = Clients(server.port, known, count=2, always=True, pause=0.01, beside=flood)
    with others.asking() as felt, flood.asking() as flooded:
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            others.wait_for(10)
        assert server.memory_mb() - before < 50
    assert set(flooded.statuses) <= {200, 503}
    assert flooded.statuses[200] > 0
    assert felt.failures == []
    assert set(felt.statuses) == {200}
    # If a request waited behind the flood, each flooder would get an answer before it.
    assert median(felt.overtaken) < FLOODERS / 4
