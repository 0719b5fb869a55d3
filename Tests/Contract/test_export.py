"""`carousel export`: JSON Lines that `import` reads back to the same items."""

import json
import subprocess

import pytest

import at_random
import samples
from cases import seeds
from command import binary, carousel, exited, exported, imported, settings, shown
from model import lengths
from model.strips import Strip


def same_items(text: bytes, strip: Strip) -> None:
    """Asserts that the lines are the items of the strip."""
    lines = text.decode("utf-8").splitlines(keepends=True)
    assert len(lines) == len(strip.items)
    for line, item in zip(lines, strip.items):
        assert line.endswith("\n")
        got = json.loads(line, parse_float=str, parse_int=str)
        assert (got["id"], got.get("kind", "card")) == (item.id, item.kind)
        assert got.get("group") == item.group
        for member, spelled, unit in [("aspect", item.aspect, lengths.RATIO), ("width", item.width, lengths.PX)]:
            if spelled is None:
                assert member not in got
            else:
                assert lengths.whole(got[member], unit) == lengths.whole(spelled, unit)
        assert (item.fields == "{}" and "fields" not in got) or f'"fields":{item.fields}' in line


@pytest.mark.parametrize("strip", samples.STRIPS, ids=lambda strip: strip.name)
def test_export_writes_the_imported_items(sample_database, strip):
    same_items(exported(sample_database, strip.name), strip)


@pytest.mark.parametrize("seed", seeds(range(101, 105), each_store=2))
def test_an_export_imports_to_the_same_items(seed, database):
    strip = at_random.strip(seed)
    first = exported(imported(database, strip), strip.name)
    same_items(first, strip)
    file = database.parent / "again.jsonl"
    file.write_bytes(first)
    run = exited(carousel("import", file, "--database", database, "--strip", "again", *settings(strip)))
    assert exported(database, "again") == first
    windows = []
    for name in (strip.name, "again"):
        window = shown(database, name, "--width", "300")
        windows.append({k: v for k, v in window.items() if k not in ("strip", "revision")})
    assert windows[0] == windows[1]


@pytest.mark.one_store
@pytest.mark.parametrize("to", ["| head -n 1", ">&-"], ids=["a closed pipe", "nothing"])
def test_export_notices_that_it_cannot_write(sample_database, to):
    """A reader that needs no more is no error."""
    line = f'"$0" export --database "$1" --strip many {to}; echo "${{PIPESTATUS[0]}}"'
    run = subprocess.run(["bash", "-c", line, binary(), str(sample_database)], capture_output=True, text=True)
    if "head" in to:
        assert run.stdout.splitlines()[1:] == ["0"] and run.stderr == "", run
    else:
        assert run.stdout == "74\n" and "standard output" in run.stderr, run


def test_the_export_of_an_empty_strip_is_empty(sample_database):
    assert exported(sample_database, "empty") == b""
