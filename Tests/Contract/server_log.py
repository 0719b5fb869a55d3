"""The standard error of `carousel serve`: its address, and its log."""

import os
import re
import tempfile

from waiting import wait_until

SERVING = re.compile(rb'Serving on (http://[^\s"]+)/')


class ServerLog:
    """A file for the standard error of one server: `Popen(..., stderr=log)`.

    A pipe could fill up and block the server. A file cannot.
    """

    def __init__(self):
        self.file = tempfile.TemporaryFile()

    def fileno(self) -> int:
        return self.file.fileno()

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> "ServerLog":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def content(self) -> bytes:
        """Everything the server has logged. `pread` keeps the file's offset, which the server uses."""
        return os.pread(self.fileno(), os.fstat(self.fileno()).st_size, 0)

    def text(self) -> str:
        return self.content().decode("utf-8", "replace")

    def address(self, process) -> str:
        """Waits until the server prints its address; returns it without the final `/`.

        A process that ends first, or takes too long, is killed and fails the test.
        """
        try:
            wait_until(lambda: SERVING.search(self.content()) or process.poll() is not None)
            found = SERVING.search(self.content())
            assert found, "the server has ended"
        except AssertionError as error:
            process.kill()
            process.wait()
            raise AssertionError(f"serve prints no address: {error}: {self.text()}") from None
        return found[1].decode()

    def port(self, process) -> int:
        """Waits until the server prints its address; returns its port."""
        return int(self.address(process).rsplit(":", 1)[1])
