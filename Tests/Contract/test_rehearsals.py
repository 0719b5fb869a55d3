"""`import --dry-run` says what the import would, and changes nothing."""

import pytest

from command import carousel, import_lines, imported, told
from model.strips import Item, Strip

STRIP = Strip("s", (Item("a", width="10"), Item("b", width="20")))
MORE = Strip("s", (Item("c", width="10"), Item("b", width="20"), Item("d", width="30")))


def rehearsed(database, strip: Strip, *options):
    """A rehearsal, and how the import ends; claims that the first changes nothing."""
    before = database.content()
    rehearsal = import_lines(database, strip, *options, "--dry-run")
    assert database.content() == before
    return rehearsal, import_lines(database, strip, *options)


@pytest.mark.parametrize("options", [(), ("--append",)], ids=["a strip that exists", "ids that are there"])
def test_it_ends_as_the_import_does(database, options):
    imported(database, STRIP)
    rehearsal, run = rehearsed(database, MORE, *options)
    assert rehearsal.returncode == 65, told(rehearsal)
    assert (rehearsal.returncode, rehearsal.stderr) == (run.returncode, run.stderr)


@pytest.mark.parametrize("options, count", [(("--replace",), 3), (("--append", "--on-error", "skip"), 2)])
def test_it_takes_what_the_import_takes(database, options, count):
    imported(database, STRIP)
    runs = rehearsed(database, MORE, *options)
    for run in runs:
        assert run.returncode == 0, told(run)
        assert f"{count} items".encode() in run.stdout, told(run)
    skipped = [run.stdout.count(b"record skipped") for run in runs]
    assert skipped == [3 - count] * 2


@pytest.mark.parametrize("options", [(), ("--append",)], ids=["strips that exist", "ids that are there"])
def test_it_looks_at_each_of_many_strips(database, options):
    file = database.parent / "many.csv"
    command = ["import", file, "--database", database, "--strip-from", "to", "--map", "id=no"]
    file.write_text("no,to\n1,a\n2,b\n")
    assert carousel(*command).returncode == 0
    file.write_text("no,to\n1,new\n2,b\n")
    before = database.content()
    rehearsal = carousel(*command, *options, "--dry-run")
    assert database.content() == before
    run = carousel(*command, *options)
    assert rehearsal.returncode == 65, told(rehearsal)
    assert (rehearsal.returncode, rehearsal.stderr) == (run.returncode, run.stderr)


def test_it_counts_the_kinds_that_items_have(database):
    """A 65th is refused, until one of the 64 is no item's any more."""
    kinds = tuple(Item(f"i{n}", f"k{n}", width="10") for n in range(64))
    imported(database, STRIP.with_items(kinds))
    more = STRIP.with_items([Item("new", "another", width="10"), Item("i64", "k1", width="10")])
    rehearsal, run = rehearsed(database, more, "--append")
    assert rehearsal.returncode == 65 and b"kind" in rehearsal.stderr, told(rehearsal)
    assert (rehearsal.returncode, rehearsal.stderr) == (run.returncode, run.stderr)
    batch = b'[{"op":"remove","ids":["i7"]}]'
    assert carousel("edit", "-", "--database", database, "--strip", "s", given=batch).returncode == 0
    for run in rehearsed(database, more, "--append"):
        assert run.returncode == 0, told(run)


def test_it_leaves_a_database_of_nothing_as_it_is(database):
    before = database.content()
    run = import_lines(database, MORE, "--append", "--dry-run")
    assert run.returncode == 0 and b"3 items" in run.stdout, told(run)
    assert database.content() == before
    assert not database.exists()


def test_a_database_that_nobody_has_is_69(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_text(STRIP.lines())
    address = "postgresql://127.0.0.1:1/nobody?connect_timeout=2"
    run = carousel("import", file, "--database", address, "--strip", "s", "--dry-run")
    assert run.returncode == 69 and run.stdout == b"", told(run)
