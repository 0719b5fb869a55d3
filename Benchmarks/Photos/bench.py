#!/usr/bin/env python3
"""Measures `carousel photos` with folders that it makes itself.

    Benchmarks/Photos/bench.py [--small 100000] [--large 20000]

scan      SMALL small JPEGs: the time from the start to the first window with pictures, to all pictures, and that
          divided by what `vipsheader` needs for the same files with two processes; the memory of server and workers
again     the same after a second start, and the number of files that it opens
edits     the time until a window has a file that was copied in, renamed, removed
width     pictures of 2.7 megapixels: the processor time for one of 480 px, divided by that of `vipsthumbnail`
view      LARGE pictures of 2.7 megapixels: 20 pictures at once after a jump, two cores

The figures are also in .build/bench/bench-photos.json.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / ".build/bench"
CAROUSEL = Path(os.environ.get("CAROUSEL", ROOT / ".build/release/carousel"))
DIFFERENT = 200
figures = []


def figure(name: str, value: float, unit: str, bar: float) -> None:
    figures.append(dict(name=name, value=round(value, 3), unit=unit, bar=bar, better="lower", met=value <= bar))
    print(f"{name:<62}{value:>10.3f} {unit:<4} bar {bar}", flush=True)


def folder(name: str, count: int, size: tuple[int, int]) -> Path:
    """A folder of `count` JPEGs made from 200 different ones, in folders of 500. They are kept for the next run."""
    made = OUT / f"photos-{name}-{count}"
    if made.exists():
        return made
    partial = made.with_suffix(".part")
    shutil.rmtree(partial, ignore_errors=True)
    random.seed(1)
    contents = []
    for k in range(DIFFERENT):
        noise = Image.effect_noise((size[0] // 4, size[1] // 4), 90).resize(size)
        image = Image.merge("RGB", [noise, noise.rotate(180), Image.linear_gradient("L").resize(size)])
        exif = Image.Exif()
        exif[0x010F], exif[0x0110] = "Maker", f"Camera {k % 7}"
        exif.get_ifd(0x8769)[0x9003] = f"{2004 + k % 20}:{k % 12 + 1:02}:{k % 28 + 1:02} 12:{k % 60:02}:00"
        file = OUT / "one.jpg"
        image.save(file, exif=exif, quality=85)
        contents.append(file.read_bytes())
    for k in range(count):
        below = partial / f"{2004 + k // 500 % 20}" / f"{k // 500}"
        below.mkdir(parents=True, exist_ok=True)
        (below / f"IMG_{k:06}.jpg").write_bytes(contents[k % DIFFERENT])
    partial.rename(made)
    return made


class Wall:
    """A running `carousel photos`."""

    def __init__(self, of: Path, cache: Path):
        self.start = time.monotonic()
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen([CAROUSEL, "photos", of, "--cache", cache, "--port", "0"], stderr=self.log, cwd=ROOT)
        while True:
            text = os.pread(self.log.fileno(), 1 << 20, 0).decode()
            if found := [line for line in text.splitlines() if line.startswith("Serving on ")]:
                self.port = int(found[0].rstrip("/").rsplit(":", 1)[1])
                return
            time.sleep(0.002)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def get(self, path: str) -> bytes:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"Accept": "image/webp"})
        return urllib.request.urlopen(request, timeout=60).read()

    def window(self, offset=0, height=1000) -> dict:
        return json.loads(self.get(f"/window?strip=photos&width=1280&height={height}&offset={offset}"))

    def until(self, is_met) -> float:
        """Seconds from now on."""
        start = time.monotonic()
        while not is_met(self.window()):
            time.sleep(0.005)
        return time.monotonic() - start

    def metric(self, name: str) -> int:
        lines = self.get("/metrics").decode().splitlines()
        return int(next(line for line in lines if line.startswith(f"carousel_photos_{name} ")).split()[1])

    def workers(self) -> list[int]:
        run = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True)
        return [int(line) for line in run.stdout.split()]


def status(process: int, name: str) -> int:
    """In kB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1])


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def scan(small: Path, count: int, cache: Path) -> None:
    files = [str(file) for file in small.rglob("*.jpg")]
    start = time.monotonic()
    halves = [subprocess.Popen(["xargs", "vipsheader", "-a"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) for _ in "12"]
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda k: halves[k].communicate("\n".join(files[k::2]).encode()), range(2)))
    headers = time.monotonic() - start
    with Wall(small, cache) as wall:
        wall.until(lambda window: window["count"] > 0)
        figure("first window after the start", time.monotonic() - wall.start, "s", 1.0)
        wall.until(lambda window: window["count"] == count)
        whole = time.monotonic() - wall.start
        figure(f"all {count} in the strip", whole, "s", 15 * count / 100_000)
        figure("the same, divided by vipsheader with two processes", whole / headers, "x", 1.3)
        figure("memory of the server", status(wall.process.pid, "VmHWM") / 1024, "MB", 250)
        figure("memory of a worker", max(status(one, "VmHWM") for one in wall.workers()) / 1024, "MB", 2048)


