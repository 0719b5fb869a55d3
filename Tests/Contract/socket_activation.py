"""A listening socket that several servers inherit, one after another, as from systemd."""

import socket
from contextlib import contextmanager

from command import environment
from server import Server


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
        prefix = ["bash", "-c", f'exec 3<&{number}; LISTEN_PID=$$ exec "$0" "$@"']
        env = environment(LISTEN_FDS="1")
        with Server(*arguments, port=None, env=env, prefix=prefix, pass_fds=[number]) as server:
            yield server
            assert server.stop() == 0, server.logged()
