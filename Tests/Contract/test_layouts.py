"""The layouts list, grid and rows: examples that a reader can compute, routes and the command."""

import json

import pytest

import samples
from command import carousel, imported, outcome
from editing import editors
from markup import cards, facts, read
from model.strips import Item, Strip
from server import Server, query

# Layouts follow from the items, which are the same in every store.
pytestmark = pytest.mark.one_store

LAYOUTS = ["list", "grid", "rows"]
#: An item that no layout shows.
HIDDEN = Item("hidden", aspect="0", width="0")


def strip(name: str, *aspects: str | None, gap: str = "10", groups: str = "", inset: str = "0") -> Strip:
    """Items a, b, c ... with these aspects. `groups` has a letter for each item; `-` is no group."""
    items = [
        Item("abcdefgh"[n], aspect=aspect, group=None if groups[n : n + 1] in ("", "-") else groups[n])
        for n, aspect in enumerate(aspects)
    ]
    return Strip(name, tuple(items), gap=gap, inset=inset)


#: d has a width, which plays no part.
TABLE = strip("table", "2", None, gap="8", inset="10")
TABLE = TABLE.with_items([*TABLE.items, HIDDEN, Item("c", aspect="0.5"), Item("d", width="90")])
SQUARES = strip("squares", "1", "1", "1", "1", "1")
THIRDS = strip("thirds", "3", "3", "3", gap="0")
WALL = strip("wall", "1", "1", "1.5", "2")
PAIRS = strip("pairs", "1.5", "1.5", "1.5", "1.5")
CLAMPED = strip("clamped", "10", None, "0.1", gap="0")
SECTIONS = strip("sections", "1", "1", "1", "1", "1", groups="AA-BB", inset="5")
TALL = strip("tall", "0.0625")
TALLER = strip("taller", "0.0624")
STRIPS = [TABLE, SQUARES, THIRDS, WALL, PAIRS, CLAMPED, SECTIONS, TALL, TALLER, samples.MANY, samples.EMPTY]


@pytest.fixture(scope="module")
def server(store, tmp_path_factory):
    database = imported(store(tmp_path_factory.mktemp("layouts")), *STRIPS, samples.RING, samples.UNSEEN)
    with Server("--database", database) as running:
        running.database = database
        yield running


def boxes(reply) -> list[tuple]:
    """Each item of a window: id, x, y, width, height."""
    return [tuple(item[name] for name in ("id", "x", "start", "width", "size")) for item in reply.json()["items"]]


# Positions


def test_a_list_has_one_item_a_line_as_wide_as_the_box(server):
    """An item without aspect is 64 px high. The hidden item takes no gap."""
    reply = server.window(strip="table", layout="list", width="100", height="500")
    assert boxes(reply) == [
        ("a", 0, 10, 100, 50), ("b", 0, 68, 100, 64), ("c", 0, 140, 100, 200), ("d", 0, 348, 100, 64),
    ]
    assert [item["index"] for item in reply.json()["items"]] == [0, 1, 3, 4]
    assert reply.json()["extent"] == 422


def test_the_sizes_of_a_list_come_from_one_running_total(server):
    """Each third of 100 px is 33.33 px: the starts are rounded, and sizes are their differences."""
    reply = server.window(strip="thirds", layout="list", width="100", height="500")
    assert [(start, size) for _, _, start, _, size in boxes(reply)] == [
        (0, 33.328125),
        (33.328125, 33.328125),
        (66.65625, 33.328125),
    ]


def test_a_grid_has_columns_of_a_number_or_of_a_least_width(server):
    expected = [
        ("a", 0, 0, 100, 100), ("b", 110, 0, 100, 100), ("c", 220, 0, 100, 100), ("d", 0, 110, 100, 100),
        ("e", 110, 110, 100, 100),
    ]
    asked = {"strip": "squares", "layout": "grid", "width": "320", "height": "400"}
    for columns in ({"columns": "3"}, {"column": "100"}, {"column": "72.6"}):
        reply = server.window(asked, **columns)
        assert boxes(reply) == expected, columns
        assert reply.json()["extent"] == 210
    # Two columns of 160 px and a gap need 330 px. One column is always there.
    assert server.window(asked).json()["items"][0]["width"] == 320
    assert server.window(asked, width="330").json()["items"][0]["width"] == 160
    assert server.window(asked, column="1000").json()["items"][0]["width"] == 320


