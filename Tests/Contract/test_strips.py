"""`/strips`, `/strips/{strip}`, groups and items."""

import json
from urllib.parse import quote

import pytest

import samples
from command import carousel, exited, import_lines, imported
from model import lengths
from model.layouts import Layout
from model.strips import Item, Strip
from waiting import wait_until

SHOWN = [strip for strip in samples.STRIPS if not strip.loop]


def listed(document, name: str) -> list:
    """The list in a page."""
    return document if isinstance(document, list) else document[name]


def member(strip: dict, name: str):
    """A setting of a strip, which may be in the member `settings`."""
    return strip[name] if name in strip else strip["settings"][name]


def name(strip: dict) -> str:
    return strip.get("strip") or strip["name"]


def layout(strip: Strip) -> Layout:
    return Layout(strip, lengths.px(strip.height), strip.loop)


@pytest.mark.parametrize("strip", SHOWN, ids=lambda strip: strip.name)
def test_a_strip_has_settings_count_extent_revision_and_kinds(server, strip):
    got = server.get(f"/strips/{strip.name}").json()
    assert name(got) == strip.name
    assert member(got, "title") == strip.name
    assert member(got, "height") == float(strip.height)
    assert member(got, "gap") == float(strip.gap)
    assert member(got, "inset") == float(strip.inset)
    assert member(got, "loop") is strip.loop
    assert member(got, "itemWidth") == float(strip.item_width)
    assert got["count"] == len(strip.items)
    assert got["extent"] == layout(strip).extent / 64
    assert got["revision"] == server.revision(strip.name)
    assert set(got["kinds"]) >= {item.kind for item in strip.items if item.aspect != "0" and item.width != "0"}


def test_the_strip_ring_loops(server):
    got = server.get("/strips/ring").json()
    assert member(got, "loop") is True
    assert member(got, "inset") == 30


def test_settings_are_rounded_to_sixty_fourths(database, serving):
    strip = Strip("odd", height="99.99", gap="0.01", inset="1e1", item_width="33.3")
    got = serving("--database", imported(database, strip)).get("/strips/odd")
    assert '"height":99.984375' in got.text
    assert '"gap":0.015625' in got.text
    assert '"inset":10' in got.text
    assert '"itemWidth":33.296875' in got.text


def test_an_import_without_options_has_the_default_settings(database, serving):
    file = database.parent / "two.csv"
    file.write_text("id\na\nb\n")
    exited(carousel("import", file, "--database", database, "--strip", "two", "--map", "id=id"))
    got = serving("--database", database).get("/strips/two").json()
    defaults = {"height": 180, "gap": 8, "inset": 0, "loop": False, "itemWidth": 160}
    assert {name: member(got, name) for name in defaults} == defaults
    assert got["extent"] == 328


def test_an_import_declares_fields(database, serving):
    strip = Strip("s", (Item("a", fields='{"year":1971}'),))
    declared = ("--filterable", "year,first name", "--searchable", "title")
    declared += ("--fields", '{"year":{"label":"Year"}}')
    assert import_lines(database, strip, *declared).returncode == 0
    server = serving("--database", database)
    got = server.get("/strips/s").json()
    assert (got["filterable"], got["searchable"]) == (["year", "first name"], ["title"])
    assert got["fields"] == {"year": {"label": "Year"}}
    # An import without declarations keeps the declared fields. Different fields make a new revision.
    assert import_lines(database, strip, "--replace").returncode == 0
    assert server.get("/strips/s").json() == got
    assert import_lines(database, strip, "--replace", "--filterable", "").returncode == 0
    wait_until(lambda: server.get("/strips/s").json()["revision"] > got["revision"])
    again = server.get("/strips/s").json()
    assert (again["filterable"], again["searchable"]) == ([], ["title"])
    assert import_lines(database, strip, "--replace", "--filterable", "a,a").returncode == 64
    assert import_lines(database, strip, "--replace", "--fields", '{"a":{}').returncode == 64


def test_strips_are_listed_in_the_order_of_creation(server):
    document = server.get("/strips").json()
    assert [name(strip) for strip in listed(document, "strips")] == [s.name for s in samples.STRIPS]


def test_a_strip_in_the_list_is_the_same_as_alone(server):
    for strip in listed(server.get("/strips").json(), "strips"):
        alone = server.get(f"/strips/{name(strip)}").json()
        assert strip == {key: alone[key] for key in strip}


def test_the_list_has_pages(server):
    found: list[str] = []
    for _ in range(len(samples.STRIPS) + 1):
        after = f"&after={found[-1]}" if found else ""
        page = listed(server.get(f"/strips?limit=2{after}").json(), "strips")
        assert len(page) <= 2
        if not page:
            break
        found += [name(strip) for strip in page]
    assert found == [strip.name for strip in samples.STRIPS]


