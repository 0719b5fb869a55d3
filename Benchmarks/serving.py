"""Waits until `carousel serve` prints its address. All benchmarks that start a server use it."""

import re
import subprocess
import sys
import threading


def serving_port(process: subprocess.Popen) -> int:
    """The port of a server that was started with `stderr=subprocess.PIPE`, once it serves.

    Copies the log to standard error. A thread continues to copy it, because a full pipe would
    block the server.
    """
    log = open(sys.stderr.fileno(), "wb", buffering=0, closefd=False)
    for line in process.stderr:
        log.write(line)
        if found := re.fullmatch(rb"Serving on http://\S+:(\d+)/\n", line):
            threading.Thread(target=log.writelines, args=[process.stderr], daemon=True).start()
            return int(found[1])
    sys.exit("the server ended before it served: its log is above")
