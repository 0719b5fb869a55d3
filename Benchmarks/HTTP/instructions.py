"""Counts the instructions of a request. Other programs on the machine do not change this figure."""

import os
import random
import socket
import subprocess
from pathlib import Path

from heads import browsers
from load import window
from servers import CAROUSEL, EXTENT, OUT, ROOT, Measured, ended, serving_port

FEWER, MORE = 200, 1200
# valgrind counts an instruction for each byte that `rep stosb` clears. The processor clears 32 bytes in a
# cycle. So glibc is told to clear with vector instructions.
ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=100000000"}


def of_a_request(targets, accepted: str | None) -> int:
    """The instructions of a request. `targets` takes the server, and returns a function that makes the
    target with a number.

    `accepted` is the value of Accept-Encoding. None sends a bare head.
    """
    binary = OUT / "carousel-stripped"
    # With its symbols, valgrind takes half a minute longer.
    subprocess.run(["strip", "-o", binary, CAROUSEL], check=True)
    fewer, more = (counted(binary, targets, accepted, count) for count in (FEWER, MORE))
    return (more - fewer) // (MORE - FEWER)


def counted(binary: Path, targets, accepted: str | None, count: int) -> int:
    """The instructions of a server that starts and answers 300 requests, then `count` requests."""
    log = OUT / "callgrind.out"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={log}", binary, "serve"]
    command += ["--port", "0", "--threads", "1"]
    pipes = dict(stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    environment = os.environ | ENVIRONMENT
    with ended(subprocess.Popen(command, **pipes, cwd=ROOT, env=environment)) as process:
        server = Measured(serving_port(process), process.pid)
        target = targets(server)
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            answers = client.makefile("rb")
            asked = browsers(accepted)
            for number in range(300 + count):
                head = asked[number % len(asked)]
                client.sendall(f"GET {target(number)} HTTP/1.1\r\n{head}".encode())
                skip_answer(answers)
    return next(
        int(line.split()[1]) for line in log.read_text().splitlines() if line.startswith("totals:"))


def skip_answer(answers) -> None:
    status, length = answers.readline(), 0
    if b" 200 " not in status:
        raise SystemExit(f"The server answered {status}.")
    while (line := answers.readline()) != b"\r\n":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    answers.read(length)


def new(server: Measured):
    """Makes the target of a different window for each number."""
    choose, asked = random.Random(1), window(server, "billion")
    return lambda _: f"{asked}&offset={choose.randrange(EXTENT)}"


def repeated(server: Measured):
    """Makes the targets of fifty windows in turn."""
    asked = window(server, "billion")
    return lambda number: f"{asked}&offset={160 * (number % 50)}"
