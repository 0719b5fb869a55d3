"""Lists that show an item a screen, and the pinch that changes the sizes of rows and columns."""

import pytest

from test_layouts import BOUNDED, LAYOUTS, anywhere, database, open_wall, server  # noqa: F401, fixtures

pytestmark = pytest.mark.alone

STORIES = {"layout": "list", "line": "100%", "snap": "start", "css": BOUNDED}
#: The card at a point of the window, and which part of it is above the point.
AT_POINT = """(strip, [x, y]) => {
  const node = document.elementFromPoint(x, y).closest("[data-index]");
  const { top, height } = node.getBoundingClientRect();
  return { index: +node.dataset.index, part: (y - top) / height };
}"""


#: Calls a function of the strip, and waits until the strip has settled.
SETTLES = "async (strip, [act, argument]) => { const settled = new Promise((go) => strip.addEventListener('settle', go, { once: true })); eval(act)(strip, argument); await settled; }"


def is_aligned(wall):
    state = wall.must_be_right()
    (card,) = state["cards"]
    assert abs(card["y"]) < 1 and card["height"] == state["viewportSize"]
    return card["index"]


# MARK: an item a screen


def test_a_list_shows_an_item_a_screen_and_rests_at_one(anywhere):
    wall = anywhere(**STORIES)
    assert is_aligned(wall) == 0
    for px, index in [(300, 1), (1130, 3), (-700, 2), (-400, 1)]:
        wall.evaluate(SETTLES, ["(strip, px) => strip.scrollTo({ offset: strip.offset + px, behavior: 'smooth' })", px])
        assert is_aligned(wall) == index


def test_an_item_a_screen_stays_aligned_when_the_height_changes(open_wall):
    wall = open_wall(**STORIES)
    wall.scroll_to(index=40)
    assert is_aligned(wall) == 40
    for height in [320, 613]:
        wall.evaluate("(strip, height) => (strip.style.height = `${height}px`)", height)
        wall.wait_until("(strip, height) => strip.viewportSize === height && strip.items.some(({ size }) => size === height)", height)
        wall.settle()
        assert is_aligned(wall) == 40


def test_a_button_leads_to_the_next_screen(open_wall):
    wall = open_wall(**STORIES, controls="previous next", step="item")
    for name, index in [("next", 1), ("next", 2), ("previous", 1)]:
        wall.evaluate(SETTLES, ["(strip, name) => strip.shadowRoot.querySelector(`slot[name=${name}]`).closest('button').click()", name])
        assert is_aligned(wall) == index


def test_nothing_snaps_what_the_page_scrolls(open_wall):
    wall = open_wall(layout="list", line="72", snap="start")
    wall.by(333)
    assert wall.offset == 333 - 220.5
    assert wall.evaluate("(strip) => strip.alignment") is None


# MARK: a pinch


@pytest.fixture(params=["rows", "grid"])
def pinched(request, open_wall):
    """A wall in the middle of its items, the attribute that a pinch sets, and a point over a card."""
    wall = open_wall(css=BOUNDED, pinch="", **LAYOUTS[request.param])
    wall.scroll_to(index=1500)
    wall.wait_until("(strip) => getComputedStyle(strip.viewport).touchAction === 'pan-x pan-y'")
    box = wall.evaluate("(strip) => strip.nodeOf(strip.current.index + 3).getBoundingClientRect().toJSON()")
    return wall, {"rows": "row", "grid": "column"}[request.param], [round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] * 0.7)]


def size_of(wall, name):
    return wall.evaluate("(strip, name) => strip[name]", name)


def must_stay(wall, point, before):
    """The item at the point is still there, within the px of an estimate: rows are not exactly as high as they should be."""
    wall.settle()
    wall.must_be_right()
    top, height = wall.evaluate("(strip, index) => { const { top, height } = strip.nodeOf(index).getBoundingClientRect(); return [top, height]; }", before["index"])
    assert abs(top + before["part"] * height - point[1]) < height / 2


def test_two_fingers_change_the_size_around_them(pinched):
    wall, name, (x, y) = pinched
    before = wall.evaluate(AT_POINT, [x, y])
    first = size_of(wall, name)
    send = wall.engine.send_touch
    send("touchStart", [{"x": x, "y": y - 50, "id": 0}])
    send("touchStart", [{"x": x, "y": y - 50, "id": 0}, {"x": x, "y": y + 50, "id": 1}])
    assert size_of(wall, name) == first  # nothing has moved
    send("touchMove", [{"x": x, "y": y - 80, "id": 0}, {"x": x, "y": y + 80, "id": 1}])
    wall.wait_until("(strip, [name, first]) => strip[name] > 1.4 * first && strip[name] < 1.8 * first", [name, first])
    send("touchMove", [{"x": x, "y": y - 36, "id": 0}, {"x": x, "y": y + 36, "id": 1}])
    wall.wait_until("(strip, [name, first]) => strip[name] < first && strip[name] > 0.5 * first", [name, first])
    must_stay(wall, (x, y), before)  # the fingers still touch
    send("touchEnd", [])
    must_stay(wall, (x, y), before)
    assert wall.evaluate("() => visualViewport.scale") == 1


def test_the_wheel_with_ctrl_changes_the_size_around_the_pointer(pinched):
    wall, name, (x, y) = pinched
    page = wall.engine.page
    before = wall.evaluate(AT_POINT, [x, y])
    first = size_of(wall, name)
    page.keyboard.down("Control")
    wall.engine.wheel(x, y, 0, -120)
    wall.wait_until("(strip, [name, first]) => strip[name] > first", [name, first])
    must_stay(wall, (x, y), before)
    for _ in range(20):
        wall.engine.wheel(x, y, 0, 120)
    wall.wait_until("(strip, name) => strip[name] === 48", name)  # the least
    page.keyboard.up("Control")
    wall.settle()
    wall.must_be_right()


def test_a_pinch_ends_a_fixed_number_of_columns(open_wall):
    wall = open_wall(css=BOUNDED, pinch="", layout="grid", columns=4)
    wall.wait_until("(strip) => getComputedStyle(strip.viewport).touchAction === 'pan-x pan-y'")
    wall.engine.page.keyboard.down("Control")
    wall.engine.wheel(300, 400, 0, 120)
    wall.wait_until("(strip) => strip.columns === null && strip.column > 0")
    wall.engine.wheel(300, 400, 0, 120)
    wall.engine.page.keyboard.up("Control")
    wall.settle()
    wall.must_be_right()


def test_without_the_attribute_the_wheel_with_ctrl_is_the_browsers(open_wall):
    wall = open_wall(css=BOUNDED, **LAYOUTS["rows"])
    kept = wall.evaluate("""(strip) => {
      const event = new WheelEvent("wheel", { ctrlKey: true, deltaY: 100, bubbles: true, cancelable: true });
      strip.dispatchEvent(event);
      return !event.defaultPrevented;
    }""")
    assert kept and size_of(wall, "row") == 160
