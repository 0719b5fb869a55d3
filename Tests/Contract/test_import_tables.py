"""`carousel import` of tables as other programs write them: no ids, other delimiters, encodings, gzip."""

import gzip
import io
import zipfile

import pytest

from command import ROOT, carousel, exited, exported_items, outcome

pytestmark = pytest.mark.one_store


def importing(database, content: bytes, *options, name="items.csv", ids="@row"):
    """Imports a file into the strip `s`; `ids` is the column of the id."""
    file = database.parent / name
    file.write_bytes(content)
    mapped = ["--map", f"id={ids}"] if ids else []
    return carousel("import", file, "--database", database, "--strip", "s", *mapped, *options)


def taken(database, content: bytes, *options, **more) -> list[tuple[str, dict]]:
    """The id and the fields of each item after an import."""
    exited(importing(database, content, *options, **more))
    return [(item["id"], item["fields"]) for item in exported_items(database)]


def rejected(database, content: bytes, *options, **more) -> str:
    """The message of an import that fails with status 65. Asserts that it writes nothing."""
    run = exited(importing(database, content, *options, **more), 65)
    assert carousel("strips", "--database", database).stdout == b""
    return run.stderr.decode()


ALL = ["--map", "fields=*"]
TABLE = "name,city\nZoë,Köln\nŁukasz,\"Łódź, Polen\"\n"
ROWS = [("1", {"name": "Zoë", "city": "Köln"}), ("2", {"name": "Łukasz", "city": "Łódź, Polen"})]


def test_records_without_an_id_are_numbered(database):
    assert taken(database, TABLE.encode(), *ALL) == ROWS


def test_a_number_is_that_of_the_record_in_the_file(database):
    text = b"w,t\n1,a\nx,b\n\n3,c\n"
    options = ["--map", "width=w", "--map", "t=t", "--on-error", "skip", "--sort", "t"]
    assert taken(database, text, *options) == [("1", {"t": "a"}), ("3", {"t": "c"})]


def test_only_the_id_can_be_the_number_of_the_record(database):
    assert "only the id can be @row" in rejected(database, b"t\na\n", "--map", "title=@row")


def test_a_table_without_an_id_names_the_option(database):
    assert "--map id=COLUMN, or number the records with --map id=@row" in rejected(database, TABLE.encode(), ids=None)
    for column in ["SKU", "Product ID", "item_id", "productId", "EAN"]:
        assert f"--map 'id={column}'" in rejected(database, f"name,{column},valid\na,1,x\n".encode(), ids=None)


def test_a_column_without_a_name_has_a_number(database):
    text = b",title,\n7,a,x\n8,b,y\n"
    expected = [("7", {"title": "a", "note": "x"}), ("8", {"title": "b", "note": "y"})]
    assert taken(database, text, *ALL, "--map", "note=@3", ids="@1") == expected


def test_other_fields_lack_columns_without_a_name(database):
    assert taken(database, b",title\n7,a\n", *ALL) == [("1", {"title": "a"})]


def test_a_repeated_column_has_a_number(database):
    text = b"n,t,t\n1,a,b\n"
    assert "@2 or @3" in rejected(database, text, "--map", "title=t")
    assert taken(database, text, "--map", "title=@3") == [("1", {"title": "b"})]


def test_a_column_that_is_named_like_a_number_is_found_by_its_name(database):
    assert taken(database, b"@2,@1,@row\na,b,c\n", "--map", "t=@1", ids="@row") == [("c", {"t": "b"})]


@pytest.mark.parametrize("option, sign", [(";", ";"), ("tab", "\t"), ("\\t", "\t"), ("|", "|"), ("-", "-")])
def test_a_delimiter_separates_cells(option, sign, database):
    text = f'name{sign}city\n"a{sign},b"{sign}c,d\n'
    fields = {"name": f"a{sign},b", "city": "c,d"}
    assert taken(database, text.encode(), *ALL, "--delimiter", option) == [("1", fields)]


