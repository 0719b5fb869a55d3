"""`carousel photos` and its worker, or one of the test: what ends it, and the order of its questions."""

import fcntl
import os
import socket
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from command import binary, carousel
from photos import Wall, needs_libvips, picture, with_worker
from server import Server


def test_a_file_that_ends_the_worker_is_not_tried_again(tmp_path):
    program, log = with_worker(tmp_path)
    folder = tmp_path / "pictures"
    folder.mkdir()
    for k in range(5):
        (folder / f"good{k}.jpg").write_bytes(b"GOOD %d" % k)
    (folder / "hostile.jpg").write_bytes(b"KILL")
    (folder / "large.jpg").write_bytes(b"MEMORY")
    good = [f"good{k}.jpg" for k in range(5)]
    for _ in range(2):
        with Wall(folder, tmp_path / "cache", program=program) as wall:
            wall.settle(*good)
            wall.wait(lambda: wall.metric("unreadable_files") == 2)
    asked = log.read_bytes().split(b"\n")
    # Once more in a new process: an earlier picture could have damaged the first.
    assert (asked.count(b"KILL"), asked.count(b"MEMORY")) == (2, 3)
    with Wall(folder, tmp_path / "cache", program=program) as wall:
        (folder / "hostile.jpg").write_bytes(b"GOOD now")
        wall.settle(*good, "hostile.jpg")
        wall.wait(lambda: wall.metric("unreadable_files") == 1)


def test_a_worker_that_closes_its_socket_and_stays_is_ended(tmp_path):
    program, _ = with_worker(tmp_path)
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "good.jpg").write_bytes(b"GOOD")
    (folder / "hostile.jpg").write_bytes(b"SILENT")
    with Wall(folder, tmp_path / "cache", program=program) as wall:
        wall.settle("good.jpg")
        wall.wait(lambda: wall.metric("unreadable_files") == 1)


def test_a_port_that_is_taken_is_named(tmp_path):
    (folder := tmp_path / "pictures").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = carousel("photos", folder, "--cache", tmp_path / "cache", "--port", port)
    assert result.returncode == 69 and str(port).encode() in result.stderr, result


def test_a_picture_that_cannot_be_made_is_listed(tmp_path):
    program, _ = with_worker(tmp_path)
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.jpg").write_bytes(b"GOOD")
    with Wall(folder, tmp_path / "cache", program=program) as wall:
        item = wall.settle("a.jpg")["a.jpg"]
        # Each request finds that the file is unreadable.
        with ThreadPoolExecutor(4) as threads:
            assert [reply.status for reply in threads.map(lambda width: wall.picture(item, width), (160, 240, 320, 480))] == [404] * 4
        wall.settle()
        assert "cannot be changed" not in wall.logged()
        assert wall.metric("unreadable_files") == 1


