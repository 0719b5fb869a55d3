"""A strip in a page, its server, and the assertions about both."""

import re
from threading import Event
from time import monotonic

from playwright.sync_api import expect

LIMIT = 60  # seconds to wait for an answer of a page or a server

# Evaluates a function of an element, with an error at the limit.
BOUNDED = """(element, argument) => Promise.race([
  (async () => (%%s)(element, argument))(),
  new Promise((_, fail) => setTimeout(() => fail(new Error("no answer within %d s")), %d)),
])""" % (LIMIT, LIMIT * 1000)


def lenient(condition):
    """A function that returns the result of the function `condition`, and false where that fails: what it reads is not there yet."""
    return f"(...all) => {{ try {{ return ({condition})(...all); }} catch {{ return false; }} }}"


# Notes the offsets at which strips have settled with what they show, for AT_REST.
NOTE_SETTLED = """
window.settled = new WeakMap();
document.addEventListener("settle", ({ target }) => window.settled.set(target, target.offset));
document.addEventListener("reload", ({ target }) => window.settled.delete(target));
"""

# Counts the elements that are created, added to the document, and removed from it, from the first call on. A moved element does
# not count.
MADE = """() => {
  if (window.made) return window.made;
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
  return window.made;
}"""

# Notes what strips have done and what they use. Random delays have their least length: an edit would be drawn up to a second later.
WATCH = NOTE_SETTLED + """
Math.random = () => 0;

// Counts the nodes, those created in the browser, and the reuses of a node for another item.
const uses = new WeakMap();
const shown = new WeakMap();
document.addEventListener("willdisplay", ({ target, detail: { item, node } }) => {
  if ((shown.get(node) ?? item.id) !== item.id) uses.set(target, (uses.get(target) ?? 0) + 1);
  shown.set(node, item.id);
});
// The errors that no listener has handled.
window.errors = [];
addEventListener("error", ({ message }) => window.errors.push(message));
addEventListener("unhandledrejection", ({ reason }) => window.errors.push(String(reason)));
// The strips that have come to rest at their initial position.
window.arrived = new WeakSet();
document.addEventListener("settle", ({ target }) => window.arrived.add(target));

customElements.whenDefined("carousel-strip").then((type) => Object.defineProperty(type.prototype, "figures", {
  get() {
    const nodes = this.querySelectorAll("li").length;
    const { pools = {}, pool = 0 } = this.items[0]?.fields ? this.meta : {};
    const made = nodes - this.querySelectorAll("li[data-start]").length;
    return { nodes, made, reuses: uses.get(this) ?? 0, pools, pool };
  },
}));
"""

# The visible cards, relative to the strip's box.
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

# Waits until the strip has not moved for three frames, plans no movement, shows all items in view with the positions of its
# attributes, and has settled there. The end of a smooth movement is reported some frames after its last step. A strip counts as
# settled after twenty frames if a page or a finger prevents the event, or if it stays in a shadow root.
AT_REST = """async (strip) => {
  await customElements.whenDefined("carousel-strip");
  const frame = () => new Promise(requestAnimationFrame);
  const asks = (name, is) => !strip.hasAttribute(name) || is(strip.getAttribute(name));
  const hasSize = ({ axis, height }, meta) =>
    axis.isVertical ? Math.abs(axis.query.width - meta.width) < 1 : axis.heightOf(meta) === meta.height && asks("height", () => height === meta.height);
  const isWhole = ({ meta, items }) => items.length && items.every((item) => item.fields) &&
    asks("strip", (name) => name === meta.strip) && hasSize(strip, meta) && asks("loop", () => meta.wrap);
  const hasSettled = () => !window.settled || Math.abs(window.settled.get(strip) - strip.offset) < 1;
  let former = strip.offset, same = 0;
  while (same < 3 || (same < 20 && !hasSettled())) {
    await frame();
    const isStill = strip.offset === former && strip.offset === strip.scrollTarget;
    same = isStill && !strip.isWaiting && isWhole(strip) ? same + 1 : 0;
    former = strip.offset;
  }
}"""

# Waits until the strip is at rest at its initial position, which may need a request.
ARRIVED = f"""async (strip) => {{
  while (!window.arrived.has(strip)) await new Promise(requestAnimationFrame);
  await ({AT_REST})(strip);
}}"""

# Notes when the strip has settled after it was at another offset, had another view, or was dragged. It also settles where it
# stands: at first, and when its windows are replaced, for which a pointer over it is enough.
AWAIT_MOVEMENT = """(strip) => {
  const state = () => JSON.stringify([strip.offset, strip.meta?.view]);
  const before = state();
  let hasMoved = false;
  const look = ({ type }) => (hasMoved ||= type === "panend" || state() !== before); // a strip that snaps can return
  for (const type of ["scroll", "panend", "settle"]) strip.addEventListener(type, look);
  window.moves = () => hasMoved;
  window.movement = new Promise((go) => strip.addEventListener("settle", () => hasMoved && go(true)));
}"""

# Waits until the style sheets of the strip, its page and its parts are loaded. None of them delays its cards.
STYLED = """async (strip) => {
  await customElements.whenDefined("carousel-strip");
  await Promise.all([strip.getRootNode(), strip.shadowRoot].flatMap((root) => root.adoptedStyleSheets.map(({ loaded }) => loaded)));
}"""

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