@pytest.mark.parametrize("sign, option", [(";", "--delimiter ';'"), ("\t", "--delimiter tab"), ("|", "--delimiter '|'")])
def test_a_header_with_another_delimiter_names_the_option(sign, option, database):
    said = rejected(database, TABLE.replace(",", sign).encode(), *ALL)
    assert "items.csv:1:" in said and option in said


def test_a_delimiter_that_is_given_is_not_doubted(database):
    assert taken(database, b"a;b\n1;2\n", *ALL, "--delimiter", ",") == [("1", {"a;b": "1;2"})]


@pytest.mark.parametrize("option", ["", ";;", '"', "é", "\n"])
def test_a_delimiter_is_one_character(option, database):
    exited(importing(database, TABLE.encode(), "--delimiter", option), 64)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16le", "utf-16be", "utf-32", "iso-8859-2", "UTF-8"])
def test_an_encoding_is_converted(encoding, database):
    text = TABLE.replace("ë", "ü")
    expected = [("1", {**ROWS[0][1], "name": "Zoü"}), ROWS[1]]
    assert taken(database, text.encode(encoding), *ALL, "--encoding", encoding) == expected


def test_windows_1252_is_converted(database):
    text = "t\n„Größe“ – 5 €\n".encode("cp1252")
    assert taken(database, text, *ALL, "--encoding", "windows-1252") == [("1", {"t": "„Größe“ – 5 €"})]


def test_an_encoding_is_converted_across_chunks(database):
    """The reader reads blocks of 256 KiB. The end of a block divides a line and a surrogate pair."""
    rows = [("🎠ab" * 11 + "c" * (n % 3)) for n in range(20_000)]
    text = "t\n" + "\n".join(rows) + "\n"
    got = taken(database, text.encode("utf-16"), *ALL, "--encoding", "utf-16")
    assert [fields["t"] for _, fields in got] == rows


def test_json_lines_have_an_encoding_too(database):
    text = '{"id":"é","fields":{"t":"🎠"}}\n'.encode("utf-16")
    got = taken(database, text, "--encoding", "utf-16", name="items.jsonl", ids=None)
    assert got == [("é", {"t": "🎠"})]


def test_a_byte_that_the_encoding_lacks_is_an_error_of_its_line(database):
    text = b"t,u\na,b\nc,\x81\ne,f\n"
    said = rejected(database, text, *ALL, "--encoding", "windows-1252")
    assert 'items.csv:3: column "u"' in said
    options = [*ALL, "--encoding", "windows-1252", "--on-error", "skip"]
    assert [id for id, _ in taken(database, text, *options)] == ["1", "3"]


def test_a_truncated_character_is_an_error(database):
    text = "t\na".encode("utf-16le")[:-1]
    assert "items.csv:2:" in rejected(database, text, *ALL, "--encoding", "utf-16le")


@pytest.mark.parametrize("text, encoding", [("t\na".encode("utf-16")[:-1], "utf-16"), (b"t\n\x81\n", "windows-1252")])
def test_an_error_names_the_encoding_that_was_given(text, encoding, database):
    said = rejected(database, text, *ALL, "--encoding", encoding)
    assert f'items.csv:2: column "t" is not valid {encoding}\n' in said


def test_an_error_of_json_lines_names_the_encoding_that_was_given(database):
    text = b'{"id":"a","fields":{"t":"\x81"}}\n'
    said = rejected(database, text, "--encoding", "windows-1252", name="items.jsonl", ids=None)
    assert "items.jsonl:1: the text is not valid windows-1252\n" in said


def test_a_letter_that_an_accent_could_follow_is_not_lost_at_the_end(database):
    """In windows-1258 accents are characters of their own, so iconv waits for the next one."""
    assert taken(database, b"t\nta", *ALL, "--encoding", "windows-1258") == [("1", {"t": "ta"})]


