"""The settings that layouts depend on: `layout`, `itemHeight`, `itemHeights`, `cellAspect` and `caption`."""

import pytest

from cases import case
from command import carousel, exited
from editing import editors
from model.strips import Item, Strip
from test_layouts import SQUARES, boxes
from waiting import wait_until


@pytest.fixture
def editor(database):
    yield from editors(database, SQUARES)


def test_settings_decide_the_layout(editor):
    """ "`layout`, as a setting of a strip", `itemHeight`, `cellAspect` and `caption`."""
    path = "/strips/squares"
    editor.send("PUT", path, {"layout": "grid", "cellAspect": 0.5, "caption": 20, "itemWidth": 90})
    asked = {"width": "290", "height": "500"}
    grid = editor.window(**asked)
    assert boxes(grid)[:4] == [
        ("a", 0, 0, 90, 200), ("b", 100, 0, 90, 200), ("c", 200, 0, 90, 200), ("d", 0, 210, 90, 200),
    ]
    assert grid.json()["layout"] == "grid"
    lines = editor.window(layout="list", **asked)
    assert [(start, size) for _, _, start, _, size in boxes(lines)] == [(n * 320, 310) for n in range(2)]
    assert "layout" not in editor.window(layout="strip").json()
    page = editor.server.get("/").text
    assert ' layout="grid" controls="scrubber" pinch' in page  # no item has a group
    assert '<div class="before">' in page and "data-window=" not in page
    assert ' layout="strip"' in editor.server.get("/?layout=strip").text
    editor.send("PUT", path, {"layout": "list", "itemHeight": 40.5, "caption": None})
    editor.edited({"op": "update", "id": "a", "set": {"aspect": None}})
    assert [size for *_, size in boxes(editor.window(**asked))] == [40.5, 290, 290]


def test_a_strip_tells_its_settings(editor):
    defaults = {"layout": "strip", "itemHeight": 64, "itemHeights": {}, "cellAspect": 1, "caption": 0}
    heights = {"a-1": 0, "spacer": 24.5}
    changed = {"layout": "rows", "itemHeight": 90.5, "itemHeights": heights, "cellAspect": 0.75, "caption": 12}
    got = editor.server.get("/strips/squares").json()
    assert {name: got[name] for name in defaults} == defaults
    for patch, settings in ((changed, changed), (dict.fromkeys(changed), defaults)):
        before = editor.revision
        assert editor.send("PUT", "/strips/squares", patch).json()["revision"] == before + 1
        assert editor.send("PUT", "/strips/squares", patch).json()["revision"] == before + 1
        got = editor.server.get("/strips/squares").json()
        assert {name: got[name] for name in settings} == settings


#: Values of settings that are refused, each with a part of the message.
INVALID = {
    "layout": [("foo", ""), (1, ""), ("List", ""), (["list"], "")],
    "itemHeight": [(-1, ""), ("64", ""), (1e9, "")],
    "itemHeights": [
        *((value, "") for value in (24, [24], {"": 24})),
        *(({"spacer": height}, "") for height in (-1, 100_000.1, "24", {"px": 24})),
        ({"Spacer": 24}, 'itemHeights: "Spacer" is not the name of a kind'),
        ({"spacer": 1e6}, "itemHeights.spacer: 1000000 is not between 0 and 100000"),
        ({f"k{n}": 24 for n in range(65)}, "itemHeights: it names 65 kinds, more than 64"),
    ],
    "cellAspect": [(0, ""), (-1, ""), ("1", ""), (1e9, "")],
    "caption": [(-1, ""), (True, ""), (1e9, "")],
}


@pytest.mark.one_store
def test_an_invalid_setting_is_400(editor):
    before = editor.revision
    for name, values in INVALID.items():
        for value, message in values:
            with case({name: value}):
                refused = editor.send("PUT", "/strips/squares", {name: value}).rejected(400)
                assert message in refused["detail"]
                assert editor.revision == before


TABLE = Strip(
    "table",
    (
        Item("a", "row", width="90"),
        Item("b", "spacer", width="24"),
        Item("c", "picture", aspect="2"),
        Item("d", "spacer", aspect="4"),
        Item("e", "row"),
        Item("f", "spacer"),
    ),
    gap="1",
    inset="10",
)


@pytest.fixture
def table(database):
    yield from editors(database, TABLE)


def lines(editor, **asked):
    """The start and the size of each item of the list, 400 px wide."""
    window = editor.window(layout="list", width="400", height="16384", **asked).json()
    return [(item["start"], item["size"]) for item in window["items"]]


def stacked(*sizes):
    return [(10 + sum(sizes[:n]) + n, size) for n, size in enumerate(sizes)]


