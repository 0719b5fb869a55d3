"""Lists, grids and rows: where the cards are, how they scroll, and what stays when the page changes."""

import json
import random
from contextlib import ExitStack
from urllib.request import Request, urlopen

import pytest

from conftest import run, serving
from engines.chromium import Chromium
from strip import AT_REST, poll
from wall import Wall

pytestmark = pytest.mark.alone

COUNT = 3000
TALL = 20_000  # items of a list that is longer than an element can be
LAYOUTS = {
    "list": {"layout": "list"},
    "grid": {"layout": "grid", "column": 150},
    "rows": {"layout": "rows", "row": 160},
}
BOUNDED = "carousel-strip { height: 500px }"
LOGIC = pytest.mark.logic
# In Firefox and WebKit rows stand for all layouts: their cards have the most sizes.
EACH = ["rows", pytest.param("list", marks=LOGIC), pytest.param("grid", marks=LOGIC)]


def lines(items):
    return "".join(json.dumps(item) + "\n" for item in items)


def items(count):
    """Items of random shapes, in groups of 1 to 90. One group in five has no name."""
    draw = random.Random(5)
    number = left = 0
    for index in range(count):
        if not left:
            number, left = number + 1, draw.choice([1, 7, 30, 90])
        left -= 1
        item = {"id": f"i{index}", "fields": {"title": f"Item {index}", "color": f"#{draw.randrange(4096):03x}", "parity": index % 2}}
        item["aspect"] = round(draw.uniform(0.3, 2.5), 3)
        if number % 5:
            item["group"] = f"Group {number}"
        yield item


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """The path of a database, and a token for its strip `wall`."""
    folder = tmp_path_factory.mktemp("layouts")
    path = folder / "layouts.db"
    file = folder / "wall.jsonl"
    file.write_text(lines(items(COUNT)))
    run("import", file, "--database", path, "--strip", "wall", "--gap", "8", "--filterable", "parity", "--searchable", "title")
    tall = folder / "tall.jsonl"
    tall.write_text(lines({"id": f"t{n}", "aspect": 0.3 + n % 7 / 50, "fields": {"title": f"Item {n}"}} for n in range(TALL)))
    run("import", tall, "--database", path, "--strip", "tall")
    token = run("token", "create", "--database", path, "--strip", "wall").stdout.split()[-1]
    return path, token


@pytest.fixture(scope="module")
def server(database):
    with serving("--database", database[0]) as address:
        yield address


def walls(engine, elsewhere, server):
    """Opens walls in pages of a size. An error or warning in the console fails the test at its end."""
    with ExitStack() as pages:

        def open_wall(address=server, width=1000, height=700, density=1, **options):
            pages.close()
            pages.enter_context(engine.show(width, height, density))
            return Wall(engine, elsewhere, address, density).open(**options)

        yield open_wall
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


@pytest.fixture
def anywhere(engine, elsewhere, server):
    yield from walls(engine, elsewhere, server)


@pytest.fixture
def open_wall(launched, elsewhere, server):
    yield from walls(launched(Chromium), elsewhere, server)


# MARK: in each browser


def must_jump(wall):
    """A jump lands exactly."""
    for index in [2500, 7, 1200]:
        wall.scroll_to(index=index)
        assert abs(wall.card(index)["y"]) <= wall.device_px
        wall.must_be_right()
    wall.scroll_to(item="i2999", align="end")
    card = wall.card(2999)
    assert abs(card["y"] + card["height"] - wall.state["viewportSize"]) <= wall.device_px


@pytest.mark.parametrize("name", EACH)
def test_the_cards_are_those_of_the_server_wherever_the_page_is_scrolled(anywhere, name):
    wall = anywhere(**LAYOUTS[name])
    state = wall.must_be_right()
    assert state["isFlow"] and state["offset"] == -220.5
    for px in [100, 333, 2000, 10_000, -5000]:
        wall.by(px)
        wall.must_be_right()
    height = wall.evaluate("() => document.documentElement.scrollHeight")
    assert abs(height - (200.5 + state["extent"] + 300 + 40)) <= 1  # the page's scroll bar is true
    must_jump(wall)


