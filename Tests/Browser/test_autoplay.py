"""Autoplay by steps, and the marquee."""

import pytest
from playwright.sync_api import expect

from cases import case
from strip import Strip, switches
from test_plugins import made_with

# The ms between steps of autoplay. It is so long that a step only comes when a test advances the clock.
STEP = 60_000


def test_autoplay_steps_until_it_is_paused(open_page):
    page = open_page("about:blank")
    page.clock.install()
    page.goto("/?strip=albums")
    strip = made_with(page, "albums", autoplay=STEP, step="item")
    page.mouse.move(5, 5)
    strip.rest(lambda: page.clock.run_for(STEP + 100))
    assert abs(strip.offset - 190) <= 1
    button = page.get_by_role("button", name="Pause")
    button.click()
    page.clock.run_for(STEP + 100)
    assert abs(strip.offset - 190) <= 1
    page.mouse.move(5, 5)
    page.get_by_role("button", name="Play").click()
    page.mouse.move(5, 700)
    strip.rest(lambda: page.clock.run_for(STEP + 100))
    assert abs(strip.offset - 380) <= 1


def test_autoplay_waits_while_the_strip_or_its_controls_are_in_use(open_page):
    page = open_page("about:blank")
    page.clock.install()
    page.goto("/?strip=albums")
    controls = page.locator("carousel-strip [part=controls]")
    places = {
        "strip": page.locator('carousel-strip li[data-index="0"]'),
        "dots": controls.locator("[part=dot]").nth(3),
        "Next": controls.get_by_role("button", name="Next"),
        "Pause": page.get_by_role("button", name="Pause"),
    }
    for use in ["focus", "hover"]:
        for name, place in places.items():
            with case(use, name):
                page.mouse.move(5, 5)
                strip = made_with(page, "albums", autoplay=STEP, step="item", controls="next dots")
                getattr(place, use)()
                page.clock.run_for(STEP + 100)
                assert strip.offset == 0


def test_autoplay_waits_while_the_page_is_hidden(open_page):
    page = open_page("about:blank")
    page.clock.install()
    page.goto("/?strip=albums")
    strip = made_with(page, "albums", autoplay=STEP, step="item")
    page.mouse.move(5, 5)
    page.evaluate("() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })")
    page.clock.run_for(STEP + 100)
    assert strip.offset == 0
    page.evaluate("() => { delete document.hidden }")
    strip.rest(lambda: page.clock.run_for(STEP + 100))
    assert strip.offset > 0


def test_autoplay_returns_from_the_end_to_the_start(open_page):
    page = open_page("about:blank", reduced_motion="no-preference")
    page.clock.install()
    page.goto("/?strip=albums")
    strip = made_with(page, "albums", autoplay=STEP)
    page.mouse.move(5, 5)
    strip.scroll_to(offset=1e9)
    page.clock.run_for(STEP + 100)
    page.wait_for_function("() => document.querySelector('carousel-strip').offset < 100")


def test_an_invalid_autoplay_is_off(open_page):
    page = open_page("/?strip=albums")
    for value in ["soon", "-3000", "0", "marquee", "marquee 0", ""]:
        with case(value):
            made_with(page, "albums", autoplay=value)
            assert page.locator("[part=pause]").count() == 0
    made_with(page, "albums", autoplay="3600000")
    assert page.locator("[part=pause]").count() == 1


def test_autoplay_is_off_with_reduced_motion_and_follows_a_change(open_page):
    page = open_page("/?strip=albums", reduced_motion="reduce")
    made_with(page, "albums", autoplay="3600000")
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_have_count(0)
    page.emulate_media(reduced_motion="no-preference")
    expect(pause).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    expect(pause).to_have_count(0)


def made_with_marquee(page, speed):
    """A strip with a marquee, which is never at rest."""
    page.evaluate(
        """(speed) => {
          const former = document.querySelector("carousel-strip");
          const made = document.createElement("carousel-strip");
          made.append(former.querySelector("template[data-kind=card]").cloneNode(true));
          window.told = [];
          made.autoplay = `marquee ${speed}`;
          made.loop = true;
          made.strip = "albums";
          former.replaceWith(made);
          made.addEventListener("reload", () => {
            made.addEventListener("settle", ({ detail }) => window.told.push(["settle", detail.id]));
          }, { once: true });
        }""",
        speed,
    )
    return Strip(page, "albums")