@pytest.mark.parametrize("limit", ["0", "-1", "1.5", "x", "+1", "01", "1e400"])
@pytest.mark.parametrize("path", ["/strips", "/strips/mixed/groups"])
def test_an_invalid_limit_is_400_and_named(server, path, limit):
    server.get(f"{path}?limit={quote(limit)}").rejected(400, "limit")


def test_after_an_unknown_strip_is_rejected(server):
    server.get("/strips?after=none").rejected((400, 404), "after")


@pytest.mark.parametrize("strip", SHOWN, ids=lambda strip: strip.name)
def test_groups_are_the_runs_in_order(server, strip):
    document = server.get(f"/strips/{strip.name}/groups").json()
    got = [(g["title"], g["first"], g["end"], g["start"]) for g in listed(document, "groups")]
    assert got == [(title, first, end, start / 64) for title, first, end, start in layout(strip).runs()]


def test_groups_have_pages(database, serving):
    items = tuple(Item(f"i{n}", width="10", group=f"{n // 3 % 7}") for n in range(60))
    strip = Strip("runs", items)
    server = serving("--database", imported(database, strip))
    found: list[dict] = []
    for _ in range(25):
        after = f"&after={found[-1]['first']}" if found else ""
        page = listed(server.get(f"/strips/runs/groups?limit=3{after}").json(), "groups")
        assert len(page) <= 3
        if not page:
            break
        found += page
    assert [(g["title"], g["first"], g["end"]) for g in found] == [run[:3] for run in layout(strip).runs()]


@pytest.mark.parametrize("after", ["-1", "-9223372036854775808", "-1e30"])
def test_groups_after_a_negative_index_are_the_first_page(server, after):
    got = server.get(f"/strips/mixed/groups?after={after}").json()
    assert got == server.get("/strips/mixed/groups").json()


@pytest.mark.parametrize("past", [0, 1, 10**6, 2**63 - 1, 2**63, 10**30])
def test_groups_after_the_end_are_an_empty_page(server, past):
    after = past if past > 2**62 else len(samples.MIXED.items) + past
    got = server.get(f"/strips/mixed/groups?after={after}").json()
    assert (got["groups"], got["next"]) == ([], None)


@pytest.mark.parametrize("strip", [samples.MIXED, samples.TENS, samples.SPELLED], ids=lambda s: s.name)
def test_an_item_has_all_members_index_start_and_size(server, strip):
    places = layout(strip)
    for index, item in enumerate(strip.items):
        reply = server.get(f"/strips/{strip.name}/items/{quote(item.id, safe='')}")
        got = reply.json()
        assert (got["id"], got["kind"], got["index"]) == (item.id, item.kind, index)
        assert (got["start"], got["size"]) == (places.start(index) / 64, places.size(index) / 64)
        assert got.get("group") == item.group
        assert f'"fields":{item.fields}' in reply.text
        for member, spelled, unit in [("aspect", item.aspect, lengths.RATIO), ("width", item.width, lengths.PX)]:
            if spelled is None:
                assert got.get(member) is None
            else:
                assert lengths.whole(str(got[member]), unit) == lengths.whole(spelled, unit)


def test_no_answer_repeats_a_member(server):
    """No JSON object repeats a member."""

    def once(pairs):
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names), names
        return dict(pairs)

    for path in ("/strips", "/strips/mixed", "/strips/mixed/groups", "/strips/mixed/items/a1"):
        json.loads(server.get(path).body, object_pairs_hook=once)


def test_titles_and_names_cannot_control_a_terminal(database, tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("id,\x1b[31mred\x9b\na,x\n", encoding="utf-8")
    command = ["import", file, "--database", database, "--strip", "s", "--map", "id=id"]
    run = exited(carousel(*command, "--map", "fields=*", "--dry-run"))
    said = run.stdout + run.stderr
    assert "\\u001b[31mred\\u009b" in said.decode()
    run = exited(carousel(*command, "--title", "\x1b]0;x\x07\ta\nb\x85"))
    said += run.stdout + run.stderr
    run = exited(carousel("strips", "--database", database))
    (line,) = run.stdout.decode().splitlines()
    assert line.split("\t")[3] == "\\u001b]0;x\\u0007\\u0009a\\u000ab\\u0085"
    run = carousel("export", "--database", database, "--strip", "\x1b[31m")
    said += run.stdout + run.stderr
    assert not {c for c in said.decode() if c != "\n" and (c < " " or "\x7f" <= c <= "\x9f")}