def test_the_columns_of_a_grid_tile_the_box(server):
    """100 px have 6400 units: columns of 2133, 2133 and 2134. All cells are as high as the first is wide."""
    reply = server.window(strip="thirds", layout="grid", columns="3", width="100", height="500")
    assert [(x, width, size) for _, x, _, width, size in boxes(reply)] == [
        (0, 33.328125, 33.328125),
        (33.328125, 33.328125, 33.328125),
        (66.65625, 33.34375, 33.328125),
    ]


def test_rows_are_justified_except_the_last(server):
    """3.5 x 100 px and two gaps exceed 300 px, so a row of three is 280 / 3.5 px high."""
    reply = server.window(strip="wall", layout="rows", row="100", width="300", height="500")
    assert boxes(reply) == [("a", 0, 0, 80, 80), ("b", 90, 0, 80, 80), ("c", 180, 0, 120, 80), ("d", 0, 90, 200, 100)]
    assert reply.json()["extent"] == 190


def test_a_row_is_full_when_it_reaches_the_width_exactly(server):
    def rows(width: str) -> list[tuple]:
        reply = server.window(strip="pairs", layout="rows", row="100", width=width, height="500")
        return [(id, x, start) for id, x, start, _, _ in boxes(reply)]

    assert rows("310") == [("a", 0, 0), ("b", 160, 0), ("c", 0, 110), ("d", 160, 110)]
    # One unit more, and a third item joins the row, which is then 290 / 4.5 px high.
    assert rows("310.015625")[:3] == [("a", 0, 0), ("b", 106.65625, 0), ("c", 213.3125, 0)]


def test_rows_take_aspects_from_a_fifth_to_five(server):
    """An item without aspect counts `cellAspect`, which is 1."""
    reply = server.window(strip="clamped", layout="rows", row="100", width="1000", height="500")
    assert boxes(reply) == [("a", 0, 0, 500, 100), ("b", 500, 0, 100, 100), ("c", 600, 0, 19.984375, 100)]


def test_the_target_height_of_rows_is_that_of_the_strip_unless_given(server):
    reply = server.window(strip="wall", layout="rows", width="10000", height="16")
    assert reply.json()["items"][0]["size"] == 180


def test_a_row_whose_gaps_exceed_the_width_has_the_height_0(server):
    """Items are 1 px wide. A gap does not fit into 5 px, so two rows of two items have the height 0."""
    reply = server.window(strip="squares", layout="rows", row="1", width="5", height="30")
    assert boxes(reply) == [("e", 0, 20, 1, 1)]
    assert reply.json()["extent"] == 21


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_strip_without_shown_items_has_the_extent_of_its_insets(server, layout):
    for name, extent, count in [("empty", 14, 0), ("unseen", 0, 3)]:
        window = server.window(strip=name, layout=layout).json()
        assert (window["extent"], window["first"], window["end"], window["items"]) == (extent, count, count, [])
        assert (window["count"], window["pools"], window["group"]) == (count, {}, None)


# Groups


