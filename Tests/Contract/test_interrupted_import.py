"""An import that a signal ends, or that finds no space, changes nothing and can run again."""

import signal
import subprocess

import pytest

from command import ROOT, binary, carousel, environment, exited, exported, imported, outcome
from model.strips import Item, Strip
from stores import File
from test_unwritable import limit

STRIP = Strip("s", (Item("a"),))


def names(database: File) -> set[str]:
    return {file.name for file in database.parent.iterdir()}


def interrupted(database: File, number: int, *mode: str) -> None:
    """Ends an import with a signal after it has read a part of its input, and waits for more."""
    command = ["import", "-", "--format", "jsonl", "--database", str(database), "--strip", "s", *mode]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with subprocess.Popen([binary(), *command], cwd=ROOT, env=environment(), **pipes) as process:
        # More than the capacity of the pipe.
        process.stdin.write(b"".join(b'{"id":"b%d"}\n' % n for n in range(20_000)))
        process.stdin.flush()
        process.send_signal(number)
        assert process.wait() == -number


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_cancelled_import_into_a_new_file_leaves_no_file(number, tmp_path):
    interrupted(File(tmp_path), number)
    assert names(File(tmp_path)) == set()


def test_an_import_into_a_new_file_can_run_again_after_sigkill(tmp_path):
    database = File(tmp_path)
    interrupted(database, signal.SIGKILL)
    assert not database.exists()
    imported(database, STRIP)
    assert names(database) == {"s.jsonl", "strips.db"}


@pytest.mark.parametrize("mode", ["--append", "--replace"])
def test_a_cancelled_import_leaves_the_strip_unchanged(mode, tmp_path):
    database = imported(File(tmp_path), STRIP)
    before = exported(database)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        interrupted(database, number, mode)
        assert exported(database) == before, number
    exited(carousel("import", tmp_path / "s.jsonl", "--database", database, "--strip", "s", "--replace"))


@pytest.mark.parametrize("mode", [[], ["--append"], ["--replace"]])
def test_an_import_that_runs_out_of_space_changes_nothing(mode, tmp_path):
    database, large = File(tmp_path), tmp_path / "large.jsonl"
    large.write_text("".join(f'{{"id":"b{n}"}}\n' for n in range(20_000)))
    before = exported(imported(database, STRIP)) if mode else b""
    command = ["import", str(large), "--database", str(database), "--strip", "s", *mode]
    run = subprocess.run(
        [binary(), *command], capture_output=True, cwd=ROOT, env=environment(), preexec_fn=lambda: limit(0, 400 << 10)
    )
    assert run.returncode == 74 and str(database).encode() in run.stderr, outcome(run)
    if mode:
        assert exported(database) == before
    else:
        assert names(database) == {"large.jsonl"}
