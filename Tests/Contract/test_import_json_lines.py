"""`carousel import` of JSON Lines: valid lines, and errors with their line."""

import json

import pytest

from command import carousel, exited, import_lines, imported, outcome, shown
from model.strips import Item, Strip
from model.windows import answer

GOOD = '{"id":"a","width":10}'


def lines(database, *content: str | bytes, name: str = "items.jsonl", options: tuple = ()):
    """Imports a file with these lines into the strip `s`."""
    file = database.parent / name
    file.write_bytes(b"".join(c if isinstance(c, bytes) else c.encode() + b"\n" for c in content))
    return carousel("import", file, "--database", database, "--strip", "s", *options)


BAD = {
    "no JSON": "{",
    "two values": GOOD + GOOD,
    "an array": '["a"]',
    "a string": '"a"',
    "null": "null",
    "a trailing comma": '{"id":"b","width":1,}',
    "single quotes": "{'id':'b'}",
    "a comment": '{"id":"b"} // b',
    "no id": '{"width":10}',
    "an empty id": '{"id":"","width":10}',
    "an id that is a number": '{"id":7,"width":10}',
    "an id that is null": '{"id":null,"width":10}',
    "a long id": '{"id":"%s","width":10}' % ("x" * 257),
    "a long id in bytes": '{"id":"%s","width":10}' % ("é" * 129),
    "a control character in an id": '{"id":"a\\u0007b","width":10}',
    "a line break in an id": '{"id":"a\\nb","width":10}',
    "a NUL in an id": '{"id":"a\\u0000","width":10}',
    "an upper-case kind": '{"id":"b","kind":"Album","width":10}',
    "a kind with a blank": '{"id":"b","kind":"an album","width":10}',
    "a kind that begins with a digit": '{"id":"b","kind":"1a","width":10}',
    "an empty kind": '{"id":"b","kind":"","width":10}',
    "a long kind": '{"id":"b","kind":"%s","width":10}' % ("k" * 33),
    "a kind that is a number": '{"id":"b","kind":1,"width":10}',
    "a negative width": '{"id":"b","width":-1}',
    "a width too great": '{"id":"b","width":100000.1}',
    "a width that is text": '{"id":"b","width":"10"}',
    "a width that is true": '{"id":"b","width":true}',
    "a width beyond all numbers": '{"id":"b","width":1e400}',
    "a width that is no number": '{"id":"b","width":NaN}',
    "a width with a plus": '{"id":"b","width":+1}',
    "a width with a leading 0": '{"id":"b","width":010}',
    "a negative aspect": '{"id":"b","aspect":-0.5}',
    "an aspect too great": '{"id":"b","aspect":1000.5}',
    "an aspect that is text": '{"id":"b","aspect":"1"}',
    "a group that is a number": '{"id":"b","width":1,"group":1971}',
    "fields that are a list": '{"id":"b","width":1,"fields":[]}',
    "fields that are text": '{"id":"b","width":1,"fields":"title"}',
    "a field that is null": '{"id":"b","width":1,"fields":{"title":null}}',
    "a field that is a list": '{"id":"b","width":1,"fields":{"title":["x"]}}',
    "a field that is an object": '{"id":"b","width":1,"fields":{"title":{"x":1}}}',
    "a NUL in a field": '{"id":"b","width":1,"fields":{"title":"a\\u0000b"}}',
    "fields of more than 64 KiB": '{"id":"b","width":1,"fields":{"title":"%s"}}' % ("x" * 66000),
    "a lone surrogate": '{"id":"b","width":1,"fields":{"title":"\\ud800"}}',
    "a raw tab in a string": '{"id":"b","width":1,"fields":{"title":"a\tb"}}',
    "broken UTF-8": b'{"id":"b","width":1,"fields":{"title":"\xff"}}\n',
    "an overlong form": b'{"id":"b","width":1,"fields":{"title":"\xc0\xaf"}}\n',
    "an id again": GOOD,
}


@pytest.mark.one_store
def test_bad_data_is_65_with_file_and_line_and_nothing_is_written(database):
    run = exited(lines(database, GOOD, '{"id":"z","width":10}', *BAD.values()), 65)
    assert f"{database.parent / 'items.jsonl'}:3: " in run.stderr.decode(), outcome(run)
    assert not database.exists()