@pytest.mark.parametrize("name", EACH)
def test_a_strip_of_bounded_height_scrolls_itself(anywhere, name):
    wall = anywhere(css=BOUNDED, **LAYOUTS[name])
    state = wall.must_be_right()
    assert (state["isFlow"], state["offset"], state["viewportSize"]) == (False, 0, 500)
    for px in [100, 2000, -333]:
        wall.by(px)
        wall.must_be_right()
    assert wall.evaluate("({ scrollTop, viewport }) => [scrollTop - viewport.scrollTop, document.scrollingElement.scrollTop, scrollTop > 1000]") == [0, 0, True]
    must_jump(wall)
    # From right to left the first card of a row is at the right.
    wall.evaluate("() => { document.documentElement.dir = 'rtl' }")
    wall.by(-1234)
    wall.must_be_right()


def test_keys_move_in_two_dimensions(anywhere):
    wall = anywhere(css=BOUNDED, layout="grid", columns=5)
    wall.evaluate("(strip) => strip.nodeOf(0).focus()")
    for key, index in [("ArrowDown", 5), ("ArrowRight", 6), ("ArrowDown", 11), ("ArrowUp", 6), ("ArrowLeft", 5), ("ArrowUp", 0), ("ArrowUp", 0)]:
        wall.press(key)
        assert wall.focused == index, key
    wall.press("End")
    assert wall.focused == COUNT - 1
    wall.must_be_right()
    wall.press("Home")
    assert (wall.focused, wall.offset) == (0, 0)
    wall.press("PageDown")
    wall.wait_until("() => Number(document.activeElement.dataset.index) > 5")
    wall.settle()
    wall.must_be_right()


def test_a_filter_keeps_the_place_beside_a_sticky_box(anywhere):
    """Firefox scrolls a page that becomes shorter beside such a box to its end, a frame later."""
    css = "header, footer { display: none } aside { position: sticky; top: 0; float: left }"
    wall = anywhere(css=css, element='<aside>Filters</aside><carousel-strip strip="wall" layout="grid" column="150"></carousel-strip>')
    wall.scroll_to(index=2500)
    for where, count in [("parity = 1", COUNT / 2), ("", COUNT)]:
        wall.set(where=where)
        wall.wait_until("(strip, count) => strip.meta.count === count", count)
        for _ in range(3):
            wall.evaluate("() => new Promise(requestAnimationFrame)")
            wall.settle()
        assert "i2501" in [card["id"] for card in wall.state["cards"]], where


# MARK: far


