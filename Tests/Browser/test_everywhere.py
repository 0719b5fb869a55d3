"""A strip scrolls, jumps, snaps and mirrors in the same way in Chromium, Firefox and WebKit."""

from contextlib import ExitStack

import pytest

from anywhere import StripAnywhere

pytestmark = pytest.mark.alone

BILLION = 1_000_000_000  # items, longer than an element can be


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


def test_a_wheel_and_keys_scroll_to_the_right_cards(open_strip):
    strip = open_strip("billion")
    at = 0
    for px in [120, 333, 1001, -77, 2500]:
        strip.wheel(px)
        at += px
        strip.must_stand_at(at)
    strip.scroll_to(offset=0)
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


def test_a_jump_ends_within_a_device_px(open_strip):
    strip = open_strip("billion")
    for index in [7, 0, 499_999_999, 500_000_003, BILLION - 1]:
        place = strip.window(index=index, align="center", width=strip.width)
        strip.scroll_to(index=index, align="center")
        strip.must_stand_at(place["offset"])


def test_at_any_device_pixel_ratio_a_jump_ends_within_a_device_px(open_strip, engine):
    for density in engine.densities:
        strip = open_strip("elements", density=density)
        for place in [{"index": 20, "align": "center"}, {"index": 41, "align": "end"}, {"offset": 1234.4}]:
            offset = place.get("offset") or strip.window(**place, width=strip.width)["offset"]
            strip.scroll_to(**place)
            strip.must_stand_at(offset)


def test_at_rest_an_item_is_aligned(open_strip):
    strip = open_strip("elements")
    strip.replace(snap="start")
    for px in [333, 1111, -450]:
        strip.wheel(px)
        current = strip.evaluate("(strip) => strip.current.index")
        strip.must_stand_at(strip.window(index=current, align="start", width=strip.width)["offset"])


def test_right_to_left_is_the_mirror_image_to_the_last_of_a_billion_items(open_strip):
    strip = open_strip("billion")
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


def test_the_mouse_drags_and_a_drag_of_the_mouse_and_of_a_finger_are_reported(open_strip, engine):
    strip = open_strip("billion")
    strip.evaluate("""() => {
      window.told = [];
      for (const type of ["panstart", "panend"]) document.addEventListener(type, () => told.push(type));
    }""")
    (x, y), to = strip.point(0.7), strip.point(0.3)[0]
    strip.rest(lambda: engine.drag([(x, y), (x - 10, y), (x - 100, y), (to, y), (to, y)]))
    strip.must_stand_at(x - to)
    assert strip.evaluate("() => told") == ["panstart", "panend"]
    strip.scroll_to(offset=0)
    for _ in range(2):  # a drag that returns to where it began settles
        strip.rest(lambda: engine.drag([(x, y), (x - 10, y), (x - 200, y), (x, y), (x, y)]))
    assert strip.offset == 0
    assert strip.evaluate("(strip) => [told.splice(2).length, strip.selected ?? null]") == [4, None]  # a drag is no click
    engine.drag([(x, y)])
    assert strip.evaluate("() => told.length") == 2  # nor the other way round
    if not (engine.scrolls_by_touch and engine.tells_touches):
        return
    engine.touch([(x, y), (x - 10, y), (x - 100, y), (to, y), (to, y)])
    strip.wait_until("() => told.length === 3")
    engine.lift()
    strip.wait_until("() => told[3] === 'panend'")


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
    if not (engine.scrolls_by_touch and engine.tells_touches):
        return
    # Code scrolls after the finger is lifted.
    before = strip.offset
    engine.touch([(x, y), (x - 10, y), (x - 100, y), (to, y), (to, y)])
    strip.wait_until("(strip, px) => strip.offset > px", before + (x - to) / 2)
    before = strip.offset
    strip.evaluate("(strip) => { strip.scrollTo({ index: 40 }); strip.scrollTo({ offset: 1234 }); }")
    assert strip.offset == before
    engine.lift()
    strip.wait_until("(strip) => strip.offset === 1234")


