"""`import --dry-run` reports what the import would do, and changes nothing."""

import pytest

from command import carousel, exited, import_lines, imported, outcome
from model.strips import Item, Strip

STRIP = Strip("s", (Item("a", width="10"), Item("b", width="20")))
MORE = Strip("s", (Item("c", width="10"), Item("b", width="20"), Item("d", width="30")))


def both(database, strip: Strip, *options):
    """A dry run and then the import. Asserts that the dry run changes nothing."""
    before = database.content()
    dry_run = import_lines(database, strip, *options, "--dry-run")
    assert database.content() == before
    return dry_run, import_lines(database, strip, *options)


@pytest.mark.parametrize("options", [(), ("--append",)], ids=["a strip that exists", "ids that are there"])
def test_a_dry_run_ends_like_the_import(database, options):
    imported(database, STRIP)
    dry_run, run = both(database, MORE, *options)
    assert dry_run.returncode == 65, outcome(dry_run)
    assert (dry_run.returncode, dry_run.stderr) == (run.returncode, run.stderr)
    # A heading stands above items only.
    assert dry_run.stdout.strip() != b"first items:"


@pytest.mark.parametrize("options, count", [(("--replace",), 3), (("--append", "--on-error", "skip"), 2)])
def test_a_dry_run_counts_the_same_items_as_the_import(database, options, count):
    imported(database, STRIP)
    runs = both(database, MORE, *options)
    for run in runs:
        assert run.returncode == 0, outcome(run)
        assert f"{count} items".encode() in run.stdout, outcome(run)
    skipped = [run.stdout.count(b"record skipped") for run in runs]
    assert skipped == [3 - count] * 2


@pytest.mark.parametrize("options", [(), ("--append",)], ids=["strips that exist", "ids that are there"])
def test_a_dry_run_checks_each_of_many_strips(database, options):
    file = database.parent / "many.csv"
    command = ["import", file, "--database", database, "--strip-from", "to", "--map", "id=no"]
    file.write_text("no,to\n1,a\n2,b\n")
    assert carousel(*command).returncode == 0
    file.write_text("no,to\n1,new\n2,b\n")
    before = database.content()
    dry_run = carousel(*command, *options, "--dry-run")
    assert database.content() == before
    run = carousel(*command, *options)
    assert dry_run.returncode == 65, outcome(dry_run)
    assert (dry_run.returncode, dry_run.stderr) == (run.returncode, run.stderr)


def test_a_dry_run_counts_the_kinds_that_items_have(database):
    """A 65th kind is an error until no item has one of the 64 kinds."""
    kinds = tuple(Item(f"i{n}", f"k{n}", width="10") for n in range(64))
    imported(database, STRIP.with_items(kinds))
    more = STRIP.with_items([Item("new", "another", width="10"), Item("i64", "k1", width="10")])
    dry_run, run = both(database, more, "--append")
    assert dry_run.returncode == 65 and b"kind" in dry_run.stderr, outcome(dry_run)
    assert (dry_run.returncode, dry_run.stderr) == (run.returncode, run.stderr)
    batch = b'[{"op":"remove","ids":["i7"]}]'
    assert carousel("edit", "-", "--database", database, "--strip", "s", given=batch).returncode == 0
    for run in both(database, more, "--append"):
        assert run.returncode == 0, outcome(run)


def test_a_dry_run_suggests_fields(database):
    items = [
        Item(
            f"i{n}",
            fields=f'{{"title":"No. {n}","artist":"Artist {n % 3}","year":{1900 + n},'
            f'"day":"1971-01-{n + 10}","code":"c{n}","new":true,"image":"/{n}.svg"}}',
        )
        for n in range(10)
    ]
    run = exited(import_lines(database, Strip("s", tuple(items)), "--dry-run"))
    suggested = "to filter and search: --filterable artist,year,day,new --searchable title,artist"
    assert suggested in run.stdout.decode().splitlines(), outcome(run)
    run = import_lines(database, Strip("s", tuple(items)), "--dry-run", "--filterable", "year")
    assert b"to filter" not in run.stdout, outcome(run)


def test_a_dry_run_shows_the_mapping_and_the_items(database):
    file = database.parent / "t.csv"
    file.write_text("id,w,h\n1,3,2\n2,1,1\n")
    mapped = ["--map", "id=id", "--map", "aspect=w/h"]
    run = exited(carousel("import", file, "--database", database, "--strip", "s", *mapped, "--dry-run"))
    for shown in ("aspect <- w / h", '{"id":"1","kind":"card","aspect":1.5,"fields":{}}', "2 items"):
        assert shown in run.stdout.decode(), shown


def test_a_dry_run_creates_no_database(database):
    before = database.content()
    run = import_lines(database, MORE, "--append", "--dry-run")
    assert run.returncode == 0 and b"3 items" in run.stdout, outcome(run)
    assert database.content() == before
    assert not database.exists()


def test_a_database_that_does_not_answer_is_69(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_text(STRIP.lines())
    address = "postgresql://127.0.0.1:1/none?connect_timeout=2"
    run = carousel("import", file, "--database", address, "--strip", "s", "--dry-run")
    assert run.returncode == 69 and run.stdout == b"", outcome(run)