@pytest.mark.parametrize(("css", "density"), [("", 2), (BOUNDED, 1)])
def test_a_list_goes_on_past_the_largest_element(open_wall, css, density):
    wall = open_wall(strip="tall", css=css, density=density, layout="list")
    assert wall.state["extent"] > 2**25
    for index in [TALL - 1, TALL // 2, 123, 4000]:
        wall.scroll_to(index=index)
        wall.must_be_right()
        assert wall.card(index)
    wall.scroll_to(index=4000)
    before = wall.offset
    for _ in range(3):  # to the end of the scrollable content, and on
        wall.evaluate("(strip) => strip.axis.scrollTo(1e9, 'instant')")
        wall.evaluate("() => new Promise(requestAnimationFrame)")
        wall.settle()
        wall.must_be_right()
    assert wall.offset > before + 8_000_000
    for offset in [7_000_000.5, 3_000_001, 7_999_000, 123_456.25] if not css else []:
        wall.scroll_to(offset=offset)
        assert abs(wall.offset - offset) <= wall.device_px
        wall.must_be_right()


# MARK: what stays


@pytest.mark.parametrize(("name", "css"), zip(LAYOUTS, ["", "carousel-strip { height: 80vh }", "header { height: 20vw }"]))
def test_a_resize_keeps_the_first_visible_item_in_place(open_wall, name, css):
    wall = open_wall(width=1440, css=css, **LAYOUTS[name])
    wall.scroll_to(index=1500)
    wall.by(30)
    first = wall.state["cards"][0]

    def must_keep(width):
        wall.wait_until("(strip, width) => Math.abs(strip.meta.width - width) < 60", width)
        wall.settle()
        wall.must_be_right()
        assert abs(wall.card(first["index"])["y"] - first["y"]) <= 1, width

    for width, height in [(768, 700), (390, 844), (844, 390), (1440, 700)]:
        wall.engine.page.set_viewport_size({"width": width, "height": height})
        must_keep(width)
    for width in [] if css else [500, 900, 320, 1440]:  # while the strip is hidden
        wall.evaluate("(strip) => { strip.style.display = 'none' }")
        wall.wait_until("(strip) => !strip.clientWidth")
        wall.engine.page.set_viewport_size({"width": width, "height": 700})
        wall.evaluate("(strip) => { strip.style.display = '' }")
        must_keep(width)


@pytest.mark.parametrize("heading", [0, 40])
def test_an_item_that_a_smaller_row_height_would_hide_keeps_its_bottom_edge(open_wall, heading):
    wall = open_wall(heading=heading, layout="rows", row=180)
    wall.scroll_to(index=1777, at=0)
    card = wall.card(1777)
    wall.by(card["height"] - heading - 30)  # 30 px of it are in view
    first = wall.card(1777)
    for row, keeps in [(90, "bottom"), (170, "top"), (180, "top")]:
        extent = wall.state["extent"]
        wall.set(row=row)
        wall.wait_until("(strip, extent) => strip.meta.extent !== extent", extent)
        wall.settle()
        wall.must_be_right()
        card = wall.card(1777)
        bottom = card["y"] + card["height"]
        assert bottom > heading + 1
        assert abs(bottom - first["y"] - first["height"] if keeps == "bottom" else card["y"] - first["y"]) <= 1, row


def test_another_layout_shows_the_same_item(open_wall):
    wall = open_wall(**LAYOUTS["rows"])
    wall.scroll_to(index=1800)
    wall.set(layout="grid")
    wall.wait_until("(strip) => strip.meta?.layout === 'grid'")
    wall.settle()
    wall.must_be_right()
    assert wall.card(1800)
    first = wall.state["cards"][0]["index"]
    wall.set(layout="strip")
    wall.wait_until("(strip) => strip.meta && !strip.meta.layout && !strip.isWaiting")
    wall.wait_until("(strip, index) => strip.nodeOf(index)", first)
    assert wall.evaluate("(strip) => [strip.axis.isVertical ?? false, strip.querySelector('ul').style.height]") == [False, ""]
    first = wall.evaluate("(strip) => strip.current.index")
    wall.set(layout="list")
    wall.wait_until("(strip) => strip.meta?.layout === 'list'")
    wall.settle()
    wall.must_be_right()
    assert wall.card(first)


def test_another_height_of_the_strip_or_of_what_is_before_it_moves_no_card_to_a_wrong_place(open_wall):
    wall = open_wall(**LAYOUTS["rows"])
    wall.scroll_to(index=900)
    for draw in ["", "strip.requestDraw();"]:  # the strip can draw in the same frame
        for height in ["400px", "auto"]:
            first = wall.state["cards"][0]
            wall.evaluate(f"(strip, height) => {{ {draw} strip.style.height = height }}", height)
            wall.wait_until("(strip, is) => strip.viewport.hasAttribute('data-flow') === is", height == "auto")
            wall.settle()
            wall.must_be_right()
            assert abs(wall.card(first["index"])["y"] - first["y"]) <= 1
    # Content that comes before the list moves no card to a wrong place.
    wall.scroll_to(offset=-70)
    wall.evaluate("() => { document.querySelector('header').style.height = '431px' }")
    wall.settle()
    wall.must_be_right()


def test_an_edit_before_the_viewport_moves_nothing(open_wall, database):
    wall = open_wall(**LAYOUTS["rows"], live="")
    wall.scroll_to(index=2000)
    before = wall.card(2000)
    new = {"id": f"new{random.random()}", "aspect": 3, "fields": {"title": "New"}}
    edit = [{"op": "insert", "after": None, "items": [new]}]
    fields = {"Authorization": f"Bearer {database[1]}", "Content-Type": "application/json"}
    with urlopen(Request(f"{wall.address}/strips/wall/edits", json.dumps(edit).encode(), fields)) as answer:
        revision = json.load(answer)["revision"]
    wall.wait_until("(strip, revision) => strip.meta.revision >= revision", revision)
    wall.settle()
    wall.must_be_right()
    assert abs(wall.card(2001)["y"] - before["y"]) <= 1 and wall.card(2001)["id"] == before["id"]
    edit = [{"op": "remove", "ids": [new["id"]]}]
    urlopen(Request(f"{wall.address}/strips/wall/edits", json.dumps(edit).encode(), fields)).close()


def test_a_filter_at_the_top_of_the_page_does_not_scroll_the_page(open_wall):
    # Content below the last card does not make the strip scroll itself.
    css = "carousel-strip > ul::after { content: ''; position: absolute; top: 100%; width: 1px; height: 20px }"
    wall = open_wall(css=css, **LAYOUTS["grid"])
    assert wall.must_be_right()["isFlow"]
    wall.set(where="parity = 1")
    wall.wait_until("(strip) => strip.meta.view")
    wall.settle()
    assert wall.must_be_right()["count"] == COUNT / 2
    assert wall.offset == -220.5


# MARK: nodes, focus and selection


@pytest.mark.parametrize("name", LAYOUTS)
def test_scrolling_creates_nothing_and_screen_readers_hear_positions(open_wall, name):
    wall = open_wall(heading=30, **LAYOUTS[name])
    wall.scroll_to(index=2900)
    wall.scroll_to(index=0)
    wall.watch()
    before = wall.made
    nodes = wall.evaluate("(strip) => strip.querySelectorAll('li').length")
    for _ in range(15):
        wall.by(500)
    assert wall.made == before
    pools = wall.evaluate("(strip) => strip.meta.pools")
    assert nodes == sum(pools.values()) + len(pools)
    # Screen readers hear positions.
    wall.scroll_to(index=300)
    said = wall.evaluate("""(strip) => {
      const node = strip.nodeOf(300);
      const { role, ariaOrientation } = strip.querySelector("ul");
      return [role, ariaOrientation, node.role, node.ariaPosInSet, node.ariaSetSize, strip.viewport.parentNode.ariaRoleDescription];
    }""")
    assert said == ["listbox", "vertical", "option", "301", str(COUNT), None]
    order = wall.evaluate("(strip) => [...strip.querySelectorAll('li:not([hidden])')].map((node) => +node.dataset.index)")
    assert order == sorted(order)


def test_an_ordinary_scroll_is_never_blank(open_wall):
    wall = open_wall(**LAYOUTS["rows"])
    blanks = wall.evaluate("""async (strip) => {
      const frame = () => new Promise(requestAnimationFrame);
      const blanks = [];
      strip.dispatchEvent(new Event("pointermove"));
      for (let step = 0; step < 100; step += 1) {
        strip.axis.scrollTo(strip.axis.readPosition() + 80, "instant");
        await frame();
        if (step > 20 && strip.isWaiting) blanks.push(strip.offset);
      }
      return blanks;
    }""")
    assert blanks == []


def test_the_focused_card_survives_scrolling_and_a_tap_moves_no_card_in_view(open_wall):
    wall = open_wall(css=BOUNDED, **LAYOUTS["rows"])
    wall.evaluate("(strip) => strip.nodeOf(2).focus()")
    wall.by(8000)
    wall.must_be_right()
    assert wall.focused == 2
    wall.press("ArrowDown")
    assert wall.focused != 2
    wall.must_be_right()
    # A tap selects an item, and does not move one in view.
    wall.scroll_to(offset=1000)
    card = next(card for card in wall.state["cards"] if card["y"] > 50)
    wall.engine.page.locator(f'li[data-index="{card["index"]}"]').click()
    wall.settle()
    assert wall.evaluate("(strip) => strip.selected.id") == card["id"]
    assert wall.offset == 1000
    assert wall.evaluate("(strip) => strip.querySelectorAll('[data-selected]').length") == 1


@pytest.mark.parametrize("row", [60, 100, 220])
def test_a_long_title_in_place_of_a_picture_ends_with_a_whole_line(open_wall, row):
    wall = open_wall(layout="rows", row=row)
    figures = wall.evaluate("""(strip) => [...strip.querySelectorAll("li:not([hidden]) .mark")].map((mark) => {
      mark.textContent = "A title of many words. ".repeat(40);
      const [box, card] = [mark, mark.parentNode].map((node) => node.getBoundingClientRect());
      const range = document.createRange();
      range.selectNodeContents(mark);
      const lines = box.height / parseFloat(getComputedStyle(mark).lineHeight);
      return [range.getBoundingClientRect().top - card.top, card.bottom - box.bottom, lines, mark.scrollTop];
    })""")
    assert figures
    for top, bottom, lines, scrolled in figures:
        assert top >= 0 and bottom >= 5 and scrolled == 0
        assert lines == pytest.approx(round(lines), abs=0.1) and round(lines) >= 1


# MARK: headings

HEADINGS = """(strip) => {
  const top = strip.viewport.getBoundingClientRect().top;
  return [...strip.shadowRoot.querySelectorAll("[part=heading]")]
    .filter((node) => node.checkVisibility())
    .map((node) => ({ title: node.textContent, y: node.getBoundingClientRect().top - top, height: node.getBoundingClientRect().height }));
}"""


@pytest.mark.parametrize("name", LAYOUTS)
def test_headings_stand_above_their_groups_and_stick(open_wall, name):
    wall = open_wall(css=BOUNDED, heading=40, **LAYOUTS[name])
    wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=heading]')")
    groups = [one for one in wall.get("strips/wall/groups", limit=1000, **wall.state["query"])["groups"] if one["title"]]
    for group in [groups[0], groups[3], groups[20]]:
        wall.scroll_to(offset=group["start"] - 240)
        state = wall.must_be_right()
        headings = wall.evaluate(HEADINGS)
        mine = next(one for one in headings if one["title"] == group["title"])
        assert abs(mine["y"] - (group["start"] - state["offset"] - 40)) <= 1 and mine["height"] == 40
        wall.scroll_to(index=group["first"])  # the heading's own place is above the viewport
        wall.wait_until("(strip) => strip.viewport.querySelector('[part=heading]')")
        mine = next(one for one in wall.evaluate(HEADINGS) if one["title"] == group["title"])
        assert mine["y"] <= 0.5


