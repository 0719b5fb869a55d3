"""A list, a grid or rows in a page of any browser, its server, and the assertions about both."""

import json
from urllib.parse import urlencode
from urllib.request import urlopen

from anywhere import StripInEngine
from strip import AT_REST, LIMIT, MADE, NOTE_SETTLED, STYLED

PAGE = """<!doctype html><html lang="en" dir="%(dir)s"><meta charset="utf-8"><title>Wall</title><link rel="icon" href="data:,">%(head)s
<style>body { margin: 20px } header { height: 200.5px } footer { height: 300px } %(css)s</style>
<header>Before</header>%(element)s<footer>After</footer>
<script>%(script)s</script><script>""" + NOTE_SETTLED + """</script>
<script type="module" src="%(address)s/js/embed.js"></script>"""

SETTLE = f"""async (strip) => {{
  await customElements.whenDefined("carousel-strip");
  const isRearranged = () => strip.axis.isVertical && strip.meta?.sizesKey === JSON.stringify(strip.axis.query);
  while (!isRearranged()) await new Promise(requestAnimationFrame);
  await ({AT_REST})(strip);
}}"""

# What is in view: the state of the strip, and its cards, relative to the top of what scrolls and the start of the content.
STATE = """(strip) => {
  const isFlow = strip.viewport.hasAttribute("data-flow");
  const content = strip.querySelector("ul").getBoundingClientRect();
  const box = strip.viewport.getBoundingClientRect();
  const [top, bottom] = isFlow ? [0, document.documentElement.clientHeight] : [box.top, box.bottom];
  const cards = [...strip.querySelectorAll("li:not([hidden])")]
    .map((node) => [node, node.getBoundingClientRect()])
    .filter(([node, place]) => node.checkVisibility() && place.bottom > top + 1 && place.top < bottom - 1)
    .map(([node, place]) => ({
      index: +node.dataset.index, id: node.dataset.id, slot: node.dataset.slot,
      x: strip.direction > 0 ? place.left - content.left : content.right - place.right,
      y: place.top - top, width: place.width, height: place.height,
      title: (node.querySelector(".title") ?? node.querySelector(".mark")).textContent,
    }))
    .sort((one, other) => one.index - other.index);
  const { revision, pool, count, extent, view } = strip.meta;
  return { isFlow, cards, offset: strip.offset, viewportSize: strip.viewportSize, revision, pool, count, extent, view, query: strip.axis.query };
}"""


class Wall(StripInEngine):
    """The first `<carousel-strip>` of a page that `engine` shows. `elsewhere` serves pages of another origin."""

    SETTLE = SETTLE

    def __init__(self, engine, elsewhere, address, density=1):
        self.engine, self.elsewhere, self.address = engine, elsewhere, address
        self.device_px = 1 / density

    def open(self, strip="wall", css="", dir="ltr", script="", head="", element=None, settle=True, **attributes):
        """Opens a page with a strip of these attributes, or this `element`, between a header of 200.5 px and a footer."""
        spelled = "".join(f' {name}="{value}"' for name, value in attributes.items())
        element = element or f'<carousel-strip strip="{strip}" aria-label="Wall"{spelled}></carousel-strip>'
        page = PAGE % {"dir": dir, "css": css, "head": head, "element": element, "address": self.address, "script": script}
        self.engine.goto(self.elsewhere(page))
        if settle:
            self.settle()
            self.evaluate(STYLED)
            self.settle()
        return self

    def watch(self):
        """Counts the elements that are created, added and removed from now on."""
        self.evaluate(MADE)

    @property
    def made(self):
        return self.evaluate(MADE)

    @property
    def state(self):
        return self.evaluate(STATE)

    @property
    def offset(self):
        return self.evaluate("(strip) => strip.offset")

    @property
    def focused(self):
        return self.evaluate("() => Number(document.activeElement.dataset.index)")

    def card(self, index):
        """The place of a card that is in view."""
        return next(card for card in self.state["cards"] if card["index"] == index)

    def press(self, key):
        self.engine.press(key)
        self.settle()

    def scroll_to(self, **place):
        self.evaluate("(strip, place) => strip.scrollTo(place)", place)
        self.settle()

    def by(self, px):
        """Scrolls what scrolls the strip by `px`, and waits for rest."""
        self.evaluate("(strip, px) => strip.axis.scrollTo(strip.axis.readPosition() + px, 'instant')", px)
        self.evaluate("() => new Promise(requestAnimationFrame)")
        self.settle()

    def set(self, **attributes):
        self.evaluate("(strip, all) => Object.entries(all).forEach(([name, value]) => strip.setAttribute(name, value))", attributes)

    def get(self, path, **query):
        known = {name: value for name, value in query.items() if value is not None}
        with urlopen(f"{self.address}/{path}?{urlencode(known)}", timeout=LIMIT) as answer:
            return json.load(answer)

    def window(self, state=None, **query):
        """The answer of the server's `/window`, arranged as the element's."""
        state = state or self.state
        strip = self.evaluate("(strip) => strip.meta.strip")
        return self.get("window", **{"strip": strip, **(state.get("view") or {}), **state["query"], **query})

    def must_be_right(self):
        """The cards in view are those of the server's window: item, place, size and title. Returns the state."""
        state = self.state
        offset, size = state["offset"], state["viewportSize"]
        found = self.window(state, offset=offset, height=size, revision=state["revision"])["items"]
        items = [one for one in found if one["start"] + one["size"] > offset + 1 and one["start"] < offset + size - 1]
        assert [card["id"] for card in state["cards"]] == [item["id"] for item in items]
        for card, item in zip(state["cards"], items):
            assert card["title"] == item["fields"]["title"]
            assert abs(card["y"] - (item["start"] - offset)) <= self.device_px, item
            assert abs(card["x"] - item["x"]) <= self.device_px, item
            assert abs(card["width"] - item["width"]) <= 1 / 16 and abs(card["height"] - item["size"]) <= 1 / 8, item  # rectangles are 32-bit floats
        return state
