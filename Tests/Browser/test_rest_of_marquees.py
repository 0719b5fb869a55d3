"""A marquee that stops, and where strips with `inset="center"` start."""

import pytest

from test_host_pages import show  # noqa: F401, a fixture

STRIP = '<carousel-strip strip="albums" snap="start" autoplay="marquee 400"></carousel-strip>'
# Waits until the marquee has moved, ends it, and returns how far the aligned item is off when the strip settles.
ENDED = """async (strip) => {
  while (!(strip.offset > 150)) await new Promise(requestAnimationFrame);
  let rests = 0;
  strip.addEventListener("rest", () => (rests += 1));
  const settled = new Promise((go) => strip.addEventListener("settle", go, { once: true }));
  strip.removeAttribute("autoplay");
  await settled;
  return [Math.abs(strip.offsetOf(strip.current) - strip.offset) < 1, rests > 0];
}"""


@pytest.mark.alone
def test_a_marquee_that_stops_comes_to_rest_at_an_item(show):
    strip = show(STRIP.replace(' autoplay="marquee 400"', ""), "albums")
    strip.evaluate("(strip) => { strip.autoplay = 'marquee 400' }")
    assert strip.evaluate(ENDED) == [True, True]


CENTERED = "(strip) => { const item = strip.current; return [item.index, Math.abs(item.start + item.size / 2 - strip.offset - strip.viewportSize / 2) < 1] }"


def test_a_strip_with_a_centered_inset_starts_at_its_first_item_in_each_view(show):
    strip = show('<carousel-strip strip="elements" snap="center" inset="center"></carousel-strip>', "elements")
    strip.wait_until(f"(strip) => {{ const [index, isCentered] = ({CENTERED})(strip); return !index && isCentered }}")
    strip.rest(lambda: strip.evaluate("(strip) => { strip.sort = '-number' }"))
    assert strip.evaluate(CENTERED) == [0, True]
    strip = show('<carousel-strip strip="elements" inset="center"></carousel-strip>', "elements")
    assert strip.evaluate("(strip) => [strip.offset, strip.items[0].index]") == [-strip.evaluate("(strip) => strip.viewportSize / 2"), 0]