def test_in_a_page_headings_stick_to_the_windows_edge(open_wall):
    wall = open_wall(heading=40, layout="rows", row=100)
    group = max(wall.get("strips/wall/groups", limit=1000)["groups"], key=lambda one: one["end"] - one["first"])
    wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=heading]')")
    wall.scroll_to(index=group["first"] + 50)
    stuck = wall.evaluate("""(strip) => [...strip.shadowRoot.querySelectorAll("[part=heading]")]
      .filter((node) => node.checkVisibility() && Math.abs(node.getBoundingClientRect().top) < 1).map((node) => node.textContent)""")
    assert stuck == [group["title"]]


# MARK: loading


def test_a_strip_does_not_load_the_layouts(open_wall):
    wall = open_wall(settle=False)
    wall.wait_until("(strip) => strip.items?.length && !strip.isWaiting")
    loaded = "() => performance.getEntriesByType('resource').filter(({ name }) => /layouts|vertical/.test(name)).length"
    assert wall.evaluate(loaded) == 0
    wall.set(layout="rows")
    wall.wait_until("(strip) => strip.meta?.layout === 'rows'")
    assert wall.evaluate(loaded) > 0


@pytest.fixture(scope="module")
def category(database, tmp_path_factory):
    """A strip whose setting is a layout, as a shop's category has it."""
    file = tmp_path_factory.mktemp("category") / "category.jsonl"
    file.write_text(lines(items(300)))
    run("import", file, "--database", database[0], "--strip", "category", "--layout", "grid")
    return "category"


