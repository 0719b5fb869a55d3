"""Importing into an existing strip: append, replace, and the revision."""

import re
import time

import pytest

from command import carousel, exited, exported_ids, import_lines, imported, outcome, shown
from model.strips import Item, Strip

FIRST = Strip("s", (Item("a", width="10"), Item("b", width="20")), gap="5")
MORE = Strip("s", (Item("c", width="30"),), gap="5")


def clock() -> int:
    """ "the clock's microseconds since 1970"."""
    return time.time_ns() // 1000


def test_a_strip_that_exists_is_65_without_append_or_replace(database):
    imported(database, FIRST)
    before = shown(database)
    run = exited(import_lines(database, MORE), 65)
    assert b"--append" in run.stderr and b"--replace" in run.stderr
    assert shown(database) == before


def test_append_adds_at_the_end(database):
    imported(database, FIRST)
    exited(import_lines(database, MORE, "--append"))
    after = shown(database)
    assert [item["id"] for item in after["items"]] == ["a", "b", "c"]
    assert after["extent"] == 10 + 5 + 20 + 5 + 30


def test_replace_removes_the_old_items(database):
    imported(database, FIRST)
    exited(import_lines(database, MORE, "--replace"))
    assert exported_ids(database) == ["c"]


def test_a_title_stays_until_the_next_title_option(database):
    for options, title in [((), "s"), (("--title", "Songs & more"), "Songs & more"), ((), "Songs & more")]:
        exited(import_lines(database, FIRST, "--replace", *options))
        (line,) = carousel("strips", "--database", database).stdout.decode().splitlines()
        assert line.split("\t")[3] == title


def test_an_existing_id_cannot_be_appended(database):
    imported(database, FIRST)
    run = exited(import_lines(database, FIRST, "--append"), 65)
    assert ":1: " in run.stderr.decode()
    assert exported_ids(database) == ["a", "b"]


@pytest.mark.parametrize("option", ["--append", "--replace"])
def test_append_and_replace_create_a_missing_strip(option, database):
    exited(import_lines(database, FIRST, option))
    assert exported_ids(database) == ["a", "b"]


def test_a_first_revision_is_the_clock(database):
    before = clock()
    imported(database, FIRST)
    assert before <= shown(database)["revision"] <= clock()


def test_appending_is_an_edit_and_adds_one(database):
    imported(database, FIRST)
    revision = shown(database)["revision"]
    assert import_lines(database, MORE, "--append").returncode == 0
    assert shown(database)["revision"] == revision + 1


def test_a_replaced_strip_has_a_revision_above_the_old_one_and_the_clock(database):
    imported(database, FIRST)
    before = clock()
    assert import_lines(database, MORE, "--replace").returncode == 0
    assert shown(database)["revision"] > before


def test_other_strips_do_not_change(database):
    other = Strip("other", (Item("o", width="10"),))
    imported(database, FIRST, other)
    before = shown(database, "other")
    assert import_lines(database, MORE, "--replace").returncode == 0
    assert shown(database, "other") == before


def test_a_replaced_strip_keeps_its_place_among_the_strips(database, serving):
    other = Strip("other", (Item("o", width="10"),))
    imported(database, FIRST, other)
    assert import_lines(database, MORE, "--replace").returncode == 0
    assert serving("--database", database).window().json()["strip"] == "s"


BAD = "no,to,w\n1,s,wide\n2,s,10,11\n"


def table(database, text: str, *options):
    file = database.parent / "items.csv"
    file.write_text(text)
    mapped = ["--map", "id=no", "--map", "width=w", *options]
    return carousel("import", file, "--database", database, *mapped)


@pytest.mark.one_store
@pytest.mark.parametrize("strip", [("--strip", "s"), ("--strip-from", "to")], ids=["one", "many"])
@pytest.mark.parametrize("mode", [["--append"], ["--replace"], ["--replace", "--dry-run"]], ids=" ".join)
def test_a_file_without_a_valid_item_is_65_even_with_skip(mode, strip, database):
    options = [*strip, "--on-error", "skip"]
    for each in ([], mode):
        exited(table(database, BAD, *options, *each), 65)
        assert not database.exists()
    imported(database, FIRST)
    before = shown(database)
    run = exited(table(database, BAD, *options, *mode), 65)
    assert b"items.csv: " in run.stderr, outcome(run)
    assert re.search(rb"items\.csv:2: .*width", run.stderr), outcome(run)
    assert shown(database) == before


def test_append_skips_existing_items_even_if_no_item_is_new(database):
    imported(database, FIRST)
    run = import_lines(database, FIRST, "--append", "--on-error", "skip")
    assert run.returncode == 0 and b"2 records skipped" in run.stdout, outcome(run)
    assert exported_ids(database) == ["a", "b"]


def test_a_header_alone_empties_a_strip_that_it_replaces_if_that_is_allowed(database):
    imported(database, FIRST)
    run = exited(table(database, "no,to,w\n", "--strip", "s", "--replace", "--on-error", "skip", "--allow-empty"))
    (line,) = run.stdout.decode().splitlines()
    assert line == f"s: revision {shown(database)['revision']}, 0 items"
    assert exported_ids(database) == []


@pytest.mark.parametrize("name, content", [("e.csv", "id,title\n"), ("e.csv", ""), ("e.jsonl", ""), ("e.jsonl", "\n\n")])
def test_a_file_without_items_replaces_nothing(name, content, database, tmp_path):
    imported(database, FIRST)
    before = shown(database)
    file = tmp_path / name
    file.write_text(content)
    mapped = ["--map", "id=id"] if name.endswith("csv") else []
    command = ["import", file, "--database", database, "--strip", "s", *mapped]
    run = exited(carousel(*command, "--replace"), 65)
    assert str(file).encode() in run.stderr
    exited(carousel(*command, "--replace", "--dry-run"), 65)
    assert shown(database) == before
    if content == "" and name.endswith("csv"):
        return  # A CSV file without a header is invalid anyway.
    exited(carousel(*command, "--append"))
    assert shown(database)["items"] == before["items"]
    exited(carousel(*command, "--replace", "--allow-empty"))
    assert exported_ids(database) == []
