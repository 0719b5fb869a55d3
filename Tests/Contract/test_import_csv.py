"""`carousel import` of CSV: mapping, quotients, order. `CSVReaderTests` has the syntax, `ItemReaderTests` the members."""

import csv
import io
from random import Random

import pytest

from command import carousel, exited, exported_items, outcome
from model import lengths

#: The mapping that most tests use.
MAP = ("id=id", "title=title")


def table(database, text: str | bytes, *options, maps=MAP, name="items.csv"):
    """Imports a CSV file into the strip `s`."""
    file = database.parent / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    mapped = [part for one in maps for part in ("--map", one)]
    return carousel("import", file, "--database", database, "--strip", "s", *mapped, *options)


def titles(database) -> list:
    return [item["fields"].get("title") for item in exported_items(database)]


def taken(database, text: str | bytes, *options, maps=MAP) -> list[dict]:
    exited(table(database, text, *options, maps=maps))
    return exported_items(database)


@pytest.mark.one_store
@pytest.mark.parametrize(
    "text, line",
    [
        ("id,title\n1,a,extra\n", 2), ("id,title\n1,a\n1,b\n", 3), ("id,title\n1,a\n,b\n", 3), ("id,id\n1,a\n", 1),
        ('id,title\n1,a\n2,"open\n', 3), ('id,title\n1,a\n2,"a"b\n', 3), (b"id,title\n1,a\n2,\xff\n", 3),
        (b"id,title\n1,a\n2,a\x00b\n", 3), ('id,title\n1,"a\n\nb"\n2,c,d\n', 5),
    ],
)
def test_a_bad_row_is_65_with_its_line(text, line, database):
    run = exited(table(database, text), 65)
    assert f"{database.parent / 'items.csv'}:{line}: " in run.stderr.decode(), outcome(run)
    assert carousel("export", "--database", database, "--strip", "s").returncode != 0


def test_the_error_names_a_missing_column(database):
    run = table(database, "id,title\n1,a\n", maps=("id=id", "title=nowhere"))
    assert run.returncode in (64, 65), outcome(run)
    assert b"nowhere" in run.stderr
    run = table(database, "id,title\n1,a\n", "--sort", "nowhere")
    assert run.returncode in (64, 65), outcome(run)
    assert b"nowhere" in run.stderr


def test_an_aspect_may_be_the_quotient_of_two_columns(database):
    rows = [("300", "200"), ("1", "3"), ("62.5", "100"), ("400", "400.0"), ("1e3", "10")]
    body = "".join(f"{n},{w},{h}\n" for n, (w, h) in enumerate(rows))
    got = taken(database, "id,width,height\n" + body, maps=("id=id", "aspect=width/height"))
    for item, (w, h) in zip(got, rows):
        expected = lengths.aspect(repr(float(w) / float(h)))
        assert lengths.aspect(str(item["aspect"])) == expected


@pytest.mark.one_store
def test_a_field_may_be_a_quotient_too(database):
    rows = ["5,2", "4,2", "1,3", "3,0", ",1", "x,1"]
    text = "id,x,y\n" + "".join(f"{n},{row}\n" for n, row in enumerate(rows))
    got = taken(database, text, maps=("id=id", "r=x/y", "fields=*"))
    assert [item["fields"] for item in got] == [{"r": "2.5"}, {"r": "2"}, {"r": repr(1 / 3)}, {}, {}, {}]
    run = table(database, text, "--replace", maps=("id=x/y",))
    assert run.returncode == 65 and "quotient" in outcome(run)


def test_a_sorted_column_can_be_the_group(database):
    text = "id,year\n1,1990\n2,1980\n3,1990\n4,\n5,1980\n"
    got = taken(database, text, "--sort", "year", maps=("id=id", "group=year"))
    assert [(item["id"], item.get("group")) for item in got] == [
        ("2", "1980"), ("5", "1980"), ("1", "1990"), ("3", "1990"), ("4", None),
    ]


THREE = [("1", {"title": "One", "year": "1900"}), ("2", {"title": "Two"})]


