"""The load generators: wrk, and h2load for cases that wrk cannot measure. They have their own core."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from heads import browsers
from servers import CLIENT_CORE, HERE, OUT, Measured

CONNECTIONS = 32


@dataclass
class Rate:
    second: float
    """Requests a second."""
    cpu: float
    """Requests a second of the server's processor."""


def wrk(server: Measured, seconds: int, target: str, *words: str) -> Rate:
    command = ["taskset", "-c", CLIENT_CORE, "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s"]
    command += [*words[:2], server.url(target), *words[2:]]
    used = server.seconds_used()
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    used = server.seconds_used() - used
    if refused := re.search(r"Non-2xx.*|Socket errors.*", said):
        sys.exit(f"{target}: {refused[0]}")
    count = int(re.search(r"(\d+) requests in", said)[1])
    return Rate(float(re.search(r"Requests/sec: *([\d.]+)", said)[1]), count / max(used, 0.01))


def h2load(server: Measured, *options: str, status: str = "2xx") -> tuple[float, int]:
    """Requests a second and their number, all answered with `status`."""
    command = ["taskset", "-c", CLIENT_CORE, "h2load", "--h1", "-t1", *options]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    done = int(re.search(r"(\d+) succeeded", said)[1])
    got = int(re.search(rf"(\d+) {status}", said)[1])
    failed = int(re.search(r"(\d+) failed", said)[1])
    if failed or done == 0 or got < done:
        sys.exit(f"h2load: {said}")
    return float(re.search(r"([\d.]+) req/s", said)[1]), done


def not_modified(server: Measured, seconds: int, target: str) -> Rate:
    """The rate of 304s. A 304 never has a body, even with a Content-Length (RFC 9112, section 6.3). But
    wrk waits for a body, so this uses h2load."""
    tag = server.get(target).headers["ETag"]
    used = server.seconds_used()
    _, count = h2load(
        server, f"-c{CONNECTIONS}", "-D", str(seconds), "-H", f"If-None-Match: {tag}",
        server.url(target), status="3xx")
    return Rate(count / seconds, count / max(server.seconds_used() - used, 0.01))


def percentile99(server: Measured, seconds: int, targets: list[str], rate: float) -> float:
    """The 99th percentile of latency in milliseconds, at `rate` requests a second."""
    log = OUT / "h2load.log"
    log.unlink(missing_ok=True)
    uris = listed(server.url(target) for target in targets)
    h2load(
        server, f"-c{CONNECTIONS}", "-D", str(seconds), f"--rps={rate / CONNECTIONS:.0f}",
        f"--log-file={log}", "-i", str(uris))
    times = sorted(int(line.split("\t")[2]) for line in log.read_text().splitlines())
    return times[len(times) * 99 // 100] / 1000


def again(targets: list[str], accepted: str | None) -> list[str]:
    """wrk's arguments that request these targets in turn, with the heads of browsers that accept these
    codings."""
    return ["-s", str(HERE / "again.lua"), "--", str(listed(targets)), *heads(accepted)]


def elsewhere(
    strip: str, revision: int, extent: int, seed: int, accepted: str | None
) -> list[str]:
    """wrk's arguments that request a different window of `strip` each time, with the same heads as
    `again`."""
    words = map(str, (strip, revision, extent, seed))
    return ["-s", str(HERE / "window.lua"), "--", *words, *heads(accepted)]


def heads(accepted: str | None) -> list[str]:
    """Writes the file of the heads. Returns the arguments that name it."""
    file = OUT / "heads.txt"
    file.write_bytes("".join(browsers(accepted)).encode())
    return [str(file), str(HERE / "heads.lua")]


def window(server: Measured, strip: str) -> str:
    """The target of a window of 4 KB at the newest revision, without its offset."""
    return f"/window?strip={strip}&width=1900&overscan=700&revision={revision(server, strip)}"


def targets(server: Measured, strip: str, extent: int, different: int) -> list[str]:
    """The targets of `different` windows of 4 KB at random offsets."""
    choose = random.Random(7)
    asked = window(server, strip)
    return [f"{asked}&offset={choose.randrange(extent)}" for _ in range(different)]


def listed(targets: Iterable[str]) -> Path:
    """Writes the targets to a file, one on each line. Returns its path."""
    file = OUT / "targets.txt"
    file.write_text("".join(target + "\n" for target in targets))
    return file


def revision(server: Measured, strip: str) -> int:
    return json.load(server.get(f"/strips/{strip}"))["revision"]