def test_a_group_begins_a_row_and_has_a_heading(server):
    """ "the first row of a group (not of a run without) has `heading=px` above it"."""
    asked = {"strip": "sections", "width": "210", "height": "1000", "heading": "30"}
    grid = server.window(asked, layout="grid", columns="2")
    assert [(id, x, start) for id, x, start, _, _ in boxes(grid)] == [
        ("a", 0, 35), ("b", 110, 35), ("c", 0, 145), ("d", 0, 285), ("e", 110, 285),
    ]
    assert grid.json()["extent"] == 390
    rows = server.window(asked, layout="rows", row="100")
    assert boxes(rows) == boxes(grid)
    lines = server.window(asked, layout="list", width="100")
    assert [start for _, _, start, _, _ in boxes(lines)] == [35, 145, 255, 395, 505]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_element_has_the_heading_of_a_group_that_ends_with_the_strip(server, layout):
    asked = {"strip": "sections", "width": "210", "height": "1000", "heading": "30"}
    tree = read(server.window(asked, layout=layout, format="element").text)
    assert [one.text for one in tree.all() if one.attributes.get("class") == "heading"] == ["A", "B"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("index", ["5", "-1", "99999", "9999999999999999999"])
def test_an_element_with_headings_has_no_index_outside_of_its_strip(server, layout, index):
    asked = {"strip": "sections", "width": "210", "height": "300", "heading": "30", "layout": layout, "format": "element"}
    assert server.window(asked, index=index).rejected(404)["parameter"] == "index"
    assert server.window(asked, index=index, clamp="true").status == 200


def test_without_headings_groups_change_no_position(server):
    """ "With `heading` 0 groups change no position: a grid sorted by price is one grid. The answer's `group`
    is the same either way"."""
    asked = {"strip": "sections", "width": "210", "height": "1000"}
    grid = server.window(asked, layout="grid", columns="2")
    places = [("a", 0, 5), ("b", 110, 5), ("c", 0, 115), ("d", 110, 115), ("e", 0, 225)]
    assert [(id, x, start) for id, x, start, _, _ in boxes(grid)] == places
    assert boxes(server.window(asked, layout="rows", row="100")) == boxes(grid)
    lines = server.window(asked, layout="list", width="100")
    assert [start for _, _, start, _, _ in boxes(lines)] == [5, 115, 225, 335, 445]
    below = server.window(asked, layout="grid", columns="2", offset="116").json()
    assert (below["first"], below["group"]) == (2, None)
    groups = server.get("/strips/sections/groups?layout=grid&columns=2&width=210").json()["groups"]
    assert groups == [
        {"title": "A", "first": 0, "end": 2, "start": 5},
        {"title": "B", "first": 3, "end": 5, "start": 115},
    ]


def test_a_window_names_the_group_of_its_first_row(server):
    def group(offset: str):
        asked = {"strip": "sections", "layout": "grid", "columns": "2", "width": "210", "heading": "30"}
        return server.window(asked, height="16", offset=offset).json()["group"]

    assert group("35") == {"title": "A", "first": 0, "end": 2, "start": 35}
    assert group("145") is None
    assert group("384") == {"title": "B", "first": 3, "end": 5, "start": 285}
    # A heading is no row.
    assert group("265") is None


# Windows


@pytest.mark.parametrize(
    "offset, height, first, end",
    [
        ("0", "16", 0, 3), ("99", "16", 0, 5), ("84", "26", 0, 3), ("84", "26.015625", 0, 5), ("100", "16", 3, 5),
        ("99.984375", "16", 0, 5), ("209", "16", 3, 5), ("210", "16", 5, 5), ("-16", "16", 0, 0),
        ("-16", "16.015625", 0, 3),
    ],
)
def test_a_window_holds_whole_rows(server, offset, height, first, end):
    """Two rows: 0 to 100 px, and 110 to 210 px."""
    asked = {"strip": "squares", "layout": "grid", "columns": "3", "width": "320"}
    window = server.window(asked, offset=offset, height=height).json()
    assert (window["first"], window["end"]) == (first, end)
    assert [item["index"] for item in window["items"]] == list(range(first, end))


def test_overscan_and_pool_are_px_of_y(server):
    asked = {"strip": "squares", "layout": "grid", "columns": "3", "width": "320", "height": "16"}
    assert server.window(asked).json()["end"] == 3
    window = server.window(asked, overscan="95").json()
    assert (window["end"], window["pool"]) == (5, 208)
    server.window(asked, overscan="95", pool="205.9").rejected(400, "pool")
    assert server.window(asked, overscan="95", pool="206").status == 200


def test_a_pool_has_the_items_of_the_rows_that_a_stretch_can_meet(server):
    asked = {"strip": "many", "layout": "grid", "columns": "10", "width": "1000"}
    # Rows of 100 px without gaps: 104 px less 2/64 meet two rows and no third, with the two at their ends.
    assert server.window(asked, height="104").json()["pools"] == {"card": 30}
    assert server.window(asked, height="96").json()["pools"] == {"card": 20}
    assert server.window(asked, height="96", columns="5").json()["pools"] == {"card": 10}


@pytest.mark.parametrize(
    "asked, offset",
    [
        ({"index": "4"}, 110),
        ({"item": "e"}, 110),
        ({"item": "b"}, 0),
        ({"item": "e", "align": "end"}, 160),
        ({"item": "e", "align": "center"}, 135),
        ({"item": "e", "at": "-15"}, 125),
        ({"item": "e", "align": "nearest", "offset": "0"}, 110),
        ({"item": "a", "align": "nearest", "offset": "30"}, 0),
        ({"item": "d", "at": "200"}, 0),
        ({"item": "e", "at": "-200"}, 160),
    ],
)
def test_a_viewport_stands_at_an_item(server, asked, offset):
    """The extent is 210 px, and the viewport 50 px high."""
    window = server.window(asked, strip="squares", layout="grid", columns="3", width="320", height="50").json()
    assert window["offset"] == offset


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_hidden_item_stands_where_the_next_one_starts(server, layout):
    asked = {"strip": "table", "layout": layout, "width": "100", "height": "16"}
    assert server.window(asked, item="hidden").json()["offset"] == server.window(asked, item="c").json()["offset"]
    hidden, following = (server.get(f"/strips/table/items/{id}?layout={layout}").json() for id in ("hidden", "c"))
    assert (hidden["start"], hidden["size"]) == (following["start"], 0)


def test_a_client_gets_the_items_that_it_lacks(server):
    asked = {"strip": "many", "layout": "grid", "columns": "10", "width": "1000", "height": "200"}
    asked["revision"] = str(server.revision("many"))
    held = server.window(asked).json()
    assert (held["first"], held["end"]) == (0, 20)
    whole = server.window(asked, offset="150").json()
    rest = server.window(asked, offset="150", have="0..20").json()
    assert (rest["first"], rest["end"]) == (whole["first"], whole["end"]) == (10, 40)
    assert rest["items"] == whole["items"][10:]
    used = {item["slot"] for item in whole["items"]}
    assert rest["leave"] == [item["slot"] for item in held["items"] if item["slot"] not in used]


# The answer


@pytest.mark.parametrize("layout", LAYOUTS)
def test_members_have_their_order(server, layout):
    window = server.window(strip="wall", layout=layout).json()
    assert list(window)[:4] == ["strip", "revision", "layout", "height"]
    assert (window["layout"], window["wrap"]) == (layout, False)
    for item in window["items"]:
        assert list(item) == ["index", "id", "kind", "slot", "start", "size", "x", "width", "fields"]


def test_the_layout_strip_is_the_strip(server):
    for name in ("wall", "ring"):
        expected = server.window(strip=name)
        for layout in ("strip", ""):
            reply = server.window(strip=name, layout=layout)
            assert (reply.body, reply.fields["etag"]) == (expected.body, expected.fields["etag"])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("format", ["html", "element"])
def test_html_has_the_items_of_the_json(server, layout, format):
    asked = {"strip": "sections", "layout": layout, "width": "300", "height": "200", "heading": "20"}
    listed = server.window(asked).json()["items"]
    shown = cards(read(server.window(asked, format=format).text))
    assert [facts(card) for card in shown] == [(i["index"], i["id"], i["slot"]) for i in listed]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_window_of_a_pinned_revision_is_immutable(server, layout):
    asked = {"strip": "wall", "layout": layout, "revision": str(server.revision("wall"))}
    reply = server.window(asked)
    assert reply.fields["cache-control"] == "public, max-age=31536000, immutable"
    again = server.get("/window" + query(asked), {"If-None-Match": reply.fields["etag"]})
    assert again.status == 304


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_looping_strip_does_not_wrap_in_a_layout(server, layout):
    window = server.window(strip="ring", layout=layout, offset="-500").json()
    assert (window["wrap"], window["items"], window["first"]) == (False, [], 0)
    assert server.window(strip="ring", layout=layout, wrap="false").status == 200
    server.window(strip="ring", layout=layout, wrap="true").rejected(400, "wrap")
    server.window(strip="ring", layout=layout, index="5").rejected(404, "index")
    server.window(strip="ring", layout=layout, item="none").rejected(404, "item")


# Other routes and the command


def test_the_routes_of_a_strip_take_a_layout(server):
    options = "layout=grid&columns=2&width=210&heading=30"
    assert server.get(f"/strips/sections?{options}").json()["extent"] == 390
    groups = server.get(f"/strips/sections/groups?{options}").json()["groups"]
    assert [(run["title"], run["first"], run["end"], run["start"]) for run in groups] == [
        ("A", 0, 2, 35),
        ("B", 3, 5, 285),
    ]
    item = server.get(f"/strips/sections/items/e?{options}").json()
    assert (item["index"], item["start"], item["size"]) == (4, 285, 100)
    ids = query({"ids": '["e","a"]'})[1:]
    listed = server.get(f"/strips/sections/items?{options}&{ids}").json()["items"]
    assert [(item["id"], item["index"], item["start"], item["size"]) for item in listed] == [
        ("e", 4, 285, 100),
        ("a", 0, 35, 100),
    ]


@pytest.mark.parametrize("path", ["", "/groups", "/items/a"])
def test_a_wrong_parameter_of_a_route_is_named(server, path):
    server.get(f"/strips/wall{path}?layout=foo").rejected(400, "layout")
    server.get(f"/strips/wall{path}?layout=grid&columns=0").rejected(400, "columns")
    server.get(f"/strips/wall{path}?layout=rows&row=0").rejected(400, "row")
    server.get(f"/strips/wall{path}?layout=rows&width=0").rejected(400, "width")


def test_the_interface_describes_the_parameters(server):
    paths = server.get("/openapi.json").json()["paths"]
    for path in ("/window", "/strips/{strip}", "/strips/{strip}/groups", "/strips/{strip}/items/{id}"):
        listed = paths[path]["get"]["parameters"]
        names = {one.get("name") or one["$ref"].split("/")[-1] for one in listed}
        assert names >= {"layout", "width", "columns", "column", "row", "line", "heading"}, path


@pytest.mark.parametrize(
    "asked",
    [
        {"layout": "list", "width": "300"},
        {"layout": "grid", "columns": "2", "width": "210", "heading": "30"},
        {"layout": "grid", "column": "60", "width": "210"},
        {"layout": "rows", "row": "90", "width": "300", "height": "100", "offset": "50"},
    ],
)
def test_the_command_window_has_the_bytes_of_http(server, asked):
    options = [f"--{name}={value}" for name, value in asked.items()]
    run = carousel("window", "--database", server.database, "--strip", "sections", *options)
    assert run.returncode == 0, outcome(run)
    assert run.stdout.decode().strip() == server.window(asked, strip="sections").text


def test_the_command_window_refuses_a_wrong_layout(server):
    command = ["window", "--database", server.database, "--strip", "wall"]
    assert carousel(*command, "--layout", "foo").returncode == 64
    assert carousel(*command, "--layout", "grid", "--columns", "0").returncode == 64


def test_a_view_has_layouts(database):
    items = [
        Item(name, aspect=aspect, fields=json.dumps({"year": year}))
        for name, aspect, year in [("a", "1", 1990), ("b", "2", 1980), ("c", "1", 1990), ("d", None, 1970)]
    ]
    for editor in editors(database, SQUARES.with_items(items)):
        editor.send("PUT", "/strips/squares", {"filterable": ["year"]})
        asked = {"width": "210", "height": "500", "heading": "30"}
        kept = editor.window(layout="list", where="year >= 1980", **asked)
        assert list(kept.json())[:5] == ["strip", "revision", "view", "layout", "height"]
        assert [(id, start, size) for id, _, start, _, size in boxes(kept)] == [
            ("a", 0, 210),
            ("b", 220, 105),
            ("c", 335, 210),
        ]
        # The years are groups: 1970, 1980, and 1990 with two items.
        sorted_by_year = editor.window(layout="grid", columns="2", sort="year", **asked)
        assert [(id, x, start) for id, x, start, _, _ in boxes(sorted_by_year)] == [
            ("d", 0, 30), ("b", 0, 170), ("a", 0, 310), ("c", 110, 310),
        ]
        # Without headings it is one grid, as a shop's is that is sorted by price.
        one = editor.window(layout="grid", columns="2", sort="year", width="210", height="500")
        assert [(id, x, start) for id, x, start, _, _ in boxes(one)] == [
            ("d", 0, 0), ("b", 110, 0), ("a", 0, 110), ("c", 110, 110),
        ]
        assert one.json()["group"] == {"title": "1970", "first": 0, "end": 1, "start": 0}
