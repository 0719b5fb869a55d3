"""The layouts list, grid and rows: an example of each, routes and the command. `test_layouts_at_random` compares them with the model."""

import pytest

import samples
from command import carousel, exited, imported
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


def test_a_row_whose_gaps_exceed_the_width_has_the_height_0(server):
    """Items are 1 px wide. A gap does not fit into 5 px, so two rows of two items have the height 0."""
    reply = server.window(strip="squares", layout="rows", row="1", width="5", height="30")
    assert boxes(reply) == [("e", 0, 20, 1, 1)]
    assert reply.json()["extent"] == 21


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


# Windows


# The answer


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
    run = exited(carousel("window", "--database", server.database, "--strip", "sections", *options))
    assert run.stdout.decode().strip() == server.window(asked, strip="sections").text


def test_the_command_window_refuses_a_wrong_layout(server):
    command = ["window", "--database", server.database, "--strip", "wall"]
    assert carousel(*command, "--layout", "foo").returncode == 64
    assert carousel(*command, "--layout", "grid", "--columns", "0").returncode == 64