def test_a_kind_has_its_own_height_in_a_list(table):
    """ "one without counts the height of its kind: the setting `itemHeights` (an object from kind to px,
    as `{"spacer":24}`), else `itemHeight`". An item with an aspect does not.
    """
    put = lambda patch: table.send("PUT", "/strips/table", patch).json()["revision"]  # noqa: E731
    former = table.revision
    assert lines(table) == stacked(64, 64, 200, 100, 64, 64)
    put({"itemHeights": {"spacer": 24, "absent": 5}})
    assert lines(table) == stacked(64, 24, 200, 100, 64, 24)
    assert lines(table, revision=str(former)) == stacked(64, 64, 200, 100, 64, 64)
    # A JSON Merge Patch keeps the other kinds.
    put({"itemHeights": {"row": 40.5, "absent": None}, "caption": 7})
    assert lines(table) == stacked(40.5, 24, 207, 107, 40.5, 24)
    assert table.server.get("/strips/table").json()["itemHeights"] == {"row": 40.5, "spacer": 24}
    # An item of another kind has another height, and so has one without its aspect.
    table.edited({"op": "update", "id": "a", "set": {"kind": "spacer"}})
    assert lines(table) == stacked(24, 24, 207, 107, 40.5, 24)
    table.edited({"op": "update", "id": "d", "set": {"aspect": None}})
    assert lines(table) == stacked(24, 24, 207, 24, 40.5, 24)
    # A kind that comes later has the height that waits for it.
    put({"itemHeights": {"new": 3}})
    table.edited({"op": "insert", "after": None, "items": [{"id": "z", "kind": "new"}]})
    assert lines(table) == stacked(3, 24, 24, 207, 24, 40.5, 24)
    item = table.server.get("/strips/table/items/e?layout=list&width=400").json()
    assert (item["start"], item["size"]) == stacked(3, 24, 24, 207, 24, 40.5, 24)[5]
    assert lines(table, where="kind = spacer") == stacked(24, 24, 24, 24)
    put({"itemHeights": None})
    assert lines(table) == stacked(64, 64, 64, 207, 64, 64, 64)


def test_kinds_that_take_the_number_of_others_have_their_own_heights(table):
    """A strip has 64 numbers of kinds. A kind that no item has any more gives its number to a new one."""
    table.send("PUT", "/strips/table", {"itemHeights": {f"k{n}": n for n in range(0, 64, 2)}})
    table.edited({"op": "remove", "ids": [item.id for item in TABLE.items]})
    for first in range(0, 128, 16):
        kinds = [f"k{n % 64}" for n in range(first, first + 16)]
        items = [{"id": f"i{n}", "kind": kind} for n, kind in enumerate(kinds)]
        table.edited({"op": "insert", "before": None, "items": items})
        sizes = [int(kind[1:]) if int(kind[1:]) % 2 == 0 else 64 for kind in kinds]
        shown = [(start, size) for start, size in stacked(*sizes) if size]
        assert lines(table) == shown
        before = table.revision
        table.edited({"op": "remove", "ids": [item["id"] for item in items]})
        assert lines(table, revision=str(before)) == shown


def test_heights_of_kinds_are_options_of_an_import_and_stay_after_it(database, serving):
    file = database.parent / "items.jsonl"
    file.write_text(TABLE.lines())
    command = ["import", file, "--database", database, "--strip", "table", "--inset=10", "--gap=1"]
    exited(carousel(*command, "--item-heights", '{"spacer":24}'))
    exited(carousel(*command, "--replace", "--item-heights", '{"row":40.5}'))
    assert carousel(*command, "--replace", "--item-heights", '{"Row":1}').returncode == 64
    with serving("--database", database) as server:
        listed = server.get("/strips").json()["strips"]
        assert [strip["itemHeights"] for strip in listed] == [{"row": 40.5, "spacer": 24}]
        window = server.window(strip="table", layout="list", width="400", height="1000").json()
        assert [item["size"] for item in window["items"]] == [40.5, 24, 200, 100, 40.5, 24]


def test_a_cell_of_more_than_2_to_the_20_px_is_400(editor):
    editor.send("PUT", "/strips/squares", {"cellAspect": 0.0625})
    asked = {"layout": "grid", "columns": "1", "width": "65536"}
    assert editor.window(**asked).json()["items"][0]["size"] == 2**20
    editor.send("PUT", "/strips/squares", {"cellAspect": 0.0624})
    assert editor.window(**asked).rejected(400).get("parameter")


def test_an_import_sets_the_layout(database, serving):
    file = database.parent / "items.jsonl"
    file.write_text(SQUARES.lines())
    command = ["import", file, "--database", database, "--strip", "squares"]
    run = exited(carousel(*command, "--layout", "grid"))
    with serving("--database", database) as server:
        assert server.get("/strips/squares").json()["layout"] == "grid"
        assert server.window().json()["layout"] == "grid"
        # An import without the option keeps the setting.
        exited(carousel(*command, "--replace", "--title", "Squares"))
        wait_until(lambda: server.get("/strips/squares").json()["title"] == "Squares")
        assert server.get("/strips/squares").json()["layout"] == "grid"
    assert carousel(*command, "--replace", "--layout", "foo").returncode == 64


def test_each_revision_keeps_its_settings_after_a_restart(editor, serving):
    asked = {"width": "290", "height": "500"}
    changes = [
        {"layout": "grid", "caption": 12.5},
        {"cellAspect": 0.75},
        {"layout": "list", "itemHeight": 40},
        {"itemHeights": {"card": 30}},
        {"itemHeights": {"card": 31, "other": 5}},
        {"layout": "rows", "caption": 0},
    ]
    windows = {editor.revision: editor.window(**asked).body}
    for patch in changes:
        revision = editor.send("PUT", "/strips/squares", patch).json()["revision"]
        windows[revision] = editor.window(**asked).body
        editor.edited({"op": "update", "id": "a", "set": {"aspect": 1 + len(windows) / 8}})
    assert len(set(windows.values())) == len(windows)
    with serving("--database", editor.database) as restarted:
        for server in (editor.server, restarted):
            for revision, body in windows.items():
                reply = server.window(asked, strip="squares", revision=str(revision))
                assert reply.body == body, revision
