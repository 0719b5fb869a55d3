"""Random calls, changes and events from before the element is defined, while scripts, style sheets and windows come late. Then
the right cards are shown. `SEEDS=200` tests more orders."""

import os
import random
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from engines.chromium import Chromium
from strip import AT_REST, LIMIT, VISIBLE, must_match
from wall import Wall

pytestmark = pytest.mark.alone

SEEDS = range(int(os.environ.get("SEEDS", 3)))
PATIENCE = 50_000  # ms until the strip must be at rest, also in a browser that a busy machine slows down
HELD = 0.3  # seconds that an answer is held back at most

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Any order</title><link rel="icon" href="data:,">
<style>body { margin: 20px } header { height: 200px } footer { height: 3000px }</style>
<header>Before</header><div id="home"></div><div id="other"></div><footer>After</footer>
<script>
  window.faults = [];
  for (const level of ["error", "warn"]) console[level] = (...said) => faults.push(said.join(" "));
  addEventListener("error", ({ message }) => message && !/^ResizeObserver/.test(message) && faults.push(message));
  addEventListener("unhandledrejection", ({ reason }) => faults.push(String(reason)));
  window.acted = (%(act)s)(%(seed)d);
</script>
<script type="module" src="%(address)s/js/embed.js"></script>"""

# Acts at random for some time. Then the strip is in the page, on the screen, and no finger touches it. Returns what it did.
ACT = """async (seed) => {
  const random = () => { // mulberry32
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const one = (...choices) => choices[Math.floor(random() * choices.length)];
  const names = one(["albums", "landscapes"], ["albums", "billion"]);
  const [home, other] = ["home", "other"].map((id) => document.getElementById(id));
  const strip = document.createElement("carousel-strip");
  const did = (window.did = []);
  const set = (name, ...values) => {
    const value = one(...values);
    did.push(`${name}=${value}`);
    if (value === null) strip.removeAttribute(name);
    else strip.setAttribute(name, value);
  };
  const call = (name, ...rest) => {
    did.push(`${name}(${rest.map((one) => JSON.stringify(one, (_, value) => (Object.is(value, +value) && !Number.isFinite(value) ? String(value) : value)))})`);
    strip[name]?.(...rest);
  };
  const isLoop = () => strip.hasAttribute("loop");
  const index = () => one(0, 3, 20, 49, 30_000, -5, NaN, 2.5, ...(isLoop() ? [] : [Infinity, -Infinity, 1e300]));
  const place = () => one(
    { index: index() }, { index: index(), align: one("start", "center", "end", "nearest") }, { index: 7, at: one(40, NaN) },
    { item: one("a7", "a30", "no such item") }, { offset: one(0, 300, 5000, 1e7, -50, Infinity, -Infinity, NaN, "400") },
  );
  const cards = () => [...strip.querySelectorAll("[data-index]")];
  const parts = (selector) => [...(strip.shadowRoot?.querySelectorAll(selector) ?? [])];
  const send = (target, type, more) => {
    did.push(type);
    target?.dispatchEvent(Object.assign(new Event(type, { bubbles: true, composed: true, cancelable: true }), more));
  };
  const acts = [
    () => set("strip", ...names),
    () => set("strip", ...names),
    () => set("layout", null, "strip", "list", "grid", ...(names.includes("billion") ? [] : ["rows"])), // and no rows
    () => set("layout", null, "list", "grid"),
    () => set("loop", null, null, ""),
    () => set("snap", null, "start", "center", "end near"),
    () => set("height", null, "120", "240"),
    () => set("inset", null, "40", "center"),
    () => set("q", null, ...(names.includes("billion") ? [] : ["a"])), // a long strip has no views
    () => set("sort", null, ...(names.includes("billion") ? [] : ["-width", "width"])),
    () => set("selection", null, "current", "none"),
    () => set("controls", null, "previous next", "previous scrubber next", "dots"),
    () => set("initial-index", null, "12", "1e9"),
    () => set("heading", null, "40"),
    () => set("columns", null, "3"),
    () => set("autoplay", null, "marquee 40", "300"),
    () => set("effects", null, ""),
    () => set("indicator", null, ""),
    () => set("style", "width: 50%", "width: 400px", "display: none", ""),
    () => set("style", "height: 500px", "", ""),
    () => { document.documentElement.dir = one("ltr", "rtl"); did.push(document.documentElement.dir); },
    () => { one(home, other).append(strip); did.push("append"); },
    () => { home.append(strip); did.push("append home"); },
    () => { strip.remove(); did.push("remove"); },
    () => call("scrollTo", { ...place(), behavior: one("auto", "smooth", "instant") }),
    () => call("scrollTo", { ...place(), behavior: one("auto", "smooth", "instant") }),
    () => call("scrollBy", { left: one(50, 700, -300), top: one(0, 400) }),
    () => call("select", index()),
    () => call("select", index()),
    () => call("deselect"),
    () => call("reload"),
    () => call("requestDraw"),
    () => call("kind", "card", { fill() {} }),
    () => { for (const name of ["clamp", "clampIndex"]) call(name, one(10, NaN, Infinity)); },
    () => { scrollTo(0, one(0, 100, 150, 500, 2000)); did.push(`page ${scrollY}`); },
    () => { one(...cards(), null)?.focus(); did.push("focus"); },
    () => { one(...cards(), null)?.click(); did.push("click"); },
    () => send(one(...cards()), "keydown", { key: one("End", "Home", "PageDown", "PageUp", "ArrowRight", "ArrowDown", "ArrowLeft", "Enter", " ") }),
    () => { one(...parts("button"), null)?.click(); did.push("button"); },
    () => { const [input] = parts("[part=scrubber]"); if (input && !input.disabled) { input.value = random(); send(input, "input"); } },
    () => { const [input] = parts("[part=scrubber]"); if (input && !input.disabled) send(input, "keydown", { key: one("PageDown", "PageUp") }); },
    () => send(strip, "touchstart", { touches: [{ identifier: 1 }], changedTouches: [{ identifier: 1 }] }),
    () => send(strip, "touchend", { touches: [], changedTouches: [] }),
    () => send(strip.viewport, "scrollend"),
    () => send(window, "resize"),
    () => send(window, "pointermove"),
  ];
  const check = () => {
    for (const name of ["offset", "scrollTarget", "maxOffset", "viewportSize"]) if (Number.isNaN(strip[name])) throw new Error(`${name} is NaN after ${did.slice(-3)}`);
    for (const px of [0, Infinity, -Infinity, NaN]) if (Number.isNaN(strip.clamp?.(px))) throw new Error(`clamp(${px}) is NaN after ${did.slice(-3)}`);
    void [strip.items, strip.loadedItems, strip.current, strip.selected, strip.isWaiting, strip.alignment, strip.mayRequest];
  };
  set("strip", ...names);
  if (random() < 0.7) home.append(strip);
  for (let left = 25; left; left -= 1) {
    one(...acts)();
    check();
    if (random() < 0.4) await new Promise((go) => setTimeout(go, random() * 120));
  }
  send(strip, "touchend", { touches: [], changedTouches: [] });
  for (const name of ["style", "autoplay"]) strip.removeAttribute(name);
  if (!strip.isConnected) home.append(strip);
  if (!/^(strip)?$/.test(strip.getAttribute("layout") ?? "")) strip.removeAttribute("loop"); // a layout has none
  setInterval(() => strip.isOnScreen || strip.scrollIntoView(), 500);
  return did;
}"""

SETTLE = f"""async (strip) => {{
  await window.acted;
  await customElements.whenDefined("carousel-strip");
  const is = (name) => (strip.meta.view?.[name] ?? null) === strip.getAttribute(name);
  const isVertical = () => (strip.layout ?? "strip") !== "strip";
  const isArranged = () => !strip.axis.isVertical === !isVertical() && (!isVertical() || (strip.meta.layout === strip.layout && strip.meta.width === strip.axis.query.width));
  const isStyled = () => getComputedStyle(strip).visibility === "visible"; // its style sheet is loaded
  const settle = async () => {{
    while (!(strip.meta && is("q") && is("sort") && isArranged() && isStyled())) await new Promise(requestAnimationFrame);
    await ({AT_REST})(strip);
    return "settled";
  }};
  const state = () => {{
    const {{ offset, scrollTarget, viewportSize, maxOffset, isWaiting, isTouched, isOnScreen, items }} = strip;
    return JSON.stringify({{ offset, scrollTarget, viewportSize, maxOffset, isWaiting, isTouched, isOnScreen, items: items.length, meta: {{ ...strip.meta, items: null }}, faults, html: strip.cloneNode().outerHTML }});
  }};
  return Promise.race([settle(), new Promise((go) => setTimeout(() => go(state()), {PATIENCE}))]);
}}"""


class Late(ThreadingHTTPServer):
    """Passes requests on to `address`, and holds each answer back for a random time, and those of the path `last` for longer.
    `refused` has the wrong requests, and those without an answer."""

    def __init__(self, address):
        super().__init__(("127.0.0.1", 0), Pass)
        self.address, self.draw, self.refused, self.last = address, random.Random(), [], None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def own(self):
        return f"http://127.0.0.1:{self.server_port}"


class Pass(BaseHTTPRequestHandler):
    def do_GET(self):
        wait, address = self.server.draw.uniform(0, HELD), self.server.address
        if self.path.partition("?")[0] == self.server.last:
            wait = 4 * HELD
        try:
            answer = urlopen(Request(address + self.path), timeout=LIMIT)
        except HTTPError as error:
            answer = error
        except OSError as error:
            self.server.refused.append(f"{error} {self.path}")
            return
        if answer.status >= 400 or "NaN" in self.path or "Infinity" in self.path:
            self.server.refused.append(f"{answer.status} {self.path}")
        body = answer.read()
        threading.Event().wait(wait)
        self.send_response(answer.status)
        for name in ("Content-Type", "Cache-Control", "Access-Control-Allow-Origin"):
            if value := answer.headers[name]:
                self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            pass  # the page has aborted the request

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def late(address):
    server = Late(address)
    yield server
    server.shutdown()


def must_be_right(wall):
    """The cards in view are those of the server's window."""
    if wall.evaluate("(strip) => !!strip.axis.isVertical"):
        return wall.must_be_right()
    state = wall.evaluate(f"""(strip) => {{
      const {{ strip: name, view, height, wrap, revision }} = strip.meta;
      const box = strip.getBoundingClientRect();
      const query = {{ strip: name, ...view, height, wrap, revision, offset: strip.offset, width: strip.clientWidth }};
      return {{ query, direction: strip.direction, box: box.width, cards: ({VISIBLE})(strip) }};
    }}""")
    query, cards = state["query"], state["cards"]
    if state["direction"] < 0:
        cards = [{**card, "x": state["box"] - card["x"] - card["size"]} for card in reversed(cards)]
    items = wall.get("window", **{**query, "wrap": str(query["wrap"]).lower()})["items"]
    must_match(items, cards, query["offset"], query["width"])


# Calls before the first window arrives, and what the strip then is.
EARLY = {
    "strip.select(Infinity)": "strip.selected.index === 49",
    "strip.scrollTo({ offset: Infinity })": "strip.offset === strip.maxOffset",
    "strip.shadowRoot.querySelector('[part=step]:nth-of-type(2)').click()": "strip.offset === strip.clientWidth",
    "if (!strip.shadowRoot.querySelector('[part=scrubber]').disabled) throw 'a slider without a strip'": "strip.offset === 0",
}
CALL = """async () => {
  let send; // the request of the first window, after the call
  const isCalled = new Promise((go) => (send = go));
  const original = window.fetch;
  window.fetch = async (url, ...rest) => {
    if (String(url).includes("/window?")) await isCalled;
    return original(url, ...rest);
  };
  const strip = document.createElement("carousel-strip");
  Object.assign(strip, { strip: "albums", controls: "previous next scrubber" });
  document.getElementById("home").append(strip);
  await customElements.whenDefined("carousel-strip");
  while (!strip.shadowRoot.querySelector("[part=scrubber]")) await new Promise(requestAnimationFrame);
  %s;
  send();
}"""


@contextmanager
def acting(engine, elsewhere, late, act, last=None):
    """Yields the strip of a page that has run the function `act`, at rest. The file `last` is loaded after the others. At the end,
    no request was refused, and no error logged."""
    late.refused.clear()
    late.last = last
    with engine.show(1000, 700, 1):
        engine.goto(elsewhere(PAGE % {"act": act, "seed": 0, "address": late.own}))
        wall = Wall(engine, elsewhere, late.address)
        wall.evaluate("() => window.acted")
        assert wall.evaluate(SETTLE) == "settled"
        yield wall
        assert wall.evaluate("() => window.faults") == []
        assert late.refused == []


@pytest.mark.parametrize("call", EARLY)
def test_a_call_before_the_first_window_asks_for_what_there_is(launched, elsewhere, late, call):
    with acting(launched(Chromium), elsewhere, late, CALL % call) as wall:
        wall.wait_until(f"(strip) => {EARLY[call]}")
        must_be_right(wall)


# Attributes of a strip that is not at its front at first, and calls that lead away from there.
PLACED = {
    "strip.initialIndex = 20": "strip.current.index === 20",
    "strip.scrollTo({ index: 20 })": "strip.current.index === 20",
    "strip.scrollTo({ offset: Infinity })": "strip.offset === strip.maxOffset",
    "strip.setAttribute('style', 'height: 400px'); strip.layout = 'list'; strip.scrollTo({ index: 20 })": "strip.current.index === 20",
}
PLACE = """async () => {
  const strip = document.createElement("carousel-strip");
  strip.strip = "albums";
  document.getElementById("home").append(strip);
  await new Promise((go) => document.addEventListener("DOMContentLoaded", go)); // the first script has given the strip its methods
  %s;
  await customElements.whenDefined("carousel-strip");
}"""


@pytest.mark.parametrize("place", PLACED)
def test_a_strip_stands_at_its_place_if_its_style_sheet_is_loaded_last(launched, elsewhere, late, place):
    with acting(launched(Chromium), elsewhere, late, PLACE % place, last="/css/strip.css") as wall:
        wall.wait_until(f"(strip) => {PLACED[place]}")
        must_be_right(wall)


CALL_AND_LEAVE = """async () => {
  const strip = document.createElement("carousel-strip");
  strip.strip = "albums";
  document.getElementById("home").append(strip);
  // The first script gives the strip the method. It is called before another script can run.
  await new Promise((go) => Object.defineProperty(strip, "select", { configurable: true, set(value) { Object.defineProperty(strip, "select", { value }); go(); } }));
  if (customElements.get("carousel-strip")) throw "the element came first";
  strip.select(3);
  strip.remove();
  await customElements.whenDefined("carousel-strip");
  await new Promise(requestAnimationFrame);
  document.getElementById("home").append(strip);
}"""


def test_a_call_of_a_strip_that_left_the_page_before_it_was_defined_is_no_fault(launched, elsewhere, late):
    with acting(launched(Chromium), elsewhere, late, CALL_AND_LEAVE) as wall:
        must_be_right(wall)


# In Firefox and WebKit one order stands for all.
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.logic] if 0 < seed < 3 else []) for seed in SEEDS])
def test_in_any_order_the_strip_shows_the_right_cards(engine, elsewhere, late, seed):
    late.draw.seed(seed)
    late.refused.clear()
    late.last = None
    with engine.show(1000, 700, 1):
        engine.goto(elsewhere(PAGE % {"act": ACT, "seed": seed, "address": late.own}))
        wall = Wall(engine, elsewhere, late.address)
        did = wall.evaluate("() => window.acted")
        settled = wall.evaluate(SETTLE)
        assert settled == "settled" and late.refused == [], f"{settled} {late.refused} after {did}"
        faults = wall.evaluate("() => window.faults")
        assert faults == [], f"{faults} after {did}"
        try:
            must_be_right(wall)
        except AssertionError as error:
            raise AssertionError(f"{error} after {did}") from error
    engine.complaints.clear()  # those of the page are in `faults`