def test_the_layout_of_the_settings_can_be_replaced_and_leaves_with_its_strip(open_wall, category):
    wall = open_wall(strip=category, settle=False)
    wall.wait_until("(strip) => strip.meta?.layout === 'grid'")
    wall.settle()
    wall.must_be_right()
    wall.set(layout="strip")
    wall.wait_until("(strip) => strip.meta && !strip.meta.layout && !strip.axis.isVertical && !strip.isWaiting")
    must_be_one_row(wall, category)
    wall.set(layout="grid")
    wall.settle()
    wall.must_be_right()
    wall.evaluate("(strip) => strip.removeAttribute('layout')")
    wall.wait_until("(strip) => strip.meta?.layout === 'grid' && !strip.isWaiting")
    wall.evaluate("(strip) => { strip.strip = 'wall' }")
    wall.wait_until("(strip) => strip.meta?.strip === 'wall' && !strip.meta.layout && !strip.axis.isVertical && !strip.isWaiting && strip.layout === null")
    must_be_one_row(wall, "wall")


def test_a_draw_measures_the_page_as_often_however_many_cards_it_has(open_wall):
    """Reading a rectangle after a style was written causes a layout."""
    counts = []
    for columns in [2, 12]:
        wall = open_wall(layout="grid", columns=columns)
        wall.evaluate("""() => {
          window.reads = 0;
          const { getBoundingClientRect } = Element.prototype;
          Element.prototype.getBoundingClientRect = function () { window.reads += 1; return getBoundingClientRect.call(this); };
        }""")
        wall.evaluate("(strip) => { dispatchEvent(new Event('resize')); return new Promise((go) => strip.addEventListener('draw', () => go(), { once: true })); }")
        counts.append(wall.evaluate("(strip) => [strip.items.length, window.reads]"))
    (few, reads), (many, more) = counts
    assert many > 3 * few and more <= reads + 8, counts