@pytest.mark.one_store
@pytest.mark.parametrize(
    "text",
    [
        "id,title,year,\n1,One,1900\n2,Two,\n", "id,title,year\n1,One,1900,\n2,Two,,,,\n",
        '"id" ,"title"\t,"year"\n"1","One","1900" \n2,"Two" \n"","",""\n', "id,title,year,,,\n1,One,1900,,,\n2,Two,,,,\n,,,,,\n,,,,,\n\n\n",
        ",,\nid,title,year\n,,\n1,One,1900\n2,Two\n", "sep=,\r\nid,title,year\r\n1,One,1900\r\n2,Two\r\n",
        "sep=;\r\nid;title;year\r\n1;One;1900\r\n2;Two\r\n", "\ufeffsep=;\nid;title;year\n1;One;1900\n2;Two;\n",
        "\ufeff\"SEP=\t\"\nid\ttitle\tyear\n1\tOne\t1900\n2\tTwo\n", "sep=|\rid|title|year\r1|One|1900\r2|Two||\r",
    ],
)
@pytest.mark.parametrize("ids", ["id", "@row"])
def test_a_table_is_read_as_spreadsheets_write_it(text, ids, database):
    """ "cells missing at the end of a record are absent, surplus empty ones and records of separators only are
    passed over, a first line `sep=;` gives the separator"."""
    maps = (f"id={ids}", "title=title", "year=year")
    assert [(item["id"], item["fields"]) for item in taken(database, text, maps=maps)] == THREE


def test_a_first_line_gives_the_separator_whatever_the_option(database):
    for option in [";"], [",", "--replace"]:
        taken(database, "sep=;\nid;title\n1;a\n", "--delimiter", *option)
        assert titles(database) == ["a"]


@pytest.mark.one_store
def test_an_unclosed_quote_lists_all_lines_that_it_took(database, tmp_path):
    listed = tmp_path / "skipped.txt"
    text = 'id,title\n1,One\n2,"Unclosed\n3,Three\n4,Four\n5,"Five"\n6,Six\n'
    run = exited(table(database, text, "--on-error", "skip", "--skipped", listed))
    assert titles(database) == ["One", "Six"]
    assert "1 record skipped, of 4 lines:\n" in run.stdout.decode()
    said = [line for line in run.stdout.decode().splitlines() if "quote" in line]
    assert "opens in line 3" in said[0] and "lines 3 to 6" in said[0]
    lines = listed.read_text().splitlines()
    file = database.parent / "items.csv"
    assert lines[0] == said[0].strip()
    assert lines[1:] == [f"{file}:{line}: it is in the record of line 3" for line in (4, 5, 6)]


@pytest.mark.one_store
def test_the_summary_counts_the_lines_of_all_skipped_records(database):
    """Also of a whole record that has a cell of several lines, and of one whose id is taken."""
    text = 'id,title,width\n1,One,1\n2,"b\nb",x\n1,"c\n\nc",1\n4,d,x\n'
    run = exited(table(database, text, "--on-error", "skip", "--map", "width=width"))
    assert "3 records skipped, of 6 lines:\n" in run.stdout.decode()


@pytest.mark.one_store
@pytest.mark.parametrize("sort", [[], ["--sort", "id"]])
def test_a_record_that_the_strip_refuses_lists_all_its_lines(sort, database, tmp_path):
    listed = tmp_path / "skipped.txt"
    text = 'id,title\n1,One\n2,Two\n3,Three\n1,"a\n\nc"\n4,Four\n'
    run = exited(table(database, text, "--on-error", "skip", "--skipped", listed, *sort))
    assert "1 record skipped, of 3 lines:\n" in run.stdout.decode()
    lines = listed.read_text().splitlines()
    file = database.parent / "items.csv"
    assert lines[0] in run.stdout.decode()
    assert lines[0].startswith(f"{file}:5: ") and lines[0].endswith("; the record takes lines 5 to 7")
    assert lines[1:] == [f"{file}:{line}: it is in the record of line 5" for line in (6, 7)]


@pytest.mark.one_store
@pytest.mark.parametrize("record", ['x,"a\nb",k63', 'x0,"a\nb",k1'])
def test_a_refused_record_is_an_error_with_all_its_lines(record, database):
    """The 65th kind of a strip, and an id that exists."""
    first = "id,title,kind\n" + "".join(f"x{n},t,k{n}\n" for n in range(64))
    assert table(database, first, maps=(*MAP, "kind=kind")).returncode == 0
    text = f"id,title,kind\n{record.replace('k63', 'k64')}\n"
    run = exited(table(database, text, "--append", maps=(*MAP, "kind=kind")), 65)
    assert "items.csv:2: " in outcome(run) and "; the record takes lines 2 to 3" in outcome(run)


