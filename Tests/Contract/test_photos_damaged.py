"""A folder with as many damaged files as good ones: the good ones are all there, and each damaged one is an item or is listed.

`DAMAGED` is the number of damaged files: 100 in `make test`, 2000 in `make soak`.
"""

import io
import os
import struct
import subprocess
import zlib
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from photos import Wall, needs_libvips

DAMAGED = int(os.environ.get("DAMAGED", "100"))
FORMATS = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP", "gif": "GIF", "tif": "TIFF", "avif": "AVIF", "jpeg": "JPEG"}


def encoded(rng: Random, ending: str) -> bytes:
    """A small picture with EXIF, where its format has it, and an embedded picture."""
    size = (rng.randrange(20, 90), rng.randrange(20, 90))
    image = Image.effect_noise(size, 60).convert("RGB")
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0112] = "Maker", "Maker 5", rng.randrange(1, 9)
    exif.get_ifd(0x8769)[0x9003] = f"{rng.randrange(2000, 2024)}:05:01 12:00:00"
    to = io.BytesIO()
    image.save(to, FORMATS[ending], exif=exif.tobytes(), **({"speed": 10} if ending == "avif" else {}))
    return to.getvalue()


def heic(folder: Path) -> bytes:
    """A HEIC picture, by libvips' own tool. Empty without it."""
    Image.effect_noise((64, 48), 60).convert("RGB").save(folder / "one.png")
    try:
        subprocess.run(["vips", "heifsave", folder / "one.png", folder / "one.heic"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return b""
    return (folder / "one.heic").read_bytes()


def png(width: int, height: int, data: bytes, color: int = 2) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def jpeg_of_size(jpeg: bytes, side: int) -> bytes:
    """A JPEG whose header says that it has another size."""
    at = next(jpeg.index(mark) for mark in (b"\xff\xc0", b"\xff\xc2") if mark in jpeg)
    return jpeg[: at + 5] + struct.pack(">HH", side, side) + jpeg[at + 9 :]


def fuzzed_exif(rng: Random, jpeg: bytes) -> bytes:
    at = jpeg.index(b"Exif\0\0") + 6
    changed = bytearray(jpeg)
    for _ in range(rng.randrange(1, 40)):
        changed[at + rng.randrange(160)] = rng.randrange(256)
    return bytes(changed)


#: Zeros that fill 100 megapixels, and more than the header says.
BOMB = zlib.compress(bytes(300_010_000), 9)


def damaged(rng: Random, whole: bytes, kind: str) -> bytes:
    match kind:
        case "cut":
            return whole[: rng.randrange(len(whole))]
        case "flipped":
            changed = bytearray(whole)
            for _ in range(rng.randrange(1, 30)):
                changed[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
            return bytes(changed)
        case "start flipped":
            changed = bytearray(whole)
            for _ in range(rng.randrange(1, 10)):
                changed[rng.randrange(min(len(whole), 64))] = rng.randrange(256)
            return bytes(changed)
        case "exif":
            return fuzzed_exif(rng, encoded(rng, "jpg"))
        case "huge":
            return rng.choice([png(65_000, 65_000, b"x"), jpeg_of_size(encoded(rng, "jpg"), 65_000)])
        case "noise":
            return rng.randbytes(rng.randrange(1, 5000))
        case "text":
            return rng.choice([b"", b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", b"%PDF-1.7", b"P6 9 9 255 " + bytes(243)])
        case _:
            return rng.choice([png(10_000, 10_000, BOMB), png(20, 20, BOMB), png(10_000, 10_000, BOMB[:1000])])


KINDS = ["cut", "cut", "flipped", "flipped", "flipped", "start flipped", "start flipped", "exif", "exif", "huge", "noise", "text"]


@pytest.mark.parametrize("seed", [1])
def test_good_files_among_damaged_ones_are_all_there(tmp_path, seed):
    needs_libvips()
    rng, folder = Random(seed), tmp_path / "pictures"
    folder.mkdir()
    endings = [*FORMATS, *(["heic"] if (tiny := heic(tmp_path)) else [])]
    good, bad = set(), set()
    for k in range(DAMAGED):
        below = folder / f"{k % 7}"
        below.mkdir(exist_ok=True)
        ending, other = rng.choice(endings), rng.choice(endings)
        whole = tiny if ending == "heic" else encoded(rng, ending)
        # The ending of a name says nothing of the content.
        (below / f"good{k}.{rng.choice([ending, ending, other])}").write_bytes(whole)
        kind = "bomb" if k % 50 == 0 else rng.choice(KINDS)
        (below / f"bad{k} {kind}.{other}").write_bytes(damaged(rng, whole, kind))
    for file in folder.rglob("*.*"):
        (good if file.name.startswith("good") else bad).add(str(file.relative_to(folder)))
    unreadable = {name for name in bad if any(kind in name for kind in (" huge", " noise", " text"))}
    with Wall(folder, tmp_path / "cache") as wall:
        wall.wait(lambda: len(wall.items()) + wall.metric("unreadable_files") == 2 * DAMAGED)
        for item in wall.items().values():
            reply = wall.picture(item, 160)
            assert reply.status == 200 or item["id"] in bad and reply.status == 404, (seed, item, reply.status)
        wall.wait(lambda: len(wall.items()) + wall.metric("unreadable_files") == 2 * DAMAGED)
        items = set(wall.items())
        assert good <= items, (seed, good - items)
        assert not unreadable & items, (seed, unreadable & items)
        listed = wall.log.text()
        assert [name for name in bad - items if f"{name}: " not in listed] == [], seed
        assert "cannot be changed" not in listed
        # Those that ended a worker are not tried again.
        asked = wall.metric("jobs_total")
    with Wall(folder, tmp_path / "cache") as wall:
        assert set(wall.items()) == items
        wall.wait(lambda: wall.metric("unreadable_files") == 2 * DAMAGED - len(items))
        assert wall.metric("opened_files_total") == 0 < asked