def test_a_marquee_moves_steadily_and_never_settles(open_page):
    page = open_page("/?strip=albums")
    page.mouse.move(5, 5)
    strip = made_with_marquee(page, 200)
    page.wait_for_function("() => document.querySelector('carousel-strip').offset > 100")
    places = strip.evaluate(
        """async (strip) => {
          const places = [];
          for (let k = 0; k < 30; k += 1) {
            const now = await new Promise(requestAnimationFrame);
            places.push([now, strip.offset]);
          }
          return places;
        }"""
    )
    offsets = [offset for _, offset in places]
    assert offsets == sorted(offsets) and len(set(offsets)) > 5
    assert page.evaluate("() => window.told") == []
    page.get_by_role("button", name="Pause").click()
    page.mouse.move(5, 5)
    strip.settle()
    assert ["settle", strip.evaluate("(strip) => strip.current.id")] in page.evaluate("() => window.told")


def test_a_marquee_returns_from_the_end_to_the_start(open_page):
    page = open_page("/?strip=albums")
    page.mouse.move(5, 5)
    strip = made_with(page, "albums", **{"initial-index": "49"})
    strip.evaluate("(strip) => { strip.autoplay = 'marquee 40' }")
    # It stands at the end until it returns. A busy browser may draw its next frame seconds later.
    page.wait_for_function("() => { const { offset, maxOffset } = document.querySelector('carousel-strip'); return offset > 0 && offset < maxOffset / 2 }")


def test_a_finger_stops_a_marquee(open_page):
    strip = made_with_marquee(open_page("/?strip=albums", has_touch=True), 60)
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').offset > 5")
    touch = strip.page.context.new_cdp_session(strip.page)
    box = strip.element.bounding_box()
    point = {"x": box["x"] + 200, "y": box["y"] + 60}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').isTouched")
    held = strip.offset
    still = "(strip) => new Promise((done) => { let n = 30; const frame = () => n-- ? requestAnimationFrame(frame) : done(strip.offset); frame(); })"
    assert strip.evaluate(still) == pytest.approx(held, abs=2)


def test_turning_on_the_marquee_moves_nothing_else_and_it_runs(open_strip):
    strip = open_strip("albums")
    before = strip.element.bounding_box()
    switches(strip.page).get_by_label("Marquee").click()
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').offset > 5")
    assert strip.element.bounding_box() == before
    expect(strip.page.get_by_role("button", name="Pause")).to_be_in_viewport()


def test_a_marquee_goes_on_after_a_tap(open_page):
    page = open_page("/galleries/cards.html", has_touch=True, is_mobile=True, viewport={"width": 400, "height": 800})
    strip = Strip(page, "albums")
    strip.arrive()
    page.get_by_label("Marquee").tap()
    page.wait_for_function("() => document.querySelector('carousel-strip').offset > -20")
    box = strip.element.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 60)
    page.wait_for_function("() => document.querySelector('carousel-strip').selected")
    for _ in range(2):
        offset = strip.offset
        page.wait_for_function("(offset) => document.querySelector('carousel-strip').offset > offset + 20", arg=offset)


def test_a_marquee_lets_a_step_end(open_page):
    page = open_page("/?strip=albums", reduced_motion="no-preference", has_touch=True, is_mobile=True, viewport={"width": 400, "height": 800})
    strip = made_with(page, "albums", controls="previous", loop="")
    strip.evaluate("(strip) => { strip.autoplay = 'marquee 100' }")
    ahead = "(offset) => document.querySelector('carousel-strip').offset > offset"
    page.wait_for_function(ahead, arg=20)
    offset = strip.offset
    page.get_by_role("button", name="Previous").tap()
    page.wait_for_function("(offset) => document.querySelector('carousel-strip').offset < offset", arg=offset - 200)
    page.wait_for_function(ahead, arg=strip.offset + 50)
