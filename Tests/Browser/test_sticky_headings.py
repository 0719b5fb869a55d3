"""The sticky headings of a list, a grid or rows cover no card that a reader or a page asks for."""

import json
from urllib.request import urlopen

import pytest

from test_layouts import BOUNDED, LAYOUTS, WATCH_THE_START, database, open_wall, server  # noqa: F401, fixtures
from wall import PAGE

pytestmark = pytest.mark.alone

HEIGHT = 40
NARROW = "carousel-strip { width: 150px; height: 500px }"  # lower items than the viewport
VARIANTS = pytest.mark.parametrize(("name", "css"), [("list", NARROW), ("grid", ""), ("rows", BOUNDED)])
STUCK = """(strip) => {
  const top = strip.viewport.hasAttribute("data-flow") ? 0 : strip.viewport.getBoundingClientRect().top;
  const isThere = (node) => node.checkVisibility() && Math.abs(node.getBoundingClientRect().top - top) < 1;
  return [...strip.shadowRoot.querySelectorAll("[part=heading]")].filter(isThere).map((node) => node.textContent);
}"""


@pytest.fixture
def open_grouped(open_wall):
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
def test_items_that_are_asked_for_are_shown_below_the_heading_of_their_group(open_grouped, name, css):
    wall = open_grouped(name, css)
    groups, group = groups_of(wall), large_group(wall)
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
    bare = next(one["end"] for one, other in zip(groups, groups[1:]) if one["end"] < other["first"])  # an item without a heading
    wall.scroll_to(index=bare)
    assert abs(wall.card(bare)["y"]) <= wall.device_px
    index = middle
    for act in ["strip.scrollTo({ index, align: 'nearest' })", "strip.select(index)", "strip.nodeOf(index).focus()", "strip.nodeOf(index).scrollIntoView()"]:
        wall.scroll_to(index=index, at=0)  # under the heading
        wall.evaluate(f"(strip, index) => {{ {act} }}", index)
        wall.wait_until("(strip) => !strip.isWaiting")
        wall.wait_until("(strip) => strip.scrollTarget === strip.offset")
        wall.settle()
        assert wall.card(index)["y"] >= HEIGHT - 1, act
    # Keys end below the heading, and a page skips no row.
    wall.scroll_to(index=index)
    wall.evaluate("(strip, index) => strip.nodeOf(index).focus()", index)
    for _ in range(3):
        wall.press("ArrowUp")
        assert wall.card(wall.focused)["y"] >= HEIGHT - 1
    before, focused = wall.offset, wall.focused
    wall.press("PageDown")
    wall.wait_until("(strip, offset) => strip.offset > offset + 300", before)
    wall.wait_until("(_, index) => +document.activeElement.dataset.index > index", focused)
    wall.settle()
    assert wall.offset - before <= wall.state["viewportSize"] - HEIGHT + 1
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


def test_home_and_another_order_lead_to_the_first_row_below_the_sticky_header_of_a_page(open_wall):
    wall = open_wall(css="html { scroll-padding-top: 60px }", **LAYOUTS["rows"])
    wall.scroll_to(index=1500)
    wall.press("Tab")
    wall.press("Home")
    wall.settle()
    assert wall.focused == 0
    assert abs(wall.card(0)["y"] - 60) <= wall.device_px
    wall.scroll_to(index=1500)
    wall.set(sort="-parity")
    wall.wait_until("(strip) => strip.drawnView?.includes('-parity')")
    wall.settle()
    assert abs(wall.card(0)["y"] - 60) <= wall.device_px


def test_the_scrubber_names_the_group_below_its_heading(open_grouped):
    wall = open_grouped("rows", BOUNDED, controls="scrubber")
    group = large_group(wall)
    wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=titles]').hasChildNodes()")
    wall.scroll_to(index=group["first"])
    wall.wait_until("(strip, title) => strip.shadowRoot.querySelector('[part=scrubber]').ariaValueText.endsWith(title)", group["title"])


# MARK: those of the server

PLACES = """(strip) => {
  const { top, left } = strip.getBoundingClientRect();
  const [first, ...rest] = [strip, ...(strip.shadowRoot ? [strip.shadowRoot] : [])];
  return [...first.querySelectorAll(".heading"), ...rest.flatMap((root) => [...root.querySelectorAll("[part=heading]")])]
    .filter((node) => node.checkVisibility())
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([, { bottom, top: y }]) => bottom > top && y < top + 500)
    .map(([{ textContent }, { x, y, width, height }]) => [textContent, x - left, y - top, width, height]);
}"""


