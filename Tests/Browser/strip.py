"""What the tests ask of a strip in a page, and of the server about it."""

from threading import Event
from time import monotonic

from playwright.sync_api import expect

LIMIT = 60  # seconds after which an answer of a page or a server is given up: no busy machine takes so long

# A question to an element of the page: an answer, or an error within the limit.
BOUNDED = """(element, argument) => Promise.race([
  (async () => (%%s)(element, argument))(),
  new Promise((_, fail) => setTimeout(() => fail(new Error("no answer within %d s")), %d)),
])""" % (LIMIT, LIMIT * 1000)

# Counts elements made by any means, and those put into or taken out of the document; one that is moved in it is
# neither.
WATCH = """
window.made = { created: 0, added: 0, removed: 0 };
for (const [prototype, name] of [
  [Document.prototype, "createElement"], [Document.prototype, "createElementNS"],
  [Document.prototype, "importNode"], [Node.prototype, "cloneNode"],
]) {
  const original = prototype[name];
  prototype[name] = function (...rest) { window.made.created += 1; return original.apply(this, rest); };
}
const known = new Set(document.querySelectorAll("*"));
new MutationObserver((changes) => {
  for (const { addedNodes, removedNodes } of changes) {
    for (const node of addedNodes) {
      if (!known.has(node)) window.made.added += 1;
      known.add(node);
    }
    for (const node of removedNodes) {
      if (node.isConnected) continue;
      window.made.removed += 1;
      known.delete(node);
    }
  }
}).observe(document, { childList: true, subtree: true });

// What the machine did, as seen from outside: nodes there, those made here, those used for another item.
const uses = new WeakMap();
const shown = new WeakMap();
document.addEventListener("willdisplay", ({ target, detail: { item, node } }) => {
  if ((shown.get(node) ?? item.id) !== item.id) uses.set(target, (uses.get(target) ?? 0) + 1);
  shown.set(node, item.id);
});
// Strips that have told that they are at rest where they begin.
window.arrived = new WeakSet();
document.addEventListener("settle", ({ target }) => window.arrived.add(target));

customElements.whenDefined("carousel-strip").then((type) => Object.defineProperty(type.prototype, "figures", {
  get() {
    const nodes = this.querySelectorAll("li").length;
    const { pools = {}, pool = 0 } = this.items[0]?.fields ? this.head : {};
    const made = nodes - this.querySelectorAll("li[data-start]").length;
    return { nodes, made, reuses: uses.get(this) ?? 0, pools, pool };
  },
}));
"""

# The cards that can be seen, as they stand in the strip's box.
VISIBLE = """(strip) => {
  const box = strip.getBoundingClientRect();
  return [...strip.querySelectorAll("li")]
    .map((node) => ({ node, place: node.getBoundingClientRect() }))
    .filter(({ node, place }) =>
      node.checkVisibility() && place.right > box.left + 1 && place.left < box.right - 1)
    .sort((one, other) => one.place.left - other.place.left)
    .map(({ node, place }) => ({
      index: Number(node.dataset.index), id: node.dataset.id, slot: node.dataset.slot,
      x: place.left - box.left - strip.clientLeft, size: place.width,
      title: (node.querySelector(".title, .banner") ?? node.querySelector(".mark")).textContent,
    }));
}"""

# At rest is what neither moves nor is to, shows all that belongs into view, and shows it as the attributes ask.
AT_REST = """async (strip) => {
  const frame = () => new Promise(requestAnimationFrame);
  const asks = (name, is) => !strip.hasAttribute(name) || is(strip.getAttribute(name));
  const isWhole = ({ head, items }) => items.length && items.every((item) => item.fields) &&
    asks("strip", (name) => name === head.strip) && asks("height", (px) => +px === head.height) && asks("loop", () => head.wrap);
  let former, same = 0;
  while (same < 3) {
    await frame();
    const isStill = strip.offset === former && strip.offset === strip.goal;
    same = isStill && !strip.isWaiting && isWhole(strip) ? same + 1 : 0;
    former = strip.offset;
  }
}"""

# The same of one that begins: at an item too, which it has to ask for.
ARRIVED = f"""async (strip) => {{
  while (!window.arrived.has(strip)) await new Promise(requestAnimationFrame);
  await ({AT_REST})(strip);
}}"""

