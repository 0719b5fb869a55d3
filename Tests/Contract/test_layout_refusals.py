"""Parameters of layouts: their ranges, and what `GET /window` refuses."""

import pytest

from model.windows import answer
from test_layouts import WALL, server  # noqa: F401

# Parameters are read before the store is asked.
pytestmark = pytest.mark.one_store

WRONG = [
    ("layout", "foo", {}),
    ("layout", "LIST", {}),
    ("layout", "list,grid", {}),
    ("wrap", "true", {"layout": "list"}),
    ("wrap", "true", {"layout": "grid"}),
    ("wrap", "true", {"layout": "rows"}),
    ("pool", "179", {"layout": "rows"}),
    *(("columns", value, {"layout": "grid"}) for value in ("0", "-1", "1.5", "4097", "x", "1e400", "01")),
    *(("column", value, {"layout": "grid"}) for value in ("0", "0.984375", "-1", "65536.015625", "x", "1px")),
    *(("row", value, {"layout": "rows"}) for value in ("0", "0.984375", "-1", "65536.015625", "x", "1px")),
    *(("cell", value, {"layout": "grid"}) for value in ("0", "0.009", "-1", "100.1", "1e400", "x", "3/4")),
    *(("caption", value, {"layout": layout}) for layout in ("list", "grid") for value in ("-1", "65536.015625", "x", "1px")),
    *(("heading", value, {"layout": "rows"}) for value in ("-1", "65536.015625", "x", "1px")),
    # 310 px with gaps of 10 px have 32 columns at most.
    ("columns", "32", {"layout": "grid", "width": "310"}),
    ("columns", "4096", {"layout": "grid", "width": "310"}),
    ("columns", "2", {"layout": "grid", "width": "10"}),
]


@pytest.mark.parametrize("parameter, value, beside", WRONG)
def test_a_wrong_value_is_400_and_named(server, parameter, value, beside):
    server.window({"strip": "wall", **beside, parameter: value}).rejected(400, parameter)


@pytest.mark.parametrize(
    "asked",
    [
        {"layout": "grid", "columns": "4096", "width": "65536"},
        {"layout": "grid", "columns": "31", "width": "310.1"},
        {"layout": "grid", "column": "1"},
        {"layout": "grid", "column": "65536", "width": "1"},
        {"layout": "rows", "row": "1", "width": "1"},
        {"layout": "rows", "row": "65536", "width": "65536"},
        {"layout": "rows", "heading": "65536"},
        {"layout": "list", "width": "1", "heading": "0"},
    ],
)
def test_ranges_include_their_limits(server, asked):
    revision = server.revision("wall")
    reply = server.window(asked, strip="wall")
    assert reply.text == answer(WALL, revision, asked)


@pytest.mark.parametrize("name", ["layout", "columns", "column", "row", "line", "cell", "caption", "heading"])
def test_a_parameter_given_twice_is_named(server, name):
    layout = "" if name == "layout" else "layout=grid&"
    value = "grid" if name == "layout" else "20"
    server.get(f"/window?{layout}{name}={value}&{name}={value}").rejected(400, name)


@pytest.mark.parametrize("name", ["layout", "columns", "column", "row", "line", "cell", "caption", "heading"])
def test_an_empty_parameter_is_absent(server, name):
    assert server.get(f"/window?{name}=").body == server.get("/window").body


def test_a_parameter_of_another_layout_is_checked_and_ignored(server):
    for layout, names in {"list": ("columns", "column", "row", "cell"), "grid": ("row", "line"), "rows": ("columns", "line", "cell")}.items():
        expected = server.window(strip="wall", layout=layout)
        for name in names:
            assert server.window(strip="wall", layout=layout, **{name: "3"}).body == expected.body
            server.window(strip="wall", layout=layout, **{name: "0"}).rejected(400, name)


def test_a_list_of_lines_has_items_of_their_height(server):
    window = server.window(strip="wall", layout="list", line="40.5").json()
    assert {item["size"] for item in window["items"]} == {40.5}


def test_columns_takes_precedence_over_column(server):
    """ "N columns: `columns=N`, else `column=px`"."""
    both = server.get("/window?layout=grid&columns=2&column=90")
    assert both.body == server.get("/window?layout=grid&columns=2").body


def test_a_row_of_more_than_2_to_the_20_px_is_400(server):
    """65536 px at an aspect of 1/16 are 2^20 px. 0.0624 is less."""
    asked = {"layout": "list", "width": "65536"}
    assert server.window(asked, strip="tall").json()["items"][0]["size"] == 2**20
    problem = server.window(asked, strip="taller").rejected(400)
    assert problem.get("parameter"), problem
    assert server.window(asked, strip="taller", width="65000").status == 200
    # Rows bring an aspect to 0.2, and a grid takes no aspect of an item.
    for layout in ("grid", "rows"):
        assert server.window(asked, strip="taller", layout=layout).status == 200


def test_a_window_of_more_than_4096_items_is_400(server):
    """4096 cells of 16 px in a row, and 904 in the next."""
    asked = {"strip": "many", "layout": "grid", "columns": "4096", "width": "65536", "height": "16"}
    assert len(server.window(asked).json()["items"]) == 4096
    server.window(asked, offset="0.5").rejected(400)
    assert len(server.window(asked, offset="16").json()["items"]) == 904
