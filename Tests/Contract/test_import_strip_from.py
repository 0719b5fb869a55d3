"""`import --strip-from`: one file with the items of many strips."""


import pytest

from command import carousel, exited, exported_items, outcome
from waiting import wait_until

TABLE = """\
no,label,name
1,Blue Note,Maiden Voyage
2,"ECM, Munich",Solstice
3,Blue Note,Speak No Evil
4,ecm munich,Facing You
1,Verve,Getz/Gilberto
"""


def imported(database, *options, text=TABLE, name="labels.csv", table=True):
    file = database.parent / name
    file.write_text(text)
    mapped = ["--map", "id=no", "--map", "title=name"] if table else []
    return carousel("import", file, "--database", database, *mapped, *options)


def titles(database, strip) -> list[str]:
    return [item["fields"]["title"] for item in exported_items(database, strip)]


def names(database) -> list[str]:
    run = exited(carousel("strips", "--database", database))
    return [line.split("\t")[0] for line in run.stdout.decode().splitlines()]


def test_each_row_goes_to_the_strip_that_it_names(database):
    run = exited(imported(database, "--strip-from", "label", "--gap", "4"))
    assert b"3 strips" in run.stdout
    assert names(database) == ["blue-note", "ecm-munich", "verve"]
    assert titles(database, "blue-note") == ["Maiden Voyage", "Speak No Evil"]
    assert titles(database, "ecm-munich") == ["Solstice", "Facing You"]


def test_a_long_name_is_truncated_and_does_not_end_with_a_hyphen(database):
    text = f"no,label,name\n1,{'1' * 63} x,A\n2,{'2' * 64} x,B\n3,{'3' * 70},C\n"
    exited(imported(database, "--strip-from", "label", text=text))
    assert names(database) == ["1" * 63, "2" * 64, "3" * 64]


def test_the_title_is_the_text_that_gave_the_name(database, serving):
    """The title is the name in the first row. The option `--title` overrides it."""
    assert imported(database, "--strip-from", "label").returncode == 0
    more = "no,label,name\n8,BLUE NOTE,Idle Moments\n9,plain,Even\n"
    assert imported(database, "--strip-from", "label", "--append", text=more).returncode == 0
    server = serving("--database", database)
    named = {one["strip"]: one["title"] for one in server.get("/strips").json()["strips"]}
    assert named == {"blue-note": "Blue Note", "ecm-munich": "ECM, Munich", "verve": "Verve", "plain": "plain"}
    again = ["--strip-from", "label", "--replace", "--title", "Records"]
    assert imported(database, *again, text=more).returncode == 0
    other = serving("--database", database)
    assert [other.get(f"/strips/{one}").json()["title"] for one in ("blue-note", "plain", "verve")] == [
        "Records", "Records", "Verve"
    ]  # fmt: skip


@pytest.mark.parametrize("options", [[], ["--replace"], ["--append"], ["--sort", "no"]], ids=" ".join)
@pytest.mark.parametrize("order", ["123", "132"], ids=["together", "apart"])
@pytest.mark.parametrize(
    "spelled",
    [["blue-note", "Blue Note"], pytest.param(["Blue Note", "blue-note"], marks=pytest.mark.one_store)],
)
def test_the_title_is_the_first_spelling_in_the_file(database, spelled, order, options):
    """However the rows are grouped, and even if the first spelling equals the name."""
    rows = {"1": f"1,{spelled[0]},Maiden Voyage\n", "2": f"2,{spelled[1]},Idle Moments\n", "3": "3,Verve,Focus\n"}
    text = "no,label,name\n" + "".join(rows[number] for number in order)
    exited(imported(database, "--strip-from", "label", *options, text=text))
    lines = carousel("strips", "--database", database).stdout.decode().splitlines()
    assert [line.split("\t")[3] for line in lines] == [spelled[0], "Verve"]