@pytest.mark.one_store
@pytest.mark.parametrize("end", ["", "\n"])
def test_a_quote_that_is_never_closed_lists_all_lines_too(end, database, tmp_path):
    listed = tmp_path / "skipped.txt"
    run = exited(table(database, f'id,title\n1,a\n2,"b\n3,c{end}', "--on-error", "skip", "--skipped", listed), 65)
    assert "opens in line 3" in outcome(run) and "lines 3 to 4" in outcome(run)
    assert [line.split(":")[1] for line in listed.read_text().splitlines()] == ["3", "4"]


@pytest.mark.one_store
@pytest.mark.parametrize("first", range(0, 80, 20))
def test_random_tables_are_those_of_python(database, first):
    """80 tables, cell for cell: an item's field is a cell that is not empty."""
    for number in range(first, first + 20):
        rng = Random(number)
        sign, end = rng.choice(",;\t|"), rng.choice(["\n", "\r\n", "\r"])
        text = random_table(rng, sign, end)
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign) if row]
        header, rows = rows[0], rows[1:]
        named = [] if sign == "," else ["--delimiter", "tab" if sign == "\t" else sign]
        maps = ("id=@row", *(f"c{k}=@{k + 1}" for k in range(len(header))))
        got = taken(database, text, *named, *(["--replace"] if number > first else []), "--allow-empty", maps=maps)
        cells = [{f"c{k}": cell for k, cell in enumerate(row) if cell} for row in rows]
        assert [item["fields"] for item in got] == cells, f"seed {number}: {text!r}"


def random_table(rng, sign, end):
    """A table that a program could write: cells in quotes, plain ones with quotes inside, ends left out."""
    pieces = ["a", "é", " ", "x y", "1", ",", ";", "\t", "|", '"', "\n", "\r\n", "\r", "'", "sep="]

    def cell():
        text = "".join(rng.choice(pieces) for _ in range(rng.randrange(5)))
        isPlain = not text.startswith('"') and not any(one in text for one in (sign, "\n", "\r"))
        return text if isPlain and rng.random() < 0.6 else '"' + text.replace('"', '""') + '"'

    columns = rng.randrange(2, 6)
    rows = [[f"h{k}" for k in range(columns)]]
    rows += [[cell() for _ in range(rng.randrange(1, columns + 1))] for _ in range(rng.randrange(1, 9))]
    for row in rows:
        if not any(one.strip('"') for one in row):
            row[0] = "z"  # a record of separators only is passed over
    return "".join(sign.join(row) + end for row in rows)


@pytest.mark.one_store
def test_an_import_sums_up_what_it_has_read(database):
    text = "id,w,h,kind\n1,3,2,On Paper\n2,1,0,\n3,600,1,\n4,3,10000,\n"
    run = table(database, text, "--aspect-range", "0.25:4", maps=("id=id", "aspect=w/h", "kind=kind"))
    assert run.returncode == 0 and run.stderr == b"", "progress is shown only on a terminal"
    for words in ("4 items", "2 kinds: card 3, on-paper 1", "1 item without a size", "2 aspects clamped"):
        assert words in run.stdout.decode(), words
    hint = "--map 'fields=*' keep columns"
    assert hint in run.stdout.decode()
    assert hint not in table(database, text, "--replace", maps=("id=id", "title=kind")).stdout.decode()


def test_the_summary_of_items_without_titles_says_what_pages_show(database):
    hint = 'no item has a title: pages show "name" in its place; --map title=COLUMN names one'
    text = "id,image,photo,price,name\n1,/a.jpg,big/a.jpg,12.50,AC/DC at home\n"
    assert hint in table(database, text, maps=("fields=*",)).stdout.decode().splitlines()
    assert "title" not in table(database, text, "--replace", maps=("fields=*", "title=name")).stdout.decode()


@pytest.mark.one_store
@pytest.mark.parametrize("options", [["--sort", "w"], ["--sort", "id"], ["--dry-run"]], ids=" ".join)
def test_a_repeated_id_is_named_by_its_line(options, database):
    run = table(database, "id,w\n1,3\n2,2\n1,4\n", *options, maps=("id=id",))
    assert run.returncode == 65 and run.stderr.decode().startswith(f"{database.parent / 'items.csv'}:4: "), outcome(run)


def test_the_option_format_overrides_the_file_name(database):
    exited(table(database, "id,title\n1,a\n", "--format", "csv", name="items.txt"))
    assert titles(database) == ["a"]


def test_a_header_alone_makes_an_empty_strip(database):
    assert taken(database, "id,title\n") == []
