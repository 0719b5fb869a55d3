"""The way from a server to its database, which a test may cut, or let nothing through."""

import socket
import threading
from itertools import count
from pathlib import Path


class Wire:
    """A socket in a folder of its own that leads to PostgreSQL's, for as long as it is whole."""

    NAME = ".s.PGSQL.5432"

    def __init__(self, address: str, folder: Path):
        before, self.far = address.split("?host=")
        self.address = f"{before}?host={folder}"
        self.path = folder / self.NAME
        self.lock = threading.Lock()
        self.links: list[socket.socket] = []
        self.trap: list[bytes] = []
        self.trapped: int | None = None
        self.sprung = threading.Event()
        self.flows = threading.Event()
        self.flows.set()
        self.listener = None
        self.mend()

    def mend(self) -> None:
        """Lets connections be made again."""
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen(64)
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def cut(self) -> None:
        """Ends all connections, and lets none be made."""
        self.path.unlink(missing_ok=True)
        self.listener.close()
        self.end_links()

    def freeze(self) -> None:
        """Goes on to take connections, and hands nothing on: as if PostgreSQL were stopped."""
        self.flows.clear()

    def thaw(self) -> None:
        self.flows.set()

    def end_links(self) -> None:
        with self.lock:
            links, self.links = self.links, []
        for link in links:
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut_at(self, *words: bytes) -> None:
        """Ends all connections, once, in the place of handing on what has the last of `words` in it,
        after the others have passed on the same connection.
        """
        self.trap, self.trapped = list(words), None

    def springs(self, part: bytes, number: int) -> bool:
        """Whether `part`, on this connection, is what the trap waits for."""
        with self.lock:
            if not self.trap or self.trapped not in (None, number) or self.trap[0] not in part:
                return False
            self.trapped = number
            self.trap.pop(0)
            return not self.trap

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
                self.links += [near, far]
            for ends in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(*ends, number), daemon=True).start()

    def carry(self, source: socket.socket, sink: socket.socket, number: int) -> None:
        try:
            while part := source.recv(65536):
                if self.springs(part, number):
                    self.sprung.set()
                    return self.end_links()
                self.flows.wait()
                sink.sendall(part)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, *_) -> None:
        self.thaw()
        self.cut()
