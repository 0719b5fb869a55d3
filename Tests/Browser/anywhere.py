"""A strip in a page of any browser, its server, and the assertions about both."""

import json
from urllib.parse import urlencode
from urllib.request import urlopen

from strip import AT_REST, AWAIT_MOVEMENT, LIMIT, MADE, VISIBLE, lenient, must_match

SETTLE = f"async (strip) => {{ await customElements.whenDefined('carousel-strip'); await ({AT_REST})(strip); }}"

# Replaces the strip of the demo page by one with other attributes, and sets the page's direction.
REPLACE = """async (strip, { name, dir, attributes }) => {
  await customElements.whenDefined("carousel-strip");
  document.documentElement.dir = dir;
  const made = document.createElement("carousel-strip");
  made.append(...[...strip.querySelectorAll("template")].map((one) => one.cloneNode(true)));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.strip = name;
  strip.replaceWith(made);
}"""


# Whether the strip moves within ten seconds. Chromium can lose a turn of the wheel on a busy machine.
MOVES = """async () => {
  const end = performance.now() + 10_000;
  while (!window.moves() && performance.now() < end) await new Promise(requestAnimationFrame);
  return window.moves();
}"""


class StripInEngine:
    """The first strip of a page that `engine` shows. SETTLE waits until it has drawn what is in view."""

    def evaluate(self, script, argument=None):
        return self.engine.evaluate(script, argument)

    def settle(self):
        self.evaluate(self.SETTLE)

    def wait_until(self, condition, argument=None):
        """Waits until the function `condition` of the strip and `argument` returns true. Tests it in every frame."""
        self.evaluate(f"async (...all) => {{ while (!({lenient(condition)})(...all)) await new Promise(requestAnimationFrame); }}", argument)


class StripAnywhere(StripInEngine):
    """The strip of the demo page, served at `address`."""

    SETTLE = SETTLE

    def __init__(self, engine, address, name, density):
        self.engine = engine
        self.address = address
        self.name = name
        self.device_px = 1 / density
        self.sign = 1

    def open(self, more=""):
        self.engine.goto(f"{self.address}/?strip={self.name}{more}")
        self.settle()

    def replace(self, dir="ltr", **attributes):
        """Replaces the strip by one with these attributes, in a page of direction `dir`."""
        self.sign = -1 if dir == "rtl" else 1
        self.evaluate(REPLACE, {"name": self.name, "dir": dir, "attributes": attributes})
        self.settle()

    def rest(self, act):
        """Calls `act`, which moves the strip or changes its view, and waits until the strip has settled there."""
        self.settle()
        self.evaluate(AWAIT_MOVEMENT)
        act()
        self.evaluate("() => window.movement")
        self.settle()

    def wheel(self, px):
        """Turns the wheel over the strip by `px`, and waits until the strip is at rest."""
        x, y = self.point(0.5)

        def turn():
            self.engine.wheel(x, y, self.sign * px)
            if not self.evaluate(MOVES):
                self.engine.wheel(x, y, self.sign * px)

        self.rest(turn)

    def press(self, key):
        self.rest(lambda: self.engine.press(key))

    def focus(self, index):
        self.evaluate("(strip, index) => strip.nodeOf(index).focus()", index)

    @property
    def focused(self):
        return self.evaluate("() => Number(document.activeElement.dataset.index)")

    def scroll_to(self, **place):
        self.evaluate("(strip, place) => strip.scrollTo(place)", place)
        self.settle()

    def point(self, share):
        """A point over the strip's cards, at a `share` of its width."""
        box = self.evaluate("(strip) => strip.querySelector('ul').parentElement.getBoundingClientRect().toJSON()")
        return round(box["x"] + share * box["width"]), round(box["y"] + 60)

    @property
    def offset(self):
        return self.evaluate("(strip) => strip.offset")

    @property
    def width(self):
        return self.evaluate("(strip) => strip.clientWidth")

    def visible(self):
        """The cards in view, in order. `x` is the distance from the leading edge, in px."""
        cards = self.evaluate(VISIBLE)
        if self.sign > 0:
            return cards
        width = self.evaluate("(strip) => strip.getBoundingClientRect().width")  # clientWidth is rounded
        return [{**card, "x": width - card["x"] - card["size"]} for card in reversed(cards)]

    def window(self, **query):
        """The answer of the server's `/window`, at the strip's height: a page can have another on a telephone."""
        height = self.evaluate("(strip) => strip.axis.isVertical ? null : strip.meta?.height")
        query = {"strip": self.name, **({"height": height} if height else {}), **query}
        with urlopen(f"{self.address}/window?{urlencode(query)}", timeout=LIMIT) as answer:
            return json.load(answer)

    def await_titles(self):
        """Waits until the page's scrubber has the titles of the groups. They are created late, and only once."""
        self.evaluate("async () => { while (!document.querySelector('[part=titles]').hasChildNodes()) await new Promise(requestAnimationFrame); }")

    def watch(self):
        """Counts the elements that are created, added and removed from now on."""
        self.evaluate(MADE)

    @property
    def made(self):
        return self.evaluate(MADE)

    def must_stand_at(self, offset):
        """The strip is at an offset, exact to a device px, and shows the right cards."""
        assert abs(self.offset - offset) <= self.device_px
        self.must_be_right()

    def must_be_right(self):
        offset, width = self.offset, self.width
        must_match(self.window(offset=offset, width=width)["items"], self.visible(), offset, width, self.device_px)