@pytest.mark.parametrize("name", ["no-such-encoding", "utf-16//IGNORE", ""])
def test_an_unknown_encoding_is_an_error(name, database):
    run = importing(database, TABLE.encode(), "--encoding", name)
    assert run.returncode in (64, 65), outcome(run)
    assert b"encoding" in run.stderr


@pytest.mark.parametrize("encoding, option", [("utf-16", "utf-16"), ("utf-16le", "utf-16le"), ("utf-16be", "utf-16be")])
def test_utf_16_names_the_option(encoding, option, database):
    assert f"--encoding {option}\n" in rejected(database, TABLE.encode(encoding), *ALL)


@pytest.mark.parametrize("text", ["grün\na\n", "t\ngrün\n"])
def test_text_that_is_not_utf_8_names_the_option(text, database):
    assert "--encoding windows-1252" in rejected(database, text.encode("cp1252"), *ALL)


@pytest.mark.parametrize("name", ["items.csv", "items.xlsx"])
def test_a_spreadsheet_is_to_be_saved_as_csv(name, database):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("xl/workbook.xml", "<workbook/>")
    for content in archive.getvalue(), bytes.fromhex("d0cf11e0a1b11ae1"):
        assert "save the table as CSV" in rejected(database, content, name=name)


@pytest.mark.parametrize("name", ["items.csv", "items.csv.gz"])
def test_gzip_is_recognized(name, database):
    assert taken(database, gzip.compress(TABLE.encode()), *ALL, name=name) == ROWS


@pytest.mark.parametrize("zeros", [1, 512, 300_000])
def test_gzip_may_be_padded_with_zeros(zeros, database):
    assert taken(database, gzip.compress(TABLE.encode()) + bytes(zeros), *ALL) == ROWS


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_line_that_names_the_separator_may_follow_a_byte_order_mark(encoding, database):
    text = "sep=;\r\n" + 'name;city\r\nZoë;Köln\r\nŁukasz;"Łódź, Polen"\r\n'
    mark = "\ufeff" if encoding == "utf-8" else ""
    assert taken(database, (mark + text).encode(encoding), *ALL, "--encoding", encoding) == ROWS


def test_a_json_array_says_how_to_write_lines(database):
    text = b'\n [\n{"id":"1"},\n{"id":"2"}\n]\n'
    for options in [], ["--on-error", "skip"]:
        said = rejected(database, text, "--format", "jsonl", *options, name="items.json", ids=None)
        assert "JSON array" in said and "jq" in said


def test_a_number_as_id_says_how_to_write_it(database):
    said = rejected(database, b'{"id":7}\n', name="items.jsonl", ids=None)
    assert 'items.jsonl:1: id: 7 is a number, not a string: write "7"' in said


FIELDS = b'id,artist,"Width, in cm"\n1,Turner,30\n'


def test_a_field_whose_name_has_a_comma_stands_in_quotes(database):
    run = importing(database, FIELDS, *ALL, "--filterable", 'artist,"Width, in cm"', ids="id")
    assert run.returncode == 0 and run.stderr == b"", outcome(run)
    again = exited(importing(database, FIELDS, *ALL, "--replace", "--dry-run", ids="id"))
    assert """--filterable '"Width, in cm"'""" in again.stdout.decode(), outcome(again)


@pytest.mark.parametrize("option", ["--filterable", "--searchable"])
@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_field_that_no_item_has_is_named_with_the_nearest_name(option, more, database):
    run = exited(importing(database, FIELDS, *ALL, option, "artst,artist", *more, ids="id"))
    said = run.stderr.decode()
    offer = ". Pages offer it in their menus all the same" if option == "--filterable" else ""
    assert said == f'{option}: no item of the file has a field "artst"; the nearest name is "artist"{offer}\n'


def test_a_field_that_is_like_no_other_is_named_alone(database):
    run = importing(database, FIELDS, *ALL, "--searchable", "zzz", ids="id")
    assert run.stderr.decode() == '--searchable: no item of the file has a field "zzz"\n'


