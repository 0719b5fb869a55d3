"""A strip scrolls, jumps, snaps and mirrors in the same way in Chromium, Firefox and WebKit."""

from contextlib import ExitStack

import pytest

from anywhere import StripAnywhere

pytestmark = pytest.mark.alone

BILLION = 1_000_000_000
STRIPS = ["billion", pytest.param("elements", marks=pytest.mark.logic)]  # longer than an element can be, and several kinds of cards


@pytest.fixture
def open_strip(engine, address):
    """Opens a strip of the demo page. An error or warning in the console fails the test at its end."""
    with ExitStack() as pages:

        def open_strip(name, width=1280, density=1):
            pages.close()
            pages.enter_context(engine.show(width, 800, density))
            strip = StripAnywhere(engine, address, name, density)
            strip.open()
            return strip

        yield open_strip
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


@pytest.mark.parametrize(("name", "width"), [("billion", 1280), pytest.param("albums", 500, marks=pytest.mark.logic)])
def test_a_wheel_scrolls_to_the_right_cards(open_strip, name, width):
    strip = open_strip(name, width)
    at = 0
    for px in [120, 333, 1001, -77, 2500]:
        strip.wheel(px)
        at += px
        strip.must_stand_at(min(at, strip.evaluate("(strip) => strip.maxOffset")))


@pytest.mark.parametrize("name", STRIPS)
def test_keys_scroll_to_the_right_cards(open_strip, name):
    strip = open_strip(name)
    strip.focus(0)
    strip.press("PageDown")
    strip.must_stand_at(strip.width)
    strip.press("End")
    strip.must_stand_at(strip.evaluate("(strip) => strip.maxOffset"))
    strip.press("PageUp")
    strip.must_be_right()
    strip.press("Home")
    strip.must_stand_at(0)
    assert strip.focused == 0
    for index in range(1, 4):
        strip.engine.press("ArrowRight")
        strip.settle()
        assert strip.focused == index
    strip.must_be_right()


@pytest.mark.parametrize("align", ["center", pytest.param("nearest", marks=pytest.mark.logic)])
def test_a_jump_ends_within_a_device_px(open_strip, align):
    strip = open_strip("billion")
    for index in [7, 0, 499_999_999, 500_000_003, BILLION - 1]:
        place = strip.window(index=index, align=align, offset=strip.offset, width=strip.width)
        strip.scroll_to(index=index, align=align)
        strip.must_stand_at(place["offset"])


@pytest.mark.logic
def test_a_jump_finds_an_item_by_its_id(open_strip):
    strip = open_strip("billion")
    place = strip.window(index=123_456_789, width=strip.width)
    strip.scroll_to(item=place["items"][0]["id"])
    strip.must_stand_at(place["offset"])


def test_at_any_device_pixel_ratio_a_jump_ends_within_a_device_px(open_strip, engine):
    for density in engine.densities:
        strip = open_strip("elements", density=density)
        for place in [{"index": 20, "align": "center"}, {"index": 41, "align": "end"}, {"offset": 1234.4}]:
            offset = place.get("offset") or strip.window(**place, width=strip.width)["offset"]
            strip.scroll_to(**place)
            strip.must_stand_at(offset)


@pytest.mark.parametrize("align", ["start", pytest.param("center", marks=pytest.mark.logic)])
def test_at_rest_an_item_is_aligned(open_strip, align):
    strip = open_strip("elements")
    strip.replace(snap=align)
    for px in [333, 1111, -450]:
        strip.wheel(px)
        current = strip.evaluate("(strip) => strip.current.index")
        strip.must_stand_at(strip.window(index=current, align=align, width=strip.width)["offset"])


@pytest.mark.logic
def test_near_snapping_ignores_items_that_are_far(open_strip):
    strip = open_strip("albums")
    strip.replace(snap="start near")
    strip.wheel(1140 + 20)
    strip.must_stand_at(1140)
    strip.wheel(80)
    strip.must_stand_at(1220)


@pytest.mark.parametrize("name", STRIPS)
def test_right_to_left_is_the_mirror_image(open_strip, name):
    strip = open_strip(name)
    strip.replace(dir="rtl")
    strip.must_stand_at(0)
    strip.wheel(777)
    strip.must_stand_at(777)
    strip.scroll_to(index=20, align="center")
    strip.must_stand_at(strip.window(index=20, align="center", width=strip.width)["offset"])
    strip.scroll_to(offset=0)
    strip.focus(0)
    strip.engine.press("ArrowLeft")
    strip.settle()
    assert strip.focused == 1
    strip.press("End")
    strip.must_stand_at(strip.evaluate("(strip) => strip.maxOffset"))