# An idle period of the page, and the frames in which a strip draws what has arrived by then. The limit is for Chromium: while nothing
# is drawn, it can lose the callback.
IDLE = """async () => {
  await new Promise((go) => requestIdleCallback(go, { timeout: 1000 }));
  for (let k = 0; k < 5; k += 1) await new Promise(requestAnimationFrame);
}"""


def serve(page, path, html):
    """Answers the requests of a page for a document."""
    if hasattr(page, "serve"):
        page.serve(path, html)
    else:
        page.route(f"**{path}*", lambda route: route.fulfill(content_type="text/html", body=html))


def show(page, body, head=""):
    """Shows a document of the same server with the element's script."""
    serve(page, "/one", f'<!doctype html><html lang="en"><title>One</title>{head}<script type="module" src="/js/embed.js"></script>{body}')
    page.goto("/one")


def poll(condition, complaint):
    """Checks a condition every few milliseconds until it holds. At the limit, fails with the message `complaint()`."""
    pause, deadline = Event(), monotonic() + LIMIT
    while not condition():
        assert monotonic() < deadline, complaint()
        pause.wait(0.01)


class Requests:
    """The addresses that a page requests from now on, if `pattern` is found in them."""

    def __init__(self, page, pattern):
        self.page, self.sent, self.running = page, [], set()
        page.on("request", lambda request: re.search(pattern, request.url) and self.begin(request))
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda request: self.running.discard(request))  # Playwright marks its handlers

    def begin(self, request):
        self.sent.append(request.url)
        self.running.add(request)

    def settle(self):
        """Waits until all are answered, and an idle period and some frames after the last answer bring no other."""
        count, deadline = None, monotonic() + LIMIT
        while count != len(self.sent) or self.running:
            assert monotonic() < deadline, [len(self.sent), *(request.url for request in self.running)]
            count = len(self.sent)
            self.page.evaluate(IDLE)


def switches(page):
    """The switches for plugins of the demo page. Opens their panel."""
    group = page.get_by_role("group", name="Scrolling options")
    if not group.is_visible():
        page.locator("summary", has_text="Scrolling options").click()
    return group


def must_match(items, cards, offset, width, device_px=1.0):
    """Asserts that the cards in view at an offset show the `items`, with the same position, size and title."""
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
        """Returns the result of the function `script` of the strip and `argument`. Awaits a promise, up to the limit."""
        return self.element.evaluate(BOUNDED % script, argument)

    def settle(self):
        """Waits until the strip is at rest and shows all items in view."""
        self.evaluate(AT_REST)

    def arrive(self):
        """Waits until the strip is at rest at its initial position."""
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
        return self.page.evaluate(MADE)

    def visible(self):
        return self.evaluate(VISIBLE)

    def scroll(self, viewports, every=10):
        """Scrolls by `viewports`. Returns the cards at every `every`th stop, and the greatest number of nodes of each kind."""
        return self.evaluate(SCROLL, {"count": viewports, "every": every})

    def scroll_to(self, **place):
        self.evaluate("(strip, place) => strip.scrollTo(place)", place)
        self.settle()

    def after(self, type, act):
        """Calls `act`, and waits for an event and for rest."""
        self.evaluate("(strip, type) => { window.came = false; strip.addEventListener(type, () => (window.came = true), { once: true }) }", type)
        act()
        self.page.wait_for_function("() => window.came", timeout=LIMIT * 1000)
        self.settle()

    def rest(self, act):
        """Calls `act`, which moves the strip or changes its view, and waits until the strip has settled there."""
        self.settle()
        self.evaluate(AWAIT_MOVEMENT)
        act()
        self.evaluate("() => window.movement")
        self.settle()

    def by(self, px):
        """Scrolls by `px` without animation, and waits for rest."""
        self.rest(lambda: self.evaluate("(strip, px) => strip.scrollBy({ left: px, behavior: 'instant' })", px))

    def await_revision_after(self, revision):
        """Waits until the server has a revision after `revision`, and returns it."""
        poll(lambda: self.window()["revision"] != revision, lambda: f"the server still has revision {revision}")
        return self.window()["revision"]

    def await_titles(self):
        """Waits until the page's scrubbers have the titles of the groups. They are created late, and only once."""
        if self.page.request.get(f"/strips/{self.name}/groups").json()["groups"]:
            self.page.wait_for_function("() => [...document.querySelectorAll('[part=titles]')].every((one) => one.hasChildNodes())")

    def nodes(self, kind=None):
        return self.element.locator(f'li[data-kind="{kind}"]' if kind else "li").count()

    def card(self, index):
        return self.element.locator(f'li[data-index="{index}"]')

    def window(self, **query):
        """The answer of the server's `/window`."""
        answer = self.page.request.get("/window", params={"strip": self.name, **query})
        expect(answer).to_be_ok()
        return answer.json()

    def must_show(self, offset, cards):
        """Asserts that the cards in view are those of the server's window at `offset`: item, position, size and title."""
        self.must_match([offset, cards, *self.evaluate("(strip) => [strip.clientWidth, strip.meta.height]")])

    def must_be_right(self):
        self.must_match(self.evaluate(f"(strip) => [strip.offset, ({VISIBLE})(strip), strip.clientWidth, strip.meta.height]"))

    def must_match(self, state):
        offset, cards, width, height = state
        must_match(self.window(offset=offset, width=width, height=height)["items"], cards, offset, width)
