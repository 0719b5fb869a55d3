"""A server of a folder, and its workers, are killed at random, and the disk of the cache is full.

`KILLS` is the number of random sequences of kills: 2 in `make test`, 200 in `make soak`.
"""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from photos import Wall, needs_libvips, opened, picture

SEEDS = range(1, int(os.environ.get("KILLS", "2")) + 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Pictures in folders. No test changes them."""
    needs_libvips()
    made = tmp_path_factory.mktemp("pictures")
    for k in range(60):
        picture(made / f"{k % 5}/{k}.jpg", (900, 600), taken=f"{2000 + k % 20}:05:01 12:00:00")
    return made


def names(folder: Path) -> list[str]:
    return [str(file.relative_to(folder)) for file in folder.rglob("*.jpg")]


def kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("seed", SEEDS)
def test_after_kills_of_the_server_and_its_workers_all_pictures_are_there(folder, tmp_path, seed):
    rng, cache = Random(seed), tmp_path / "cache"
    for _ in range(3):
        moment, is_making = rng.randrange(60), rng.random() < 0.5
        wall = Wall(folder, cache)
        with ThreadPoolExecutor(4) as threads:
            wall.wait(lambda: wall.metric("items") >= moment)
            kills = [threads.submit(kill, worker) for worker in wall.workers() if rng.random() < 0.5]
            asked = [threads.submit(ask, wall, item, rng.choice([160, 480])) for item in wall.items().values() if is_making]
            for job in kills + asked[: rng.randrange(8)]:
                job.result()
            wall.process.kill()
            wall.process.wait()
        wall.log.close()
    with Wall(folder, cache) as wall:
        for item in wall.settle(*names(folder)).values():
            made = wall.picture(item, 480)
            assert (made.status, opened(made.body).size) == (200, (480, 320)), seed
            opened(made.body).load()
        assert wall.metric("unreadable_files") == 0, seed
        assert not list(cache.rglob("*.part")), seed


def ask(wall: Wall, item: dict, width: int) -> None:
    """Asks for a picture of a server that may be killed."""
    with suppress(Exception):
        wall.picture(item, width)


@pytest.fixture
def full_disk(folder, tmp_path):
    """A function that serves the folder with a cache on a disk of 6 MB. `filler` is a file on it that can fill it."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    cache = tmp_path / "cache"
    cache.mkdir()
    mount = 'mount -t tmpfs -o size=6m none "$0" && exec "$@"'
    with Wall(folder, cache, prefix=["unshare", "--mount", "sh", "-c", mount, str(cache)]) as wall:
        yield wall, Path(f"/proc/{wall.process.pid}/root{cache}/filler")


def fill(filler: Path) -> None:
    with suppress(OSError), filler.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_on_a_full_disk_pictures_are_made_for_each_request_and_the_log_says_so_once(folder, full_disk):
    wall, filler = full_disk
    items = wall.settle(*names(folder))
    fill(filler)
    for item in [*items.values()][:5] * 2:
        made = wall.picture(item, 640)
        assert (made.status, opened(made.body).size) == (200, (640, 427))
    assert wall.metric("cache_bytes") == 0
    assert wall.logged().count("Made pictures are not kept") == 1
    assert list(wall.items()) == list(items)
    filler.unlink()
    assert all(wall.picture(item, 640).status == 200 for item in [*items.values()][:3])
    assert wall.logged().count("Made pictures are kept again") == 1
    assert wall.metric("unreadable_files") == 0


def test_on_a_disk_that_pictures_have_filled_the_oldest_leave_for_the_newest(folder, full_disk):
    wall, filler = full_disk
    first, *others = wall.settle(*names(folder)).values()
    assert wall.picture(first, 480).status == 200
    fill(filler)
    with filler.open("ab") as file:
        file.truncate(filler.stat().st_size - (64 << 10))
    for item in others:
        assert wall.picture(item, 320).status == 200
    kept = " ".join(file.name for file in filler.parent.glob("pictures/*/*.webp"))
    assert [item["fields"]["image"].split("/")[3] in kept for item in (first, others[-1])] == [False, True]
    assert "are not kept" not in wall.logged()


def test_a_strip_on_a_full_disk_is_changed_when_there_is_room_and_the_log_says_so_once(folder, full_disk):
    wall, filler = full_disk
    wall.settle(*names(folder))
    fill(filler)
    picture(folder / "new.jpg")
    try:
        wall.wait(lambda: "The strip cannot be changed" in wall.logged())
        read = wall.metric("opened_files_total")
        wall.wait(lambda: wall.metric("opened_files_total") > read)  # It is tried again.
        filler.unlink()
        wall.settle(*names(folder))
        assert wall.logged().count("The strip cannot be changed") == 1
        assert wall.logged().count("The strip can be changed again") == 1
    finally:
        (folder / "new.jpg").unlink()