def again(small: Path, count: int, cache: Path) -> None:
    with Wall(small, cache) as wall:
        while wall.metric("items") < count:
            time.sleep(0.005)
        figure("start again, nothing changed", time.monotonic() - wall.start, "s", 1.0)
        figure("files opened at the second start", wall.metric("opened_files_total"), "", 0)


def edits(large: Path, cache: Path) -> None:
    source = next(large.rglob("*.jpg"))
    with tempfile.TemporaryDirectory(dir=OUT) as below:
        shutil.copy(source, f"{below}/first.jpg")
        with Wall(Path(below), cache) as wall:
            def has(*ids):
                return lambda window: [item["id"] for item in window["items"]] == list(ids)

            wall.until(has("first.jpg"))
            shutil.copy(source, f"{below}/second.jpg")
            figure("a file copied in", wall.until(lambda window: window["count"] == 2), "s", 1)
            os.rename(f"{below}/second.jpg", f"{below}/a.jpg")
            figure("a file renamed", wall.until(has("a.jpg", "first.jpg")), "s", 1)
            os.remove(f"{below}/a.jpg")
            figure("a file removed", wall.until(has("first.jpg")), "s", 1)


def width(large: Path, count: int, cache: Path) -> None:
    with Wall(large, cache) as wall:
        # The headers and the placeholders are read.
        while wall.metric("jobs_total") < 2 * count:
            time.sleep(0.05)
        items = wall.window(height=8000)["items"][:40]
        addresses = [item["fields"]["image"] for item in items]
        workers = wall.workers()
        before = sum(map(processor_seconds, workers))
        for address in addresses:
            wall.get(address.replace("{w}", "480"))
        spent = (sum(map(processor_seconds, workers)) - before) / len(addresses)
        files = [str(large / item["id"]) for item in items]
        with tempfile.TemporaryDirectory() as to:
            start = os.times()
            words = ["--size", "480x100000>", "--export-profile", "srgb", "-o", f"{to}/%s.webp[Q=78,effort=3,strip]"]
            environment = {**os.environ, "VIPS_CONCURRENCY": "1"}
            subprocess.run(["vipsthumbnail", *files, *words], check=True, env=environment)
            end = os.times()
        own = (end.children_user + end.children_system - start.children_user - start.children_system) / len(files)
        print(f"a width: {spent * 1000:.1f} ms, vipsthumbnail {own * 1000:.1f} ms")
        figure("processor time of a width, divided by vipsthumbnail", spent / own, "x", 1.15)


def view(large: Path, count: int, cache: Path) -> None:
    with Wall(large, cache) as wall:
        wall.until(lambda window: window["count"] == count)
        middle = wall.window(offset=wall.window()["extent"] // 2, height=1600)["items"][:20]
        start = time.monotonic()
        with ThreadPoolExecutor(20) as threads:
            list(threads.map(wall.get, [item["fields"]["image"].replace("{w}", "320") for item in middle]))
        figure("20 pictures in view after a jump", time.monotonic() - start, "s", 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=100_000)
    parser.add_argument("--large", type=int, default=20_000)
    arguments = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    small = folder("small", arguments.small, (160, 120))
    large = folder("large", arguments.large, (2000, 1350))
    with tempfile.TemporaryDirectory(dir=OUT) as caches:
        scan(small, arguments.small, Path(caches) / "small")
        again(small, arguments.small, Path(caches) / "small")
        edits(large, Path(caches) / "edits")
        different = folder("different", DIFFERENT, (2000, 1350))
        width(different, DIFFERENT, Path(caches) / "different")
        view(large, arguments.large, Path(caches) / "large")
    (OUT / "bench-photos.json").write_text(json.dumps({"figures": figures}, indent=2))


if __name__ == "__main__":
    main()