def test_a_strip_whose_setting_is_another_layout_can_be_one_row(open_wall, category):
    wall = open_wall(strip=category, layout="strip", settle=False, controls="scrubber")
    wall.wait_until("(strip) => strip.items?.length && !strip.isWaiting")
    must_be_one_row(wall, category)
    wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=titles]').hasChildNodes()")
    wall.evaluate("(strip) => strip.scrollTo({ index: 200 })")
    wall.wait_until("(strip) => strip.nodeOf(200) && !strip.isWaiting")
    must_be_one_row(wall, category)
    asked = wall.evaluate("() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/groups?'))")
    assert asked and all("layout=strip" in one for one in asked)


def test_the_element_of_a_server_can_be_one_row(open_wall, server, category):
    with urlopen(f"{server}/window?strip={category}&layout=strip&width=960&format=element") as answer:
        element = answer.read().decode()
    assert 'layout="strip"' in element
    wall = open_wall(element=element, settle=False)
    wall.wait_until("(strip) => strip.items?.length && !strip.isWaiting")
    must_be_one_row(wall, category)


def must_be_one_row(wall, strip):
    """The cards in view stand side by side, as the server's window of one row says. Its style sheet may come after its items."""
    wall.wait_until("(strip) => getComputedStyle(strip).visibility === 'visible'")
    wall.evaluate(AT_REST)
    cards = wall.evaluate("""(strip) => [strip.offset, [...strip.querySelectorAll("li:not([hidden])")].map((node) => {
      const { left, top, width } = node.getBoundingClientRect();
      return { index: +node.dataset.index, x: left - strip.viewport.getBoundingClientRect().left, y: top, width };
    })]""")
    offset, cards = cards
    found = {item["index"]: item for item in wall.get("window", strip=strip, layout="strip", offset=offset, width=960)["items"]}
    seen = [card for card in cards if card["index"] in found]
    assert len(seen) == len(found) >= 3 and len({card["y"] for card in seen}) == 1
    for card in seen:
        item = found[card["index"]]
        assert abs(card["x"] - (item["start"] - offset)) <= 1 and abs(card["width"] - item["size"]) <= 1 / 16


@pytest.mark.parametrize("css", ["", BOUNDED])
def test_the_address_keeps_the_place(open_wall, css):
    wall = open_wall(css=css, history="", **LAYOUTS["rows"])
    wall.scroll_to(index=1234)
    wall.by(33)
    first = wall.state["cards"][0]
    wall.wait_until("(_, { id, y }) => { const { item, at } = Object.fromEntries(new URL(location).searchParams); return item === id && Math.abs(at - y) <= 1 }", first)
    wall.engine.reload()
    wall.settle()
    wall.wait_until("(strip, index) => strip.nodeOf(index)", first["index"])
    wall.settle()
    assert abs(wall.card(first["index"])["y"] - first["y"]) <= 1


VIEW_IN_ADDRESS = "(strip, sort) => !strip.ariaBusy && !strip.isWaiting && (strip.meta.view?.sort ?? null) === sort && new URL(location).searchParams.get('sort') === sort"


def test_back_and_forward_keep_the_head_of_a_page_in_view(anywhere):
    wall = anywhere(history="", **LAYOUTS["grid"])
    wall.evaluate("() => scrollTo(0, 60)")
    wall.settle()
    for sort in ("parity", "-parity"):
        wall.evaluate("(strip, sort) => { strip.sort = sort }", sort)
        wall.wait_until(VIEW_IN_ADDRESS, sort)
        wall.settle()
    for step, sort in [("back", "parity"), ("back", None), ("forward", "parity")]:
        wall.evaluate("(_, step) => history[step]()", step)
        wall.wait_until(VIEW_IN_ADDRESS, sort)
        wall.settle()
        assert wall.evaluate("() => scrollY") == 60
        assert not wall.evaluate("() => /item|at=|offset/.test(location.search)")