@pytest.mark.parametrize("dir", ["rtl", pytest.param("ltr", marks=pytest.mark.logic)])
def test_the_end_of_a_billion_items_is_reached_exactly(open_strip, dir):
    strip = open_strip("billion")
    strip.replace(dir=dir)
    strip.focus(0)
    strip.press("End")
    assert strip.focused == BILLION - 1
    last = strip.visible()[-1]
    assert last["index"] == BILLION - 1
    assert abs(last["x"] + last["size"] - strip.width) <= strip.device_px
    strip.wheel(-640)
    strip.must_stand_at(strip.evaluate("(strip) => strip.maxOffset") - 640)


def test_the_wheel_scrolls_past_the_end_of_the_scroll_range(open_strip):
    strip = open_strip("billion")
    strip.rest(lambda: strip.evaluate("(strip) => { strip.scrollLeft = strip.scrollWidth }"))
    at = strip.offset
    assert at > 700_000
    strip.wheel(1500)
    strip.must_stand_at(at + 1500)
    assert strip.evaluate("(strip) => strip.scrollWidth") < 1_000_000


def test_scrolling_creates_and_removes_no_element(open_strip):
    strip = open_strip("elements", 640)
    for px in [2500, 2500, -5000]:
        strip.wheel(px)
    strip.await_titles()
    strip.watch()
    for px in [700, 1900, 300, -2000, 1500, -2400]:
        strip.wheel(px)
    assert strip.made == {"created": 0, "added": 0, "removed": 0}
    strip.must_be_right()


def test_a_drag_of_the_mouse_and_of_a_finger_are_reported(open_strip, engine):
    strip = open_strip("billion")
    strip.evaluate("""() => {
      window.told = [];
      for (const type of ["panstart", "panend"]) document.addEventListener(type, () => told.push(type));
    }""")
    (x, y), to = strip.point(0.7), strip.point(0.3)[0]
    engine.drag([(x, y)])
    assert strip.evaluate("() => told") == []
    strip.rest(lambda: engine.drag([(x, y), (x - 10, y), (x - 100, y), (to, y), (to, y)]))
    assert strip.evaluate("() => told") == ["panstart", "panend"]
    if not (engine.scrolls_by_touch and engine.tells_touches):
        return
    engine.touch([(x, y), (x - 10, y), (x - 100, y), (to, y), (to, y)])
    strip.wait_until("() => told.length === 3")
    engine.lift()
    strip.wait_until("() => told[3] === 'panend'")


def test_the_mouse_drags(open_strip):
    strip = open_strip("albums")
    (x, y), (to, _) = strip.point(0.75), strip.point(0.25)
    strip.rest(lambda: strip.engine.drag([(x, y), (x - 10, y), (x - 100, y), (to, y), (to, y)]))
    strip.must_stand_at(x - to)


def test_a_finger_holds_the_strip_until_it_is_lifted(open_strip, engine):
    strip = open_strip("albums")
    (x, y), (to, _) = strip.point(0.75), strip.point(0.25)
    engine.touch([(x, y), (x - 10, y), (x - 100, y), (to, y), (to, y)])
    if engine.scrolls_by_touch:
        strip.wait_until("(strip, px) => strip.offset > px", (x - to) / 2)
    strip.wait_until("(strip, isTouched) => strip.isTouched === isTouched", engine.tells_touches)
    engine.lift()
    strip.wait_until("(strip) => !strip.isTouched")
    strip.settle()
    assert (strip.offset > (x - to) / 2) == engine.scrolls_by_touch
    strip.must_be_right()


@pytest.mark.logic
def test_the_address_restores_the_offset(open_strip):
    strip = open_strip("billion")
    strip.wheel(1234)
    strip.wait_until("() => Math.abs(new URLSearchParams(location.search).get('offset') - 1234) <= 1")
    strip.engine.reload()
    strip.settle()
    strip.must_stand_at(1234)


def test_a_drag_that_returns_to_where_it_began_settles(open_strip):
    strip = open_strip("billion")
    (x, y), to = strip.point(0.7), strip.point(0.5)[0]
    for _ in range(2):
        strip.rest(lambda: strip.engine.drag([(x, y), (x - 10, y), (to, y), (x, y), (x, y)]))
    assert strip.offset == 0


def test_code_scrolls_after_the_finger_is_lifted(open_strip, engine):
    if not (engine.scrolls_by_touch and engine.tells_touches):
        pytest.skip("the driver does not scroll by touches")
    strip = open_strip("billion")
    (x, y), (to, _) = strip.point(0.75), strip.point(0.25)
    engine.touch([(x, y), (x - 10, y), (x - 100, y), (to, y), (to, y)])
    strip.wait_until("(strip, px) => strip.offset > px", (x - to) / 2)
    before = strip.offset
    strip.evaluate("(strip) => { strip.scrollTo({ index: 40 }); strip.scrollTo({ offset: 12345 }); }")
    assert strip.offset == before
    engine.lift()
    strip.wait_until("(strip) => strip.offset === 12345")
