"""The sticky headings of a list, a grid or rows cover no card that a reader or a page asks for."""

import pytest

from test_embedding import elsewhere  # noqa: F401, a fixture
from test_layouts import BOUNDED, LAYOUTS, database, open_wall, server  # noqa: F401, fixtures

pytestmark = pytest.mark.alone

HEIGHT = 40
NARROW = "carousel-strip { width: 150px; height: 500px }"  # lower items than the viewport
VARIANTS = pytest.mark.parametrize(("name", "css"), [("list", NARROW), ("grid", ""), ("rows", ""), ("rows", BOUNDED)])
STUCK = """(strip) => {
  const top = strip.viewport.hasAttribute("data-flow") ? 0 : strip.viewport.getBoundingClientRect().top;
  const isThere = (node) => node.checkVisibility() && Math.abs(node.getBoundingClientRect().top - top) < 1;
  return [...strip.shadowRoot.querySelectorAll("[part=heading]")].filter(isThere).map((node) => node.textContent);
}"""


@pytest.fixture
def open_grouped(open_wall):  # noqa: F811
    """Opens a wall whose headings are shown."""

    def open_grouped(name, css, **options):
        wall = open_wall(css=css, heading=HEIGHT, **LAYOUTS[name], **options)
        wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=heading]')")
        return wall

    return open_grouped


def groups_of(wall):
    return wall.get("strips/wall/groups", limit=1000, **wall.state["query"])["groups"]


def large_group(wall):
    """A group of many items with a title, that neither begins nor ends the strip."""
    return next(one for one in groups_of(wall)[3:] if one["title"] and one["end"] - one["first"] == 90)


@VARIANTS
def test_an_item_is_shown_below_the_heading_of_its_group(open_grouped, name, css):
    wall = open_grouped(name, css)
    group = large_group(wall)
    first, middle = group["first"], group["first"] + 60
    places = [{"index": middle}, {"index": first}, {"item": f"i{middle}"}, {"item": f"i{first}"}, {"index": middle, "align": "start"}]
    for place in places:
        wall.scroll_to(offset=0 if place != places[-1] else wall.offset + 300)
        wall.scroll_to(**place)
        assert abs(wall.card(place.get("index", int(place.get("item", "i0")[1:])))["y"] - HEIGHT) <= wall.device_px, place
        assert wall.evaluate(STUCK) == [group["title"]]
        wall.must_be_right()
    wall.scroll_to(index=middle, at=0)
    assert abs(wall.card(middle)["y"]) <= wall.device_px


@VARIANTS
def test_an_item_without_a_heading_is_shown_at_the_top(open_grouped, name, css):
    wall = open_grouped(name, css)
    groups = groups_of(wall)
    index = next(one["end"] for one, other in zip(groups, groups[1:]) if one["end"] < other["first"])
    wall.scroll_to(index=index)
    assert abs(wall.card(index)["y"]) <= wall.device_px


@VARIANTS
def test_a_jump_to_the_nearest_place_and_a_selection_end_below_the_heading(open_grouped, name, css):
    wall = open_grouped(name, css)
    index = large_group(wall)["first"] + 60
    for act in ["strip.scrollTo({ index, align: 'nearest' })", "strip.select(index)", "strip.nodeOf(index).focus()", "strip.nodeOf(index).scrollIntoView()"]:
        wall.scroll_to(index=index, at=0)  # under the heading
        wall.evaluate(f"(strip, index) => {{ {act} }}", index)
        wall.wait_until("(strip) => !strip.isWaiting")
        wall.wait_until("(strip) => strip.goal === strip.offset")
        wall.settle()
        assert wall.card(index)["y"] >= HEIGHT - 1, act


@VARIANTS
def test_keys_end_below_the_heading_and_a_page_skips_no_row(open_grouped, name, css):
    wall = open_grouped(name, css)
    index = large_group(wall)["first"] + 60
    wall.scroll_to(index=index)
    wall.evaluate("(strip, index) => strip.nodeOf(index).focus()", index)
    for _ in range(3):
        wall.press("ArrowUp")
        assert wall.card(wall.focused)["y"] >= HEIGHT - 1
    before = wall.offset
    wall.press("PageDown")
    wall.wait_until("(strip, offset) => strip.offset > offset + 300", before)
    wall.settle()
    assert wall.offset - before <= wall.state["along"] - HEIGHT + 1
    assert wall.card(wall.focused)["y"] >= HEIGHT - 1


@VARIANTS
def test_the_first_item_of_the_page_is_below_the_heading(open_grouped, name, css):
    wall = open_grouped(name, css, **{"initial-index": 1500})
    wall.settle()
    group = next(one for one in groups_of(wall) if one["first"] <= 1500 < one["end"])
    assert abs(wall.card(1500)["y"] - (HEIGHT if group["title"] else 0)) <= wall.device_px
    wall.must_be_right()


def test_an_item_is_shown_below_the_sticky_header_of_a_page(open_grouped):
    wall = open_grouped("rows", "html { scroll-padding-top: 60px } carousel-strip::part(heading) { top: 60px !important }")
    index = large_group(wall)["first"] + 60
    wall.scroll_to(index=index)
    assert abs(wall.card(index)["y"] - 60 - HEIGHT) <= wall.device_px
    wall.press("Tab")
    assert wall.card(wall.focused)["y"] >= 60 + HEIGHT - 1


def test_the_scrubber_names_the_group_below_its_heading(open_grouped):
    wall = open_grouped("rows", BOUNDED, controls="scrubber")
    group = large_group(wall)
    wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=titles]').hasChildNodes()")
    wall.scroll_to(index=group["first"])
    wall.wait_until("(strip, title) => strip.shadowRoot.querySelector('[part=scrubber]').ariaValueText.endsWith(title)", group["title"])
