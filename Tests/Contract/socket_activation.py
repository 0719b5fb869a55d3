"""A listening socket that several servers inherit, one after another, as from systemd."""

import signal
import socket
import subprocess
from contextlib import contextmanager

from command import ROOT, binary, environment
from server_log import ServerLog
from waiting import TIMEOUT_SECONDS


class SocketActivation:
    """A listening socket on a free port."""

    def __init__(self):
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.listening.getsockname()[1]

    def __enter__(self) -> "SocketActivation":
        return self

    def __exit__(self, *_) -> None:
        self.listening.close()

    @contextmanager
    def server(self, *arguments: str):
        """A server on this socket. When the block ends, it must stop with status 0."""
        number = self.listening.fileno()
        # LISTEN_PID must be the process id of the server: `exec` keeps the shell's.
        command = ["bash", "-c", f'exec 3<&{number}; LISTEN_PID=$$ exec "$0" serve "$@"', binary()]
        with ServerLog() as log:
            process = subprocess.Popen(
                [*command, *arguments],
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=[number],
                cwd=ROOT,
                env=environment(LISTEN_FDS="1"),
            )
            try:
                log.address(process)
                yield process
                process.send_signal(signal.SIGTERM)
                assert process.wait(timeout=TIMEOUT_SECONDS) == 0, log.text()
            finally:
                process.kill()
                process.wait()