def test_imported_strips_are_served_and_listed_in_pages(database, serving):
    assert imported(database, "--strip-from", "label", "--gap", "4").returncode == 0
    server = serving("--database", database)
    page = server.get("/strips?limit=2").json()
    assert [strip["strip"] for strip in page["strips"]] == ["blue-note", "ecm-munich"]
    assert [strip["extent"] for strip in page["strips"]] == [324, 324]
    rest = server.get("/strips?limit=2&after=" + page["next"]).json()
    assert [(strip["strip"], strip["count"]) for strip in rest["strips"]] == [("verve", 1)]
    for strip in page["strips"] + rest["strips"]:
        assert server.get("/strips/" + strip["strip"]).json() == strip
        assert server.window(strip=strip["strip"]).json()["extent"] == strip["extent"]


def test_json_lines_name_the_strip_in_a_member(database):
    lines = '{"id":"1","to":"b"}\n{"id":"1","to":"a"}\n{"to":"b","id":"2"}\n'
    run = exited(imported(database, "--strip-from", "to", text=lines, name="n.jsonl", table=False))
    assert names(database) == ["b", "a"]
    for fault in ('{"id":"1"}\n', '{"id":"1","to":"No Name"}\n', '{"id":"1","to":7}\n'):
        run = imported(database, "--strip-from", "to", "--append", text=fault, name="n.jsonl", table=False)
        assert run.returncode == 65 and b"n.jsonl:1: " in run.stderr, outcome(run)
    exited(imported(database, "--strip-from", "kind", text=lines, name="n.jsonl", table=False), 64)


def test_append_and_replace_apply_to_each_strip(database):
    assert imported(database, "--strip-from", "label").returncode == 0
    more = "no,label,name\n5,Verve,Focus\n6,Impulse,Ascension\n7,Verve,Trio 64\n"
    assert imported(database, "--strip-from", "label", text=more).returncode == 65
    assert names(database) == ["blue-note", "ecm-munich", "verve"]
    exited(imported(database, "--strip-from", "label", "--append", text=more))
    assert titles(database, "verve") == ["Getz/Gilberto", "Focus", "Trio 64"]
    exited(imported(database, "--strip-from", "label", "--replace", text=more))
    assert titles(database, "verve") == ["Focus", "Trio 64"]
    assert titles(database, "blue-note") == ["Maiden Voyage", "Speak No Evil"]
    exited(carousel("check", "--database", database))


ITEMS = [(f"{number}", f"s{strip}", f"Title {number}") for strip in range(5) for number in range(40)]


def table(rows) -> str:
    return "no,label,name\n" + "".join(",".join(row) + "\n" for row in rows)


def scattered(rows) -> list:
    """The rows of all strips interleaved, in order within each strip."""
    return sorted(rows, key=lambda row: (int(row[0]), row[1]))


@pytest.mark.parametrize("order", [list, scattered])
@pytest.mark.parametrize("options", [[], ["--sort", "no"]], ids=["in order of the file", "sorted"])
def test_a_strip_replaced_by_equal_items_keeps_its_revision(database, serving, order, options):
    """A changed row makes a new revision of its strip only. Windows of the old revision keep their bytes."""
    text = table(order(ITEMS))
    run = imported(database, "--strip-from", "label", "--replace", *options, text=text)
    assert run.returncode == 0 and b"5 strips: 5 new, 0 changed, 0 unchanged" in run.stdout, outcome(run)
    server = serving("--database", database)

    def revisions() -> dict:
        return {one["strip"]: one["revision"] for one in server.get("/strips").json()["strips"]}

    def pinned() -> list:
        return [server.window(strip=one, revision=str(at), width="3000").body for one, at in first.items()]

    first = revisions()
    windows = pinned()
    run = imported(database, "--strip-from", "label", "--replace", *options, text=text)
    assert run.returncode == 0 and b"5 strips: 0 new, 0 changed, 5 unchanged" in run.stdout, outcome(run)
    assert revisions() == first
    changed = [row if row[:2] != ("17", "s3") else ("17", "s3", "Another") for row in order(ITEMS)]
    run = imported(database, "--strip-from", "label", "--replace", *options, text=table(changed))
    assert run.returncode == 0 and b"5 strips: 0 new, 1 changed, 4 unchanged" in run.stdout, outcome(run)
    assert b"200 items" in run.stdout, outcome(run)
    assert titles(database, "s3")[17] == "Another"
    wait_until(lambda: revisions() != first, "the server did not follow")
    assert [one for one, at in revisions().items() if at != first[one]] == ["s3"]
    assert pinned() == windows
    exited(carousel("check", "--database", database))