@pytest.mark.parametrize("index", [0, 1500])
@pytest.mark.parametrize("name", ["list", "grid", "rows"])
def test_the_servers_headings_are_where_those_of_the_script_will_be(open_wall, open_page, elsewhere, server, name, index):
    more = "".join(f"&{key}={value}" for key, value in LAYOUTS[name].items())
    query = f"strip=wall{more}&width=300&height=500&overscan=128&heading={HEIGHT}&index={index}&format=element&attr-aria-label=Wall"
    with urlopen(f"{server}/window?{query}") as answer:
        element = answer.read().decode()
    head = "".join(f'<link rel="stylesheet" href="{server}/css/{name}.css">' for name in ["strip", "card", "lengths"])
    css = "carousel-strip { width: 300px; height: 500px }"
    page = PAGE % {"dir": "ltr", "css": css, "head": head, "element": element, "address": server, "script": ""}
    plain = open_page(elsewhere(page), java_script_enabled=False).locator("carousel-strip")
    before = plain.evaluate(PLACES)
    assert before
    card = plain.locator(f"li[data-index='{index}']").bounding_box()
    wall = open_wall(head=head, element=element, css=css, settle=False, script=WATCH_THE_START)
    wall.wait_until("(strip) => strip.axis?.isVertical && strip.meta && strip.isWaiting === false")
    wall.wait_until("(strip) => !strip.querySelector('.heading')")
    for _ in range(2):
        after = wall.evaluate(PLACES)
        assert [one[0] for one in after] == [one[0] for one in before]
        for one, other in zip(before, after):
            assert one[1:] == pytest.approx(other[1:], abs=1), one[0]
        wall.settle()  # with the groups of the server
    assert wall.evaluate("() => window.shift") == 0, wall.evaluate("() => JSON.stringify(window.moved)")
    assert wall.card(index)["y"] == pytest.approx(card["y"] - plain.bounding_box()["y"], abs=1)


@pytest.mark.parametrize(("layout", "width"), [("layout=rows&row=160", 320), ("layout=rows&row=160", 1440), ("layout=list", 1440), ("layout=grid&column=200", 320)])
def test_the_page_without_scripts_has_every_heading_above_its_group(open_page, server, layout, width):
    with urlopen(f"{server}/strips/wall/groups") as answer:
        groups = json.load(answer)["groups"]
    ending, starting = next((one, other) for one, other in zip(groups[2:], groups[3:]) if one["end"] == other["first"])
    page = open_page(f"{server}/?strip=wall&{layout}&width=320&index={ending['end'] - 1}", java_script_enabled=False, viewport={"width": width, "height": 800})
    lines = page.locator("ul.flow > li, h2.heading").evaluate_all("""(nodes) => nodes.map((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return { index: node.dataset.index, group: node.dataset.groupTitle, text: node.textContent, left, right, top, bottom };
    })""")
    assert [line["text"] for line in lines if not line["index"]][:2] == [ending["title"], starting["title"]]
    last = None
    for one, other in zip([None, *lines], lines):
        if other["index"]:
            if other["group"]:
                assert other["group"] == last
            continue
        last = other["text"]
        assert not one or one["bottom"] <= other["top"] and one["index"]
    # The rows of a group are not stretched beyond the height that they have elsewhere.
    assert "rows" not in layout or max(one["bottom"] - one["top"] for one in lines if one["index"]) < 400


def test_a_dialog_opens_at_its_top_and_headings_stick_to_its_edge(open_wall):
    element = f'<dialog style="width: 800px; height: 500px; padding: 30px; overflow: auto"><p style="height: 100px">Before</p>' \
        f'<carousel-strip strip="wall" layout="rows" row="160" heading="{HEIGHT}" aria-label="Wall"></carousel-strip></dialog>'
    wall = open_wall(element=element, settle=False)
    wall.wait_until("(strip) => strip.axis?.isVertical")
    wall.evaluate("(strip) => strip.closest('dialog').showModal()")
    wall.settle()
    top = "(strip) => strip.closest('dialog').scrollTop"
    assert wall.evaluate(top) == 0
    wall.wait_until("(strip) => strip.viewport.querySelector('[part=heading]')")
    index = large_group(wall)["first"] + 60
    wall.scroll_to(index=index)
    places = """(strip, index) => {
      const { y } = strip.closest("dialog").getBoundingClientRect();
      const edge = y + strip.closest("dialog").clientTop;
      const headings = [...strip.shadowRoot.querySelectorAll("[part=heading]")].filter((node) => node.checkVisibility());
      return [...headings, strip.nodeOf(index)].map((node) => node.getBoundingClientRect().y - edge);
    }"""
    *headings, card = wall.evaluate(places, index)
    assert min(abs(y) for y in headings) <= 1 and abs(card - HEIGHT) <= 1


def test_a_strip_that_is_shown_later_does_not_scroll_the_page(open_wall):
    wall = open_wall(layout="rows", css="carousel-strip { display: none }", settle=False)
    wall.wait_until("(strip) => strip.axis?.isVertical")
    wall.evaluate("(strip) => { strip.style.display = 'block' }")
    wall.settle()
    assert wall.evaluate("() => document.scrollingElement.scrollTop") == 0
    wall.must_be_right()