def test_back_returns_to_where_a_page_was_scrolled_to_from_deep_in_another_view(anywhere):
    wall = anywhere(history="", **LAYOUTS["grid"])
    wall.evaluate("() => scrollTo(0, 60)")
    wall.settle()
    wall.evaluate("(strip) => { strip.sort = 'parity' }")
    wall.wait_until(VIEW_IN_ADDRESS, "parity")
    wall.scroll_to(index=600)
    first = wall.state["cards"][0]["id"]
    wall.wait_until("(_, id) => new URL(location).searchParams.get('item') === id", first)
    for step, sort in [("back", None), ("forward", "parity"), ("back", None)]:
        wall.evaluate("(_, step) => history[step]()", step)
        wall.wait_until(VIEW_IN_ADDRESS, sort)
        wall.settle()
        assert wall.state["cards"][0]["id"] == (first if sort else wall.get("window", strip="wall", layout="grid", offset=0, width=960)["items"][0]["id"])
    assert wall.evaluate("() => scrollY") == 60


def test_a_place_in_the_address_can_be_above_the_front(open_wall):
    wall = open_wall(history="", **LAYOUTS["grid"])
    wall.evaluate("(strip) => window.history.replaceState(null, '', `?sort=parity&strip=wall&item=${strip.items[0].id}&at=100&offset=-100`)")
    wall.evaluate("(strip) => { strip.sort = 'parity' }")
    wall.engine.reload()
    wall.settle()
    assert wall.evaluate("(strip) => Math.abs(strip.offset + 100) < 1 || strip.offset") is True


# Draws in every frame, and holds strip.css back until the first items are drawn.
LATE_SHEET = """
const request = window.fetch;
const isDrawn = new Promise((go) => document.addEventListener("reload", go, { once: true }));
window.fetch = async (url, ...rest) => {
  const answer = await request(url, ...rest);
  if (!/strip.css/.test(url)) return answer;
  const text = await answer.text();
  await isDrawn;
  return new Response(text);
};
(function draw() {
  document.querySelector("carousel-strip")?.requestDraw?.();
  requestAnimationFrame(draw);
})();
"""


def test_a_late_style_sheet_does_not_lose_the_place_of_the_address(open_wall):
    wall = open_wall(css=BOUNDED, history="", **LAYOUTS["rows"])
    wall.scroll_to(index=1234)
    first = wall.state["cards"][0]
    wall.wait_until("(strip, id) => new URL(location).searchParams.get('item') === id", first["id"])
    wall.engine.page.add_init_script(LATE_SHEET)
    wall.engine.reload()
    wall.wait_until("(strip) => getComputedStyle(strip).visibility === 'visible' && strip.meta")
    wall.settle()
    assert wall.must_be_right()["cards"][0]["id"] == first["id"]
    assert wall.evaluate("() => document.scrollingElement.scrollTop") == 0


class Loading:
    """Holds the module of layouts back in a wall's page, until `arrive`."""

    def __init__(self, wall):
        self.wall, self.page, self.held = wall, wall.engine.page, []
        self.page.route("**/axes/vertical.js", lambda route: self.held.append(route))

    def begin(self, act):
        """Calls `act`, and waits until the module is requested."""
        act()
        poll(lambda: self.page.evaluate("() => 0") or self.held, lambda: "the module is not requested")

    def arrive(self):
        self.held.pop().continue_()


REPLACE = """(strip, attributes) => {
  const other = document.createElement("carousel-strip");
  for (const [name, value] of Object.entries(attributes)) other.setAttribute(name, value);
  strip.replaceWith(other);
}"""


@pytest.fixture
def open_loading(open_wall):
    """Opens a wall whose module of layouts is still loading."""

    def open_loading():
        wall = open_wall(settle=False)
        wall.wait_until("(strip) => strip.items?.[0]?.fields")
        loading = Loading(wall)
        attributes = {"strip": "wall", "style": "height: 500px", **LAYOUTS["rows"]}
        loading.begin(lambda: wall.evaluate(REPLACE, attributes))
        return wall, loading

    return open_loading


@pytest.mark.parametrize("act", ["strip.scrollTo({ index: 900 })", "strip.scrollTo({ item: 'i900' })", "strip.select(900)"])
def test_a_jump_and_a_selection_before_the_layout_is_loaded_are_kept(open_loading, act):
    wall, loading = open_loading()
    wall.evaluate(f"(strip) => {{ {act} }}")
    loading.arrive()
    wall.wait_until("(strip) => strip.nodeOf?.(900)")
    wall.settle()
    wall.must_be_right()
    assert wall.evaluate("(strip) => strip.selected?.id ?? 'i900'") == "i900"