@pytest.mark.one_store
def test_each_bad_line_is_named_and_skipped(database, tmp_path):
    listed = tmp_path / "skipped.txt"
    exited(lines(database, GOOD, *BAD.values(), options=("--on-error", "skip", "--skipped", listed)))
    found = listed.read_text()
    for number, name in enumerate(BAD, 2):
        assert f"{database.parent / 'items.jsonl'}:{number}: " in found, name
    assert found.count("\n") == len(BAD)
    assert [item["id"] for item in shown(database)["items"]] == ["a"]


def test_the_error_names_the_file_as_it_was_given(database):
    (database.parent / "there.jsonl").write_text("{")
    run = exited(carousel("import", "there.jsonl", "--database", database, "--strip", "s", cwd=database.parent), 65)
    assert (run.stderr.decode().startswith("there.jsonl:1: ") or "\nthere.jsonl:1: " in run.stderr.decode())


ALLOWED = [
    '{"id":"b"}',
    ' { "width" : 1e1 , "id" : "b" } ',
    '{"id":"b","width":0}',
    '{"id":"b","width":100000}',
    '{"id":"b","aspect":1000}',
    '{"id":"b","aspect":0.0}',
    '{"id":"b","kind":"k","width":1.5e-3}',
    '{"id":"b","kind":"%s","width":1}' % ("k" * 32),
    '{"id":"%s","width":1}' % ("x" * 256),
    '{"id":"\\u00e9\\ud83c\\udfa0","width":1}',
    '{"fields":{"title":"x","n":-1.5E-3,"yes":true},"id":"b"}',
    '{"id":"b","width":1,"fields":{"title":"%s"}}' % ("x" * 60000),
    '{"id":"b","group":"1794","width":1,"fields":{}}',
]


def test_valid_lines_are_imported(database):
    exited(lines(database, GOOD, *(line.replace('"b"', f'"b{n}"') for n, line in enumerate(ALLOWED))))
    assert shown(database)["count"] == 1 + len(ALLOWED)


def test_lines_may_end_with_crlf_and_the_last_one_without(database):
    exited(lines(database, b'{"id":"a","width":10}\r\n{"id":"b","width":10}'))
    assert [item["id"] for item in shown(database)["items"]] == ["a", "b"]


def test_a_strip_has_at_most_64_kinds(database):
    kinds = [f'{{"id":"i{n}","kind":"k{n}","width":10}}' for n in range(65)]
    run = exited(lines(database, *kinds), 65)
    assert ":65: " in run.stderr.decode()
    assert lines(database, *kinds[:64]).returncode == 0
    assert len(shown(database)["pools"]) == 64


def test_skip_leaves_out_wrong_lines(database):
    exited(lines(
        database,
        GOOD,
        "{",
        '{"id":"b","width":-1}',
        GOOD,
        '{"id":"c","width":5}',
        options=("--on-error", "skip"),
    ))
    assert [item["id"] for item in shown(database)["items"]] == ["a", "c"]


def test_sizes_and_settings_are_imported(database):
    strip = Strip(
        "s",
        (
            Item("both", aspect="1.0635", width="16"),
            Item("neither"),
            Item("seen", "artwork", aspect="0.33333333", group="1794"),
        ),
        height="250.5",
        gap="3.3",
        inset="20",
        item_width="70",
        loop=True,
    )
    imported(database, strip)
    run = carousel("window", "--database", database, "--strip", "s")
    text = run.stdout.decode().rstrip("\n")
    assert text == answer(strip, json.loads(text)["revision"], {})


def test_a_failed_import_does_not_change_the_database(database):
    assert lines(database, GOOD).returncode == 0
    before = shown(database)
    for options in (("--append",), ("--replace",)):
        assert lines(database, '{"id":"n","width":1}', "{", options=options).returncode == 65
        assert shown(database) == before


def test_an_empty_file_makes_an_empty_strip(database):
    exited(import_lines(database, Strip("s")))
    assert shown(database)["count"] == 0
