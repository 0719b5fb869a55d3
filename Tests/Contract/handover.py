"""A listening socket that outlives the servers it is handed to, as systemd's sockets do."""

import signal
import socket
import subprocess
from contextlib import contextmanager

from command import ROOT, binary, environment

STOP_SECONDS = 15


class Handover:
    """A socket on a free port; servers are started with it one after the other."""

    def __init__(self):
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.listening.getsockname()[1]

    def __enter__(self) -> "Handover":
        return self

    def __exit__(self, *_) -> None:
        self.listening.close()

    @contextmanager
    def server(self, *arguments: str):
        """A server that listens here. At the end it must have ended in good order."""
        number = self.listening.fileno()
        # LISTEN_PID has to be the server's own number: that of the shell it takes the place of.
        process = subprocess.Popen(
            ["bash", "-c", f'exec 3<&{number}; LISTEN_PID=$$ exec "$0" serve "$@"', binary(), *arguments],
            stdout=subprocess.PIPE,
            pass_fds=[number],
            cwd=ROOT,
            env=environment(LISTEN_FDS="1"),
        )
        try:
            assert process.stdout.readline().startswith(b"Serving on ")
            yield process
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=STOP_SECONDS) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
