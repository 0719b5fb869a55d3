"""Folders of pictures that the system does not let read, and times and items that are not expected."""

import fcntl
import os
import re
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from command import carousel, environment, outcome
from photos import BOUND, Wall, needs_libvips, with_worker
from waiting import wait_until


@pytest.fixture
def program(tmp_path) -> str:
    """The server beside a worker of the tests."""
    return with_worker(tmp_path)[0]


@pytest.fixture
def folder(tmp_path) -> Path:
    made = tmp_path / "pictures"
    made.mkdir()
    return made


@pytest.fixture
def cache(tmp_path) -> Path:
    return tmp_path / "cache"


def good(*files: Path) -> None:
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"GOOD")


@pytest.mark.parametrize("seconds", [10_413_792_000, -10_413_792_000])
def test_a_file_of_a_far_time_is_an_item(program, folder, cache, seconds):
    good(folder / "a.jpg", folder / "b.jpg")
    os.utime(folder / "b.jpg", (seconds, seconds))
    year = time.gmtime(os.stat(folder / "b.jpg").st_mtime).tm_year
    with Wall(folder, cache, program=program) as wall:
        items = wall.settle("a.jpg", "b.jpg")
        assert items["b.jpg"]["fields"]["taken"].startswith(str(year))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave its rights")
@pytest.mark.parametrize("mode, known", [(0, ["a/1.jpg"]), (0o400, [])])
def test_the_items_of_a_folder_that_cannot_be_read_stay(program, folder, cache, mode, known):
    good(folder / "a/1.jpg", folder / "a/2.jpg", folder / "b/3.jpg", folder / "b/4.jpg")
    ids = ["a/1.jpg", "a/2.jpg", "b/3.jpg", "b/4.jpg"]
    with Wall(folder, cache, program=program) as wall:
        wall.settle(*ids)
    (folder / "a").chmod(mode)
    (folder / "a/1.jpg").unlink()
    (folder / "b/3.jpg").unlink()
    with Wall(folder, cache, program=program, prefix=BOUND) as wall:
        # The names in a folder of mode 400 can be read.
        wall.settle(*known, "a/2.jpg", "b/4.jpg")
        wall.wait(lambda: "pictures; 1 files" in wall.logged())
        assert re.search("^a(/2.jpg)? cannot be read: Permission denied", wall.logged(), re.M), wall.logged()
        good(folder / "b/.5")
        (folder / "b/.5").rename(folder / "b/5.jpg")  # A file that is still written could be opened twice.
        wall.settle(*known, "a/2.jpg", "b/4.jpg", "b/5.jpg")
        (folder / "a").chmod(0o755)
        wall.settle("a/2.jpg", "b/4.jpg", "b/5.jpg")
        assert wall.metric("opened_files_total") == 1
        assert "cannot be changed" not in wall.logged()
        assert wall.picture(wall.items()["a/2.jpg"], 160).status == 404  # This worker makes none.


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave its rights")
def test_import_does_not_replace_pictures_of_a_folder_that_cannot_be_read(program, folder, tmp_path):
    good(folder / "a/1.jpg", folder / "b/2.jpg")
    into = ["--database", str(tmp_path / "wall.db"), "--strip", "wall"]

    def imported(*options):
        return subprocess.run([*BOUND, program, "import", folder, *into, *options], capture_output=True, timeout=60, env=environment())

    # The worker of these tests makes no placeholders.
    worker = tmp_path / "carousel-pictures"
    worker.write_text(worker.read_text().replace('question == b"header"', "True"))
    assert imported().returncode == 0
    (folder / "a").chmod(0)
    run = imported("--replace")
    assert run.returncode == 69 and b"a cannot be read: Permission denied" in run.stderr, outcome(run)
    assert carousel("export", *into).stdout.count(b'"id":') == 2
    run = imported("--append")
    assert b"a: Permission denied" in run.stderr, outcome(run)
    (folder / "a").chmod(0o755)
    folder.chmod(0)
    run = imported("--replace", "--allow-empty")
    folder.chmod(0o755)
    assert run.returncode == 69 and b"cannot be read: Permission denied" in run.stderr, outcome(run)
    assert carousel("export", *into).stdout.count(b'"id":') == 2


