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


def test_while_the_disk_of_the_cache_is_full_made_pictures_are_shown(folder, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    cache = tmp_path / "cache"
    cache.mkdir()
    mount = 'mount -t tmpfs -o size=6m none "$0" && exec "$@"'
    with Wall(folder, cache, prefix=["unshare", "--mount", "sh", "-c", mount, str(cache)]) as wall:
        items = wall.settle(*names(folder))
        first, *others = items.values()
        assert wall.picture(first, 480).status == 200
        filler = Path(f"/proc/{wall.process.pid}/root{cache}/filler")
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        answers = {wall.picture(item, 640).status for item in others[:20]}
        assert 503 in answers and answers <= {200, 503}
        assert wall.picture(first, 480).status == 200
        assert list(wall.items()) == list(items)
        filler.unlink()
        wall.wait(lambda: all(wall.picture(item, 640).status == 200 for item in others[:3]))
        assert wall.metric("unreadable_files") == 0