def test_equal_strips_from_a_pipe_with_skipped_records_are_unchanged(database):
    assert imported(database, "--strip-from", "label", text=table(ITEMS)).returncode == 0
    rows = table(scattered(ITEMS)) + "17,s3,again\n"
    file = database.parent / "labels.csv"
    file.write_text(rows)
    mapped = ["--map", "id=no", "--map", "title=name", "--strip-from", "label", "--format", "csv"]
    again = ["--database", database, *mapped, "--replace", "--on-error", "skip"]
    for name, given in [("-", rows.encode()), (file, b"")]:
        run = exited(carousel("import", name, *again, given=given))
        assert b"5 strips: 0 new, 0 changed, 5 unchanged" in run.stdout, outcome(run)
        assert b"200 items" in run.stdout and b"1 record skipped" in run.stdout, outcome(run)
        assert b":202: " in run.stdout, outcome(run)


@pytest.mark.parametrize("before", ["", "already read\n"], ids=["from its start", "from within"])
def test_standard_input_from_a_file_is_read_from_its_current_position(database, before):
    file = database.parent / "labels.csv"
    file.write_text(before + table(scattered(ITEMS)))
    again = ["--strip-from", "label", "--replace", "--format", "csv", "--map", "id=no", "--map", "title=name"]
    with file.open("rb", buffering=0) as given:
        given.seek(len(before))
        run = carousel("import", "-", "--database", database, *again, given=given)
    assert run.returncode == 0, outcome(run)
    assert b"5 strips: 5 new" in run.stdout and b"200 items" in run.stdout, outcome(run)


def test_each_strip_is_sorted(database):
    exited(imported(database, "--strip-from", "label", "--sort", "name"))
    assert names(database) == ["blue-note", "ecm-munich", "verve"]
    assert titles(database, "ecm-munich") == ["Facing You", "Solstice"]


@pytest.mark.parametrize(
    "row, line",
    [("8,,x", 7), ("8,...,x", 7), ("1,Blue Note,again", 7)],
    ids=["empty", "no name", "an id twice"],
)
def test_an_error_names_its_line_and_nothing_is_written(database, row, line):
    run = exited(imported(database, "--strip-from", "label", text=TABLE + row + "\n"), 65)
    assert f"labels.csv:{line}: ".encode() in run.stderr, outcome(run)
    assert not database.exists()
    run = imported(database, "--strip-from", "label", "--on-error", "skip", text=TABLE + row + "\n")
    assert run.returncode == 0 and b"1 record skipped" in run.stdout, outcome(run)


def test_a_dry_run_writes_nothing(database):
    run = imported(database, "--strip-from", "label", "--dry-run")
    assert run.returncode == 0 and b"3 strips" in run.stdout, outcome(run)
    assert not database.exists()


@pytest.mark.parametrize("options", [[], ["--strip", "s", "--strip-from", "label"]], ids=["neither", "both"])
def test_either_strip_or_strip_from_is_required(database, options):
    assert imported(database, *options).returncode == 64
    assert not database.exists()


def test_the_error_names_a_missing_column(database):
    run = imported(database, "--strip-from", "artist")
    assert run.returncode == 65 and b"artist" in run.stderr, outcome(run)