def test_the_sample_can_be_imported_and_each_of_its_pictures_exists(database):
    mapped = ["--map", "title=title", "--map", "image=picture", "--map", "group=family"]
    run = carousel("import", "Samples/curves.csv", "--database", database, "--strip", "s", *mapped)
    assert run.returncode == 0 and b"275 items" in run.stdout, outcome(run)
    for item in exported_items(database):
        assert (ROOT / f"Public{item['fields']['image']}").exists(), item
        assert item["fields"]["title"] and item["group"], item


def test_members_are_no_missing_fields(database):
    run = importing(database, FIELDS, *ALL, "--filterable", "kind,artist", ids="id")
    assert run.returncode == 0 and run.stderr == b"", outcome(run)


def test_gzip_of_several_members_and_chunks_is_read_whole(database):
    rows = [f"{n},{'x' * (n % 70)}\n" for n in range(30_000)]
    half = len(rows) // 2
    parts = ["id,t\n" + "".join(rows[:half]), "".join(rows[half:])]
    content = b"".join(gzip.compress(part.encode()) for part in parts)
    got = taken(database, content, *ALL, ids="id")
    assert [f"{id},{fields.get('t', '')}\n" for id, fields in got] == rows


def test_gzip_of_json_lines_on_standard_input_is_recognized(database):
    given = gzip.compress(b'{"id":"a"}\n')
    command = ["import", "-", "--format", "jsonl", "--database", database, "--strip", "s"]
    exited(carousel(*command, given=given))
    assert [item["id"] for item in exported_items(database)] == ["a"]


def test_gzip_and_an_encoding_go_together(database):
    content = gzip.compress(TABLE.encode("utf-16"))
    assert taken(database, content, *ALL, "--encoding", "utf-16") == ROWS
    assert "--encoding utf-16" in rejected_again(database, content)


def rejected_again(database, content: bytes) -> str:
    run = exited(importing(database, content, *ALL, "--replace"), 65)
    return run.stderr.decode()


@pytest.mark.parametrize("damage", [lambda all: all[:-9], lambda all: all[:30] + b"\xff" * 9 + all[39:], lambda all: all + b"x"])
def test_damaged_gzip_imports_nothing(damage, database):
    rows = "".join(f"{n},{n * 7919 % 10007}\n" for n in range(2000))
    content = gzip.compress(f"id,t\n{rows}".encode())
    for options in [], ["--on-error", "skip"]:
        run = exited(importing(database, damage(content), *ALL, *options, ids="id"), 74)
        assert b"gzip" in run.stderr
    assert carousel("strips", "--database", database).stdout == b""


def test_a_file_lists_each_skipped_record(database, tmp_path):
    listed = tmp_path / "skipped.txt"
    rows = [f"{n},{'x' if n % 3 else n}" for n in range(30)]
    text = "id,w\n" + "\n".join(rows) + "\n1,2\n"
    options = ["--map", "width=w", "--on-error", "skip", "--skipped", listed]
    taken(database, text.encode(), *options, ids="id")
    file = database.parent / "items.csv"
    wrong = [n for n in range(30) if n % 3]
    expected = [f'{file}:{n + 2}: width: "x" is not a number' for n in wrong]
    assert listed.read_text().splitlines() == expected
    # The next import makes the list again.
    taken(database, b"id,w\n1,1\n", *options, "--replace", ids="id")
    assert listed.read_text() == ""


def test_a_list_of_skipped_records_needs_records_that_may_be_skipped(database, tmp_path):
    exited(importing(database, TABLE.encode(), "--skipped", tmp_path / "list"), 64)
    assert not (tmp_path / "list").exists()


def test_a_list_that_cannot_be_written_imports_nothing(database, tmp_path):
    options = ["--on-error", "skip", "--skipped", tmp_path / "absent" / "list"]
    exited(importing(database, TABLE.encode(), *options), 74)
    assert carousel("strips", "--database", database).returncode == 69
