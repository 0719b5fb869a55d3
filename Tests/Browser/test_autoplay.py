"""Autoplay by steps, and the marquee."""

import pytest

from cases import case
from strip import Strip
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


def made_with_marquee(page, speed):
    """A strip with a marquee, which is never at rest."""
    page.evaluate("""(speed) => {
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
    }""", speed)
    return Strip(page, "albums")


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
