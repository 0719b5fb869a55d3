"""The processes of a browser."""

import subprocess
from contextlib import contextmanager
from time import monotonic

START = 60  # seconds to wait for a program to start


@contextmanager
def running(command, **options):
    """Runs a program, and ends it after the `with` block. It is in the process group of the tests, so it ends with them."""
    process = subprocess.Popen(list(map(str, command)), text=True, **options)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def started(process, tells):
    """Polls `tells()` while the program starts, and returns its first result that is true."""
    deadline = monotonic() + START
    while monotonic() < deadline:
        if told := tells():
            return told
        try:
            process.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            continue
        break
    raise AssertionError(f"{process.args[0]} did not start")
