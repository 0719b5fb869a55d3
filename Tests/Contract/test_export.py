"""`carousel export`: JSON Lines that `import` reads back to the same items."""

import json

import pytest

import at_random
import shelf
from command import carousel, imported, settings, told
from model import lengths
from model.strips import Strip


def export(database, strip: str) -> bytes:
    run = carousel("export", "--database", database, "--strip", strip)
    assert run.returncode == 0, told(run)
    return run.stdout


def same_items(text: bytes, strip: Strip) -> None:
    """The lines say the strip's items."""
    lines = text.decode("utf-8").splitlines(keepends=True)
    assert len(lines) == len(strip.items)
    for line, item in zip(lines, strip.items):
        assert line.endswith("\n")
        told = json.loads(line, parse_float=str, parse_int=str)
        assert (told["id"], told.get("kind", "card")) == (item.id, item.kind)
        assert told.get("group") == item.group
        for member, spelled, unit in [
            ("aspect", item.aspect, lengths.RATIO),
            ("width", item.width, lengths.PX),
        ]:
            if spelled is None:
                assert member not in told
            else:
                assert lengths.whole(told[member], unit) == lengths.whole(spelled, unit)
        assert (item.fields == "{}" and "fields" not in told) or f'"fields":{item.fields}' in line


@pytest.mark.parametrize("strip", shelf.STRIPS, ids=lambda strip: strip.name)
def test_export_writes_the_items_as_they_were_imported(shelf_database, strip):
    same_items(export(shelf_database, strip.name), strip)


@pytest.mark.parametrize("seed", range(101, 109))
def test_what_export_writes_import_reads_back_to_the_same(seed, database):
    strip = at_random.strip(seed)
    first = export(imported(database, strip), strip.name)
    same_items(first, strip)
    file = database.parent / "again.jsonl"
    file.write_bytes(first)
    run = carousel("import", file, "--database", database, "--strip", "again", *settings(strip))
    assert run.returncode == 0, told(run)
    assert export(database, "again") == first
    windows = []
    for name in (strip.name, "again"):
        run = carousel("window", "--database", database, "--strip", name, "--width", "300")
        window = json.loads(run.stdout)
        windows.append({k: v for k, v in window.items() if k not in ("strip", "revision")})
    assert windows[0] == windows[1]


def test_an_empty_strip_is_no_line(shelf_database):
    assert export(shelf_database, "empty") == b""
