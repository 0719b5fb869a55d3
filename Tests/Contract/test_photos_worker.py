"""`carousel photos` and a worker of the test: files that end it."""

from concurrent.futures import ThreadPoolExecutor

from photos import Wall, with_worker


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
