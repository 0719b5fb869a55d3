"""A proxy between a server and PostgreSQL that a test can disconnect or pause."""

import socket
import threading
from itertools import count
from pathlib import Path


class DatabaseProxy:
    """Forwards connections from a socket in `folder` to that of PostgreSQL.

    `address` is the database's own address, and the attribute `address` the one through the proxy.
    """

    NAME = ".s.PGSQL.5432"

    def __init__(self, address: str, folder: Path):
        before, self.far = address.split("?host=")
        self.address = f"{before}?host={folder}"
        self.path = folder / self.NAME
        self.lock = threading.Lock()
        self.links: list[socket.socket] = []
        self.trigger: list[bytes] = []
        self.trigger_connection: int | None = None
        self.triggered = threading.Event()
        self.flows = threading.Event()
        self.flows.set()
        self.listener = None
        self.connect()

    def connect(self) -> None:
        """Accepts connections, again after `disconnect`."""
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.path))
        listener.listen(64)
        self.listener = listener
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def disconnect(self) -> None:
        """Closes all connections and accepts no others."""
        self.path.unlink(missing_ok=True)
        with self.lock:
            listener, self.listener = self.listener, None
        if listener is not None:
            listener.close()
        self.close_links()

    def pause(self) -> None:
        """Accepts connections but forwards nothing, as if PostgreSQL were stopped."""
        self.flows.clear()

    def resume(self) -> None:
        """Forwards again after `pause`."""
        self.flows.set()

    def close_links(self) -> None:
        """Closes all connections."""
        with self.lock:
            links, self.links = self.links, []
        for link in links:
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def disconnect_at(self, *words: bytes) -> None:
        """Closes all connections once, instead of forwarding the last of `words`.

        The words before it must have passed on the same connection.
        """
        self.trigger, self.trigger_connection = list(words), None

    def triggers(self, part: bytes, number: int) -> bool:
        """Whether `part`, on the connection `number`, has the last word of `disconnect_at`."""
        with self.lock:
            if not self.trigger or self.trigger_connection not in (None, number):
                return False
            if self.trigger[0] not in part:
                return False
            self.trigger_connection = number
            self.trigger.pop(0)
            return not self.trigger

    def accept(self, listener: socket.socket) -> None:
        for number in count():
            try:
                near, _ = listener.accept()
            except OSError:
                return
            self.flows.wait()
            far = socket.socket(socket.AF_UNIX)
            far.connect(f"{self.far}/{self.NAME}")
            with self.lock:
                if self.listener is not listener:
                    # This connection was made before `disconnect`, which does not know it.
                    near.close()
                    far.close()
                    return
                self.links += [near, far]
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self.forward, args=(*ends, number), daemon=True).start()

    def forward(self, source: socket.socket, sink: socket.socket, number: int) -> None:
        try:
            while part := source.recv(65536):
                if self.triggers(part, number):
                    self.triggered.set()
                    return self.close_links()
                self.flows.wait()
                sink.sendall(part)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def __enter__(self) -> "DatabaseProxy":
        return self

    def __exit__(self, *_) -> None:
        self.resume()
        self.disconnect()