# What a page does with a strip that is drawn, and the offset after it.
LATER = {
    # A movement ends with its strip's place in the document.
    "await strip.scrollTo({ index: 20, behavior: 'smooth' }); strip.remove(); home.append(strip)": "strip.scrollTarget === strip.offset",
    # Another strip starts at its front, also in a place that is hidden, and with another layout at the same time.
    "await strip.scrollTo({ index: 20 }); home.hidden = true; await frame(); strip.strip = 'elements'; await frame(); home.hidden = false": "strip.offset === 0",
    "await strip.scrollTo({ index: 20 }); strip.strip = 'elements'; strip.layout = 'grid'": "strip.offset === -220 && scrollY === 0",
    "await strip.scrollTo({ index: 20 }); strip.layout = 'grid'; strip.strip = 'elements'": "strip.offset === -220 && scrollY === 0",
    "strip.layout = 'grid'; await rest(); strip.strip = 'landscapes'; strip.columns = 3": "strip.offset === -220 && scrollY === 0",
    "strip.inset = 40; await rest(); strip.strip = 'landscapes'": "strip.offset === -40",
    # An item that is asked for is there, though the strip or the sizes of its items change at the same time.
    "strip.strip = 'elements'; strip.strip = 'albums'; strip.scrollTo({ index: 20 })": "strip.current.index === 20",
    "strip.layout = 'rows'; strip.strip = 'landscapes'; await rest(); strip.row = 295; strip.scrollTo({ index: 3000 })": "!!strip.nodeOf(3000)",
    "strip.layout = 'rows'; strip.strip = 'landscapes'; await rest(); strip.scrollTo({ index: 3000 }); strip.style.width = '600px'": "!!strip.nodeOf(3000)",
    "strip.layout = 'rows'; strip.strip = 'landscapes'; await rest(); strip.row = 250; strip.scrollTo({ offset: 9000 }); strip.row = 295": "strip.offset === 9000",
    # At `reload`, the items are those of the other view.
    "strip.addEventListener('reload', () => strip.select(0), { once: true }); strip.sort = '-year'": "strip.selected.id === strip.nodeOf(0).dataset.id",
    # A reader who scrolls before the items have their other sizes stays there.
    "strip.layout = 'rows'; strip.strip = 'landscapes'; await strip.scrollTo({ index: 900 }); await rest(); for (let k = 0; k < 5; k += 1) await frame(); strip.row = 295; scrollBy(0, 700); do await frame(); while (strip.isWaiting); self.seen = strip.current.id": "Math.abs(strip.querySelector(`[data-id='${seen}']`).getBoundingClientRect().top) < 300",
    # A finger is lifted while the strip is not in the document.
    "strip.dispatchEvent(Object.assign(new Event('touchstart'), { touches: [{ identifier: 1 }], changedTouches: [{ identifier: 1 }] })); strip.remove(); await frame(); home.append(strip); await frame(); strip.strip = 'landscapes'": "!strip.isTouched",
}
CHANGE = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const strip = document.createElement("carousel-strip");
  strip.setAttribute("strip", "albums");
  const home = document.getElementById("home");
  home.append(strip);
  const rest = async () => { while (strip.isWaiting !== false || strip.isReloading || strip.layout && strip.meta.layout !== strip.layout) await frame(); };
  await rest();
  %s;
  await rest();
}"""


@pytest.mark.parametrize("change", LATER)
def test_a_strip_that_is_drawn_follows_changes_in_any_order(launched, elsewhere, late, change):
    with acting(launched(Chromium), elsewhere, late, CHANGE % change) as wall:
        assert wall.evaluate(f"(strip) => [{LATER[change]}, strip.offset, scrollY]")[0], wall.evaluate("(strip) => [strip.offset, strip.scrollTarget, scrollY]")


def test_a_strip_comes_to_rest_if_the_browser_drops_a_movement_without_a_sign(engine, elsewhere, late):
    with acting(engine, elsewhere, late, CHANGE % "strip.viewport.scrollTo = () => {}; await strip.scrollTo({ index: 2, behavior: 'smooth' })") as wall:
        assert wall.evaluate("(strip) => strip.scrollTarget === strip.offset")
