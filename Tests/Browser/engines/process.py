"""Programs that a browser is made of."""

import subprocess
from contextlib import contextmanager
from time import monotonic

START = 60  # seconds that a program may take to start


@contextmanager
def running(command, **options):
    """Runs a program, and ends it with the `with` block; it is in the tests' process group, and so ends with that too."""
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
