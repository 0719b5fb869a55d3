"""A strip in a page of any browser: what is asked of it, of its server, and what must hold."""

import json
from urllib.parse import urlencode
from urllib.request import urlopen

from strip import AT_REST, LIMIT, VISIBLE, WATCH, must_match

SETTLE = f"async (strip) => {{ await customElements.whenDefined('carousel-strip'); await ({AT_REST})(strip); }}"

# Puts a strip with attributes of one's own in the place of the demo page's; the page runs as `dir` says.
REPLACE = """async (strip, { name, dir, attributes }) => {
  await customElements.whenDefined("carousel-strip");
  document.documentElement.dir = dir;
  const made = document.createElement("carousel-strip");
  made.append(...[...strip.querySelectorAll("template")].map((one) => one.cloneNode(true)));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.strip = name;
  strip.replaceWith(made);
}"""

LISTEN = """(strip) => {
  window.settled = new Promise((go) => strip.addEventListener("settle", go, { once: true })).then(() => true);
}"""


class StripAnywhere:
    """The strip of a page that `engine` shows, served at `address`."""

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
        """Another strip of the same name, with these attributes, in a page that runs from left to right or `rtl`."""
        self.sign = -1 if dir == "rtl" else 1
        self.evaluate(REPLACE, {"name": self.name, "dir": dir, "attributes": attributes})
        self.settle()

    def evaluate(self, script, argument=None):
        return self.engine.evaluate(script, argument)

    def settle(self):
        self.evaluate(SETTLE)

    def wait_until(self, condition, argument=None):
        """Waits until the function `condition` of the strip and `argument` returns true. Tests it in every frame."""
        self.evaluate(f"async (strip, argument) => {{ while (!({condition})(strip, argument)) await new Promise(requestAnimationFrame); }}", argument)

    def rest(self, act):
        """Does something, and waits until the strip tells that it is at rest after it."""
        self.evaluate(LISTEN)
        act()
        self.evaluate("() => window.settled")
        self.settle()

    def wheel(self, px):
        """Turns the wheel over the strip, onwards by `px`, until the strip is at rest."""
        x, y = self.point(0.5)
        self.rest(lambda: self.engine.wheel(x, y, self.sign * px))

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
        """A point over the strip's cards, at a share of its width."""
        box = self.evaluate("(strip) => strip.querySelector('ul').parentElement.getBoundingClientRect().toJSON()")
        return round(box["x"] + share * box["width"]), round(box["y"] + 60)

    @property
    def offset(self):
        return self.evaluate("(strip) => strip.offset")

    @property
    def width(self):
        return self.evaluate("(strip) => strip.clientWidth")

    def visible(self):
        """The cards in view from the leading edge on, each `x` px from it."""
        cards = self.evaluate(VISIBLE)
        if self.sign > 0:
            return cards
        width = self.evaluate("(strip) => strip.getBoundingClientRect().width")  # clientWidth is rounded
        return [{**card, "x": width - card["x"] - card["size"]} for card in reversed(cards)]

    def window(self, **query):
        """What the server answers, asked directly."""
        with urlopen(f"{self.address}/window?{urlencode({'strip': self.name, **query})}", timeout=LIMIT) as answer:
            return json.load(answer)

    def await_titles(self):
        """Waits until the page's scrubber has the titles of the strip's groups: elements that come late, but once."""
        self.evaluate("async () => { while (!document.querySelector('[part=titles]').hasChildNodes()) await new Promise(requestAnimationFrame); }")

    def watch(self):
        """Counts elements from now on: those made, added to and removed from the document."""
        self.evaluate(f"() => {{ {WATCH} }}")

    @property
    def made(self):
        return self.evaluate("() => window.made")

    def must_stand_at(self, offset):
        """It is scrolled to an offset, to a device px, and all that is in view is right."""
        assert abs(self.offset - offset) <= self.device_px
        self.must_be_right()

    def must_be_right(self):
        offset, width = self.offset, self.width
        must_match(self.window(offset=offset, width=width)["items"], self.visible(), offset, width, self.device_px)
