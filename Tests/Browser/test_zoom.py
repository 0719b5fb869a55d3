"""Strips, lists, grids and rows in ancestors with `zoom` and `transform`, in Chromium, Firefox and WebKit."""

import pytest

from test_host_pages import show  # noqa: F401, a fixture
from test_layouts import LAYOUTS, anywhere, database, server  # noqa: F401, fixtures

pytestmark = pytest.mark.alone

MAIN = '<main><carousel-strip strip="wall" aria-label="Wall" %s></carousel-strip></main>'
SCALED = "transform-origin: 0 0; transform: scale"
# Each with the px of the window in one of the list.
ZOOMS = {
    "zoom of the body": ("body { zoom: .9 }", 0.9),
    "zoom of the page": ("html { zoom: 1.25 }", 1.25),
    "zoom in zoom": ("html { zoom: .8 } main { zoom: .75 }", 0.6),
    "scale of the body": ("body { %s(.8) }" % SCALED, 0.8),
    "scale of the page": ("html { %s(1.1) }" % SCALED, 1.1),
    "scale in zoom": ("body { zoom: .8 } main { %s(.7) }" % SCALED, 0.56),
}

# The indices of the cards at points of the window, by column and line. Null where there is none.
HITS = """(strip, [xs, ys]) => ys.map((y) => xs.map((x) => {
  const index = document.elementFromPoint(x, y)?.closest("[data-index]")?.dataset.index;
  return index === undefined ? null : +index;
}))"""


def must_fill(wall, scale, top=0, height=None):
    """The cards at points of the viewport are those that the server has there. The list begins at the left edge of the window."""
    state = wall.state
    height = height or wall.evaluate("() => document.scrollingElement.clientHeight")
    offset = state["offset"]
    assert abs(state["viewportSize"] - height / scale) <= 1 / 32
    items = wall.window(state, offset=offset, height=height / scale, revision=state["revision"])["items"]
    xs, ys = range(7, min(980, int(state["query"]["width"] * scale)), 61), range(int(top) + 3, int(top + height), 47)
    hits = wall.evaluate(HITS, [list(xs), list(ys)])
    seen = 0
    for y, line in zip(ys, hits):
        for x, hit in zip(xs, line):
            place = x / scale, offset + (y - top) / scale
            for item in items:
                inside = min(place[0] - item["x"], item["x"] + item["width"] - place[0], place[1] - item["start"], item["start"] + item["size"] - place[1])
                if inside > 3:
                    assert hit == item["index"], (x, y, offset)
                    seen += 1
    assert seen > 20


def attributes(name):
    return " ".join(f'{key}="{value}"' for key, value in LAYOUTS[name].items())


ENGINES = ["zoom in zoom", "scale in zoom"]  # the others differ from them in nothing that engines decide
CASES = [pytest.param(zoom, name, marks=[] if zoom in ENGINES else pytest.mark.logic) for zoom, name in zip(ZOOMS, [*LAYOUTS, *LAYOUTS])]


@pytest.mark.parametrize(("zoom", "name"), CASES)  # each layout with two of them
def test_in_an_ancestor_with_a_zoom_the_cards_fill_the_window(anywhere, zoom, name):
    css, scale = ZOOMS[zoom]
    wall = anywhere(css="body { margin: 0 } " + css, element=MAIN % attributes(name))
    for offset in [0, 30_000, 12_345]:
        wall.scroll_to(offset=offset)
        assert abs(wall.offset - offset) <= 1 / scale + 1 / 64
        must_fill(wall, scale)
    wall.scroll_to(index=2000, align="start")
    must_fill(wall, scale)
    start = next(item["start"] for item in wall.evaluate("(strip) => strip.items") if item["index"] == 2000)
    assert abs(wall.offset - start) <= 1 / scale + 1 / 64


def test_a_layout_with_a_height_of_its_own_and_one_in_a_box_that_scrolls_know_the_zoom(anywhere):
    zoomed = "body { margin: 0 } main { zoom: .8 }"
    wall = anywhere(css=zoomed + "carousel-strip { height: 500px }", element=MAIN % attributes("rows"))
    wall.scroll_to(offset=30_000)
    must_fill(wall, 0.8, top=200.5, height=400)
    box = "section { height: 450.5px; overflow: auto }"
    wall = anywhere(css=zoomed + box, element=f"<section>{MAIN % attributes('rows')}</section>")
    wall.scroll_to(offset=30_000)
    must_fill(wall, 0.8, top=200.5, height=wall.evaluate("() => document.querySelector('section').clientHeight"))
    wall = anywhere(css="body { margin: 0; zoom: .8 } main { zoom: .75 }" + box, element=f"<section>{MAIN % attributes('rows')}</section>")
    wall.scroll_to(offset=30_000)
    must_fill(wall, 0.6, top=160.4, height=0.8 * wall.evaluate("() => document.querySelector('section').clientHeight"))


@pytest.mark.parametrize("zoom", ["zoom of the body", pytest.param("scale of the body", marks=pytest.mark.logic)])
def test_a_zoom_that_changes_while_the_page_is_shown_keeps_the_first_item(anywhere, zoom):
    css, scale = ZOOMS[zoom]
    wall = anywhere(css="body { margin: 0 } " + css.replace("body", "body.zoomed"), element=MAIN % attributes("rows"))
    wall.scroll_to(index=900, align="start")
    former = wall.state["viewportSize"]
    wall.evaluate("() => document.body.classList.add('zoomed')")
    wall.wait_until("(strip, former) => strip.viewportSize !== former", former)
    wall.settle()
    must_fill(wall, scale)
    assert 900 in [item["index"] for item in wall.evaluate("(strip) => strip.items.filter(({ start }) => Math.abs(start - strip.offset) < 2)")]


@pytest.mark.parametrize("css", ["body { zoom: .8 }", pytest.param("main { transform: scale(.8) }", marks=pytest.mark.logic)])
def test_a_drag_in_a_zoomed_strip_moves_the_card_with_the_pointer(show, css):
    strip = show(f'<style>{css}</style><main><carousel-strip strip="billion"></carousel-strip></main>')
    x, y = strip.evaluate("""(strip) => {
      const at = (x, y) => document.elementFromPoint(x, y)?.closest("[data-index]");
      for (let y = 0; y < innerHeight; y += 5) if (at(600, y)) return [600, y + 20];
    }""")
    strip.rest(lambda: strip.engine.drag([(x, y), (x - 10, y), (x - 100, y), (x - 100, y)]))
    assert abs(strip.offset - 125) <= 1
