"""Programs that a browser is made of, each with all that it starts."""

import os
import signal
import subprocess
from contextlib import contextmanager
from time import monotonic

START = 60  # seconds that a program may take to start


@contextmanager
def running(command, **options):
    """Runs a program, and ends it and its children, at the latest with the `with` block."""
    process = subprocess.Popen(list(map(str, command)), start_new_session=True, text=True, **options)
    try:
        yield process
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
                process.wait(timeout=5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue


def started(process, tells):
    """What `tells()` gives as soon as that is something: asked again and again while the program starts."""
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
