"""Folders of pictures, made with Pillow, and servers of them."""

import ctypes.util
import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, TiffImagePlugin

from command import binary
from server import Server
from waiting import wait_until

TAKEN = "2024:05:01 12:00:00"
#: A worker that reads no pictures: each is 30 x 20 pixels, unless its file says KILL, MEMORY or JSON. It logs each question to LOG.
#: A file that says WAIT or HOLD waits while the test has locked LOG or LOG.hold. To one that says EXTRA it sends two answers,
#: with files.
WORKER = """#!{python}
import fcntl, os, signal, socket
link = socket.socket(fileno=0)
while True:
    message, files, _, _ = socket.recv_fds(link, 65536, 2)
    if not message:
        break
    content = os.pread(files[0], 100, 0) if files else b""
    if files:
        with open({log!r}, "ab") as log:
            log.write(content + b"\\n")
    for word, name in ((b"WAIT", {log!r}), (b"HOLD", {log!r} + ".hold")):
        if word in content:
            with open(name) as log:
                fcntl.flock(log, fcntl.LOCK_SH)
    if content.startswith(b"SILENT"):
        link.close()
        signal.pause()
    if content.startswith(b"KILL"):
        os.abort()
    if content.startswith(b"MEMORY"):
        os.kill(os.getpid(), signal.SIGKILL)  # as the system does if no memory is left
    for file in files:
        os.close(file)
    number, question = message.split(b"\\0")[:2]
    answer = [b"error", b"no picture"]
    if question == b"header" and content.startswith(b"GOOD"):
        color = b'"}},"x":{{"' if b"JSON" in content else b"#102030"
        answer = [b"ok", b"30", b"20", b"jpeg", b"", b"", b"", b"", b"", b"", color, b"AAAA"]
    if b"EXTRA" in content:
        with open("/dev/null") as null:
            socket.send_fds(link, [b"".join(text + b"\\0" for text in [number] + answer)], [null.fileno()] * 2)
        answer[1] = b"99"
    link.send(b"".join(text + b"\\0" for text in [number] + answer))
"""
#: Runs a command as a user whom modes of files bind, which root is not.
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]


def needs_libvips():
    """Skips a test that reads pictures, and says why."""
    if not ctypes.util.find_library("vips"):
        pytest.skip("libvips42 is not installed: Scripts/install tests")
    if not Path(binary()).with_name("carousel-pictures").is_file():
        pytest.skip("carousel-pictures is not built: make pictures")


class Wall(Server):
    """A server of a folder."""

    command = ("photos",)

    def __init__(self, folder, cache, *options, **how):
        super().__init__(folder, "--cache", cache, *options, **how)

    def items(self) -> dict[str, dict]:
        """All items of one revision by id, in the order of the strip."""
        found, window = {}, {"end": 0, "count": 1, "revision": None}
        while window["end"] < window["count"]:
            before = window["revision"]
            window = self.window(strip="photos", width="4000", height="16000", index=str(window["end"]), clamp="true").json()
            if before not in (None, window["revision"]):
                found, window = {}, {"end": 0, "count": 1, "revision": None}
                continue
            found |= {item["id"]: item for item in window["items"]}
        return found

    def metric(self, name: str) -> float:
        return super().metric(f"carousel_photos_{name}")

    def settle(self, *ids: str) -> dict[str, dict]:
        """Waits until exactly these items are there; returns all items."""
        self.wait(lambda: sorted(self.items()) == sorted(ids))
        return self.items()

    def wait(self, is_met) -> None:
        """Waits for a condition. The message of a failure says which items there are."""
        try:
            wait_until(is_met)
        except AssertionError:
            raise AssertionError(f"{list(self.items())}: {self.logged()}") from None

    def picture(self, item: dict, width, accept="image/webp"):
        return self.get(item["fields"]["image"].replace("{w}", str(width)), {"Accept": accept})

    def workers(self) -> list[int]:
        run = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True)
        return [int(line) for line in run.stdout.split()]


def picture(path: Path, size=(300, 200), color="red", taken=None, orientation=None, offset=None, **options) -> Path:
    """Writes a picture: its left upper quarter, as stored, is white."""
    image = Image.new("RGB", size, color)
    image.paste("white", (0, 0, size[0] // 2, size[1] // 2))
    exif = Image.Exif()
    if taken:
        exif.get_ifd(0x8769)[0x9003] = taken
    if offset:
        exif.get_ifd(0x8769)[0x9011] = offset
        exif[0x010F], exif[0x0110] = "Maker", "One"
    if orientation:
        exif[0x0112] = orientation
    if options.pop("mode", None):
        image = image.convert("CMYK")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".tif":
        # Pillow leaves the EXIF directory out of a TIFF, unless it is among these.
        options["tiffinfo"] = TiffImagePlugin.ImageFileDirectory_v2()
        for tag, value in {**exif, 0x8769: dict(exif.get_ifd(0x8769))}.items():
            options["tiffinfo"][tag] = value
    image.save(path, exif=exif, **options)
    return path


def opened(body: bytes) -> Image.Image:
    return Image.open(io.BytesIO(body))


def with_worker(folder: Path) -> tuple[str, Path]:
    """A copy of the program beside `WORKER`; returns its path and the worker's log."""
    log = folder / "questions"
    log.touch()
    Path(f"{log}.hold").touch()
    shutil.copy(binary(), folder / "carousel")
    worker = folder / "carousel-pictures"
    worker.write_text(WORKER.format(python=sys.executable, log=str(log)))
    worker.chmod(0o755)
    return str(folder / "carousel"), log