@pytest.mark.parametrize("act, count", [
    ("const { nextSibling } = strip; strip.remove(); nextSibling.before(strip)", COUNT),
    ("strip.layout = 'strip'; strip.layout = 'list'; strip.where = 'parity = 1'", COUNT / 2),
])
def test_a_strip_can_move_and_change_while_its_layout_loads(open_loading, act, count):
    wall, loading = open_loading()
    wall.evaluate(f"(strip) => {{ {act} }}")
    loading.arrive()
    wall.settle()
    assert wall.must_be_right()["count"] == count


def test_a_strip_that_leaves_while_its_other_layout_loads_comes_back_at_the_same_item(open_wall):
    wall = open_wall(settle=False)
    wall.wait_until("(strip) => strip.items?.[0]?.fields")
    wall.evaluate("(strip) => strip.scrollTo({ index: 1500 })")
    wall.wait_until("(strip) => strip.nodeOf(1500) && !strip.isWaiting")
    loading = Loading(wall)
    loading.begin(lambda: wall.set(**LAYOUTS["rows"]))
    wall.evaluate("(strip) => { window.strip = strip; strip.remove() }")
    loading.arrive()
    wall.evaluate("() => import(new URL('axes/vertical.js', document.querySelector('script[src]').src)).then(() => {})")
    wall.evaluate("() => document.querySelector('footer').before(window.strip)")
    wall.settle()
    wall.must_be_right()
    assert wall.card(1500)


def test_a_layout_that_did_not_load_is_loaded_again(open_wall):
    wall = open_wall(settle=False)
    wall.wait_until("(strip) => strip.items?.[0]?.fields")
    tries = []
    wall.engine.page.route("**/axes/vertical.js", lambda route: tries.append(route) or (route.continue_() if tries[1:] else route.abort()))
    wall.set(**LAYOUTS["rows"])
    wall.settle()
    wall.must_be_right()
    assert len(tries) == 2
    wall.engine.complaints.clear()  # the browser's own


def test_a_page_that_scrolls_before_the_first_window_arrives_shows_the_list(open_wall):
    wall = open_wall(css="footer { height: 3000px !important }", settle=False)
    wall.wait_until("(strip) => strip.items?.[0]?.fields")
    page, held, released = wall.engine.page, [], []
    page.route("**/window?*", lambda route: route.continue_() if released else held.append(route))
    wall.evaluate(REPLACE, {"strip": "wall", **LAYOUTS["rows"]})
    poll(lambda: page.evaluate("() => 0") or any("layout=rows" in route.request.url for route in held), lambda: "no rows are requested")
    wall.evaluate("() => new Promise((go) => { addEventListener('scrollend', go, { once: true }); scrollTo(0, 100); })")
    assert wall.evaluate("(strip) => [String(strip.offset), scrollY]") == ["-120.5", 100]
    released += held
    for route in released:
        route.continue_()
    wall.settle()
    wall.must_be_right()


WATCH_THE_START = """
window.shift = 0;
window.moved = [];
new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => {
  window.shift += value;
  window.moved.push(...sources.map(({ node, previousRect, currentRect }) => [node?.outerHTML?.slice(0, 60), previousRect, currentRect]));
})).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("layout", ["list", "grid", "rows"])
def test_the_servers_first_window_is_taken_over_without_a_request_or_a_shift(open_wall, server, layout):
    query = f"strip=wall&layout={layout}&width=960&height=700&overscan=128&format=element&attr-aria-label=Wall"
    with urlopen(f"{server}/window?{query}") as answer:
        element = answer.read().decode()
    head = "".join(f'<link rel="stylesheet" href="{server}/css/{name}.css">' for name in ["strip", "card", "lengths"])
    wall = open_wall(head=head, element=element, settle=False, script=WATCH_THE_START)
    before = wall.evaluate("(strip) => strip.querySelector('li').getBoundingClientRect().toJSON()")
    wall.wait_until("(strip) => strip.axis?.isVertical && strip.meta && strip.isWaiting === false")
    wall.evaluate("async () => { for (let k = 0; k < 5; k += 1) await new Promise(requestAnimationFrame) }")
    requested = "() => performance.getEntriesByType('resource').filter(({ name }) => /\\/window\\?/.test(name)).length"
    assert wall.evaluate(requested) == 0
    assert wall.evaluate("() => window.shift") == 0, wall.evaluate("() => JSON.stringify(window.moved)")
    assert wall.evaluate("(strip) => strip.querySelector('li').getBoundingClientRect().toJSON()") == before
    wall.must_be_right()
    wall.by(900)
    wall.must_be_right()