SCROLL = """async (strip, { count, every }) => {
  const frame = () => new Promise(requestAnimationFrame);
  const visible = %s;
  const stops = [];
  let most = {};
  for (let step = 1; step <= count; step += 1) {
    strip.scrollBy({ left: strip.clientWidth, behavior: "instant" });
    do await frame(); while (strip.isWaiting);
    await frame();
    for (const node of strip.querySelectorAll("li")) node.dataset.kind in most || (most[node.dataset.kind] = 0);
    for (const kind in most) {
      most[kind] = Math.max(most[kind], strip.querySelectorAll(`li[data-kind="${kind}"]`).length);
    }
    if (step %% every === 0) stops.push({ offset: strip.offset, cards: visible(strip) });
  }
  return { stops, most };
}""" % VISIBLE


def poll(condition, complaint):
    """Tests a condition every few milliseconds until it holds. Fails with the `complaint()` at the limit."""
    pause, deadline = Event(), monotonic() + LIMIT
    while not condition():
        assert monotonic() < deadline, complaint()
        pause.wait(0.01)


def must_match(items, cards, offset, width, device_px=1.0):
    """The cards in view at an offset are those of the `items` that the server puts there: item, place, size, title."""
    seen = [item for item in items if item["start"] + item["size"] > offset + 1 and item["start"] < offset + width - 1]
    assert [card["id"] for card in cards] == [item["id"] for item in seen]
    for card, item in zip(cards, seen):
        assert card["index"] == item["index"]
        assert card["title"] == item["fields"]["title"]
        assert abs(card["x"] - (item["start"] - offset)) <= device_px, item
        assert abs(card["size"] - item["size"]) <= 1 / 16, item


class Strip:
    """The `<carousel-strip>` of a page."""

    def __init__(self, page, name, nth=None):
        self.page = page
        self.name = name
        self.element = page.locator("carousel-strip")
        if nth is not None:
            self.element = self.element.nth(nth)

    def evaluate(self, script, argument=None):
        """What the function `script` makes of the strip and `argument`; a promise is waited for, up to the limit."""
        return self.element.evaluate(BOUNDED % script, argument)

    def settle(self):
        """Waits until the strip stands still and all that belongs into view is there."""
        self.evaluate(AT_REST)

    def arrive(self):
        """Waits until the strip is at rest where it begins."""
        self.evaluate(ARRIVED)

    @property
    def offset(self):
        return self.evaluate("(strip) => strip.offset")

    @property
    def width(self):
        return self.evaluate("(strip) => strip.clientWidth")

    @property
    def figures(self):
        return self.evaluate("(strip) => strip.figures")

    @property
    def made(self):
        return self.page.evaluate("() => window.made")

    def visible(self):
        return self.evaluate(VISIBLE)

    def scroll(self, viewports, every=10):
        """Scrolls by so many viewports; returns what was seen at every so many stops, and the most nodes by kind."""
        return self.evaluate(SCROLL, {"count": viewports, "every": every})

    def scroll_to(self, **place):
        self.evaluate("(strip, place) => strip.scrollTo(place)", place)
        self.settle()

    def after(self, type, act):
        """Does something, and waits for the event that it brings about, and for rest."""
        self.evaluate("(strip, type) => { window.came = false; strip.addEventListener(type, () => (window.came = true), { once: true }) }", type)
        act()
        self.page.wait_for_function("() => window.came", timeout=LIMIT * 1000)
        self.settle()

    def rest(self, act):
        """Does something, and waits for the strip to tell that it is at rest after it."""
        self.after("settle", act)

    def by(self, px):
        """Scrolls by `px`, all at once."""
        self.rest(lambda: self.evaluate("(strip, px) => strip.scrollBy({ left: px, behavior: 'instant' })", px))

    def await_edition_after(self, revision):
        """Waits until the server has followed what another process wrote; returns the revision that it has then."""
        poll(lambda: self.window()["revision"] != revision, lambda: f"the server still has revision {revision}")
        return self.window()["revision"]

    def await_titles(self):
        """Waits until the scrubbers of the page have the titles of the strip's groups: elements that come late, but once."""
        if self.page.request.get(f"/strips/{self.name}/groups").json()["groups"]:
            self.page.wait_for_function("() => [...document.querySelectorAll('[part=titles]')].every((one) => one.hasChildNodes())")

    def nodes(self, kind=None):
        return self.element.locator(f'li[data-kind="{kind}"]' if kind else "li").count()

    def card(self, index):
        return self.element.locator(f'li[data-index="{index}"]')

    def window(self, **query):
        """What the server answers, asked directly."""
        answer = self.page.request.get("/window", params={"strip": self.name, **query})
        expect(answer).to_be_ok()
        return answer.json()

    def must_show(self, offset, cards, device_px=1.0):
        """The cards in view are those that the server's arithmetic puts there: item, place, size, title."""
        must_match(self.window(offset=offset, width=self.width)["items"], cards, offset, self.width, device_px)

    def must_be_right(self):
        self.must_show(self.offset, self.visible())