def test_a_worker_leaves_after_a_picture_that_it_cannot_decode(tmp_path):
    needs_libvips()
    cut = picture(tmp_path / "cut.tif")
    cut.write_bytes(cut.read_bytes()[: cut.stat().st_size // 2])
    own, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    own.settimeout(30)
    with own, subprocess.Popen([Path(binary()).with_name("carousel-pictures")], stdin=other) as worker:
        other.close()
        for question in (b"7\0header\0", b"7\0make\000160\0webp\0"):
            with cut.open("rb") as source, (tmp_path / "made").open("wb") as target:
                socket.send_fds(own, [question], [source.fileno(), target.fileno()])
            number, kind, *texts = own.recv(65536).split(b"\0")
        assert (number, kind) == (b"7", b"error") and b"TIFF" in texts[0], texts
        # libvips keeps the file open: after some more, the process could open none.
        assert own.recv(65536) == b""
        assert worker.wait() == 0


def test_a_worker_that_has_left_is_started_again(tmp_path):
    program, _ = with_worker(tmp_path)
    worker = tmp_path / "carousel-pictures"
    worker.write_text(worker.read_text() + "    if answer[0] == b'error':\n        break\n")
    folder = tmp_path / "pictures"
    folder.mkdir()
    for k in range(20):
        (folder / f"{k}.jpg").write_bytes(b"GOOD" if k % 2 else b"BAD")
    for file in folder.iterdir():
        os.utime(file, (0, 0))
    with Wall(folder, tmp_path / "cache", program=program) as wall:
        wall.settle(*(f"{k}.jpg" for k in range(1, 20, 2)))
        wall.wait(lambda: wall.metric("unreadable_files") == 10)
        assert wall.metric("ended_workers_total") == 0


def test_the_files_of_the_folder_in_view_are_read_before_the_rest(tmp_path):
    program, log = with_worker(tmp_path)
    # At most 64 questions wait for each worker, and there are two on one core.
    waiting = 2 * 64
    folder = tmp_path / "pictures"
    for name, count, second in (("new", 3 * waiting, 2_000_000), ("old", 10, 1_000_000)):
        (folder / name).mkdir(parents=True)
        for k in range(count):
            file = folder / name / f"{k}.jpg"
            file.write_bytes(f"GOOD {name} {'first' if k == 0 else 'WAIT'}".encode())
            os.utime(file, (second - k, second - k))
    one_core = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
    lock = log.open()
    fcntl.flock(lock, fcntl.LOCK_EX)
    with lock, ThreadPoolExecutor() as threads, Wall(folder, tmp_path / "cache", program=program, prefix=one_core) as wall:
        items = wall.settle("new/0.jpg", "old/0.jpg")
        wall.wait(lambda: log.read_bytes().count(b"WAIT") == 2)
        reply = threads.submit(wall.picture, items["old/0.jpg"], 160)
        wall.wait(lambda: wall.metric("waiting_requests") == 1)
        fcntl.flock(lock, fcntl.LOCK_UN)
        wall.wait(lambda: len(wall.items()) == 3 * waiting + 9)
        assert reply.result().status == 404  # This worker makes none.
    asked = [line.split()[1] for line in log.read_bytes().splitlines() if line.endswith(b"WAIT")]
    assert asked.count(b"old") == 9
    assert b"old" not in asked[waiting + 20 :], asked


def test_the_connection_of_a_client_that_was_reset_ends_with_its_turn(tmp_path):
    program, log = with_worker(tmp_path)
    (folder := tmp_path / "pictures").mkdir()
    for name in "abc":
        (folder / f"{name}.jpg").write_bytes(b"GOOD HOLD")
    # There are two workers.
    one_core = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
    with Path(f"{log}.hold").open() as lock, Wall(folder, tmp_path / "cache", program=program, prefix=one_core) as wall:
        items = wall.settle("a.jpg", "b.jpg", "c.jpg")

        def asked(name: str) -> socket.socket:
            client = socket.create_connection(("127.0.0.1", wall.port), timeout=30)
            path = items[name]["fields"]["image"].replace("{w}", "160")
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            return client

        def connections() -> float:
            return Server.metric(wall, "http_server_open_connections")

        before = connections()
        fcntl.flock(lock, fcntl.LOCK_EX)
        with asked("a.jpg") as first, asked("b.jpg") as second:
            wall.wait(lambda: log.read_bytes().count(b"HOLD") == 5)
            reset = asked("c.jpg")
            wall.wait(lambda: wall.metric("waiting_requests") == 1)
            reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            reset.close()
            fcntl.flock(lock, fcntl.LOCK_UN)
            assert first.recv(12) == second.recv(12) == b"HTTP/1.1 404"  # This worker makes none.
        wall.wait(lambda: connections() <= before)
        assert log.read_bytes().count(b"HOLD") == 5


def test_a_hostile_worker_answers_one_question_and_keeps_no_files_open(tmp_path):
    program, _ = with_worker(tmp_path)
    folder = tmp_path / "pictures"
    folder.mkdir()
    names = [f"{k}.jpg" for k in range(20)]
    for name in names:
        (folder / name).write_bytes(b"GOOD EXTRA")
    with Wall(folder, tmp_path / "cache", program=program) as wall:
        items = wall.settle(*names)
        assert {item["fields"]["pixels"] for item in items.values()} == {"30 x 20"}
        opened = [os.readlink(link) for link in Path(f"/proc/{wall.process.pid}/fd").iterdir()]
        assert opened.count("/dev/null") <= 3, opened


def test_a_hostile_worker_adds_no_fields(tmp_path):
    program, _ = with_worker(tmp_path)
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "a.jpg").write_bytes(b"GOOD")
    (folder / "hostile.jpg").write_bytes(b"GOOD JSON")
    with Wall(folder, tmp_path / "cache", program=program) as wall:
        wall.wait(lambda: wall.metric("unreadable_files") == 1)
        wall.settle("a.jpg")