def test_a_strip_that_cannot_be_read_is_read_later(program, folder, cache):
    good(folder / "a.jpg", folder / "b.jpg")
    with Wall(folder, cache, program=program) as wall:
        before = wall.settle("a.jpg", "b.jpg")
    with closing(sqlite3.connect(cache / "photos.db", isolation_level=None)) as database:
        database.execute("UPDATE item SET checksum = checksum + 1")
        with Wall(folder, cache, program=program) as wall:
            wall.wait(lambda: "The strip cannot be read" in wall.logged())
            reply = wall.picture(before["a.jpg"], 320)
            assert (reply.status, reply.fields["retry-after"]) == (503, "5")
            database.execute("UPDATE item SET checksum = checksum - 1")
            wall.wait(lambda: "2 pictures; 0 files" in wall.logged())
            assert wall.items() == before
            assert "cannot be changed" not in wall.logged()
            assert wall.metric("opened_files_total") == 0
            good(folder / "c.jpg")
            wall.settle("a.jpg", "b.jpg", "c.jpg")


def test_a_folder_that_has_left_is_not_followed(program, folder, cache, tmp_path):
    good(folder / "a.jpg", folder / "b/c.jpg")
    with Wall(folder, cache, program=program) as wall:

        def watched() -> int:
            files = Path(f"/proc/{wall.process.pid}/fdinfo").iterdir()
            return sum(file.read_text().count("inotify wd:") for file in files)

        wall.settle("a.jpg", "b/c.jpg")
        wall.wait(lambda: watched() == 2)
        os.rename(folder / "b", tmp_path / "b")
        wall.settle("a.jpg")
        wall.wait(lambda: watched() == 1)
        os.rename(tmp_path / "b", folder / "d")
        wall.settle("a.jpg", "d/c.jpg")
        wall.wait(lambda: watched() == 2)


def test_the_list_of_unreadable_files_is_written_when_the_disk_allows_it(program, folder, cache):
    good(folder / "a.jpg")
    (folder / "bad.jpg").write_bytes(b"no picture")
    os.utime(folder / "bad.jpg", (0, 0))
    (cache / "unreadable").mkdir(parents=True)
    with Wall(folder, cache, program=program) as wall:
        wall.wait(lambda: wall.metric("unreadable_files") == 1)
        wall.wait(lambda: "1 pictures; 1 files" in wall.logged())
        (cache / "unreadable").rmdir()
        wall.wait((cache / "unreadable").is_file)


def test_the_cache_is_not_in_the_folder(folder, tmp_path):
    needs_libvips()
    (tmp_path / "link").symlink_to("pictures")
    runs = [
        carousel("photos", ".", "--cache", "cache", "--port", "0", cwd=folder, timeout=20),
        carousel("photos", folder, "--cache", tmp_path / "link/made/cache", "--port", "0", timeout=20),
        carousel("photos", tmp_path / "link", "--cache", folder / "cache", "--port", "0", timeout=20),
        carousel("photos", folder, "--port", "0", env=environment(XDG_CACHE_HOME=str(folder)), timeout=20),
    ]
    for run in runs:
        assert run.returncode == 65 and b"is in the folder, which never changes" in run.stderr, outcome(run)
    assert list(folder.iterdir()) == []


def test_an_import_of_a_folder_can_be_interrupted(program, folder, tmp_path):
    for k in range(100):
        (folder / f"{k}.jpg").write_bytes(b"WAIT")
    log = tmp_path / "questions"
    with log.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [program, "import", folder, "--database", tmp_path / "wall.db", "--strip", "wall"]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as run:
            wait_until(lambda: b"WAIT" in log.read_bytes())
            run.send_signal(signal.SIGINT)
            try:
                assert run.wait(timeout=30) == -signal.SIGINT
            finally:
                run.kill()
