"""A wall of justified rows that the page scrolls: what bench.py measures as `walls`."""

import random
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode
from urllib.request import urlopen

from conftest import run, serving

COUNT, FAR_COUNT = 1_000_000, 10_000_000
ALONG = 800  # the height of the window, in px
TOUCH = 300  # ms between the first touch and a fling
QUERY = {"strip": "wall", "layout": "rows", "row": 180}
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Wall</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/css/strip.css"><link rel="stylesheet" href="/css/card.css"><link rel="stylesheet" href="/css/lengths.css">
<script type="module" src="/js/embed.js"></script><style>body { margin: 0; overflow-y: scroll }</style>%s</html>"""
ELEMENT = '<carousel-strip strip="wall" layout="rows" row="180" aria-label="Wall"></carousel-strip>'

REST = """async () => {
  const strip = document.querySelector("carousel-strip");
  let [former, same] = [null, 0];
  while (same < 4) {
    await new Promise(requestAnimationFrame);
    const isShown = strip.axis?.isVertical && strip.meta?.width === strip.axis.query.width && !strip.isWaiting;
    same = isShown && strip.offset === former ? same + 1 : 0;
    former = strip.offset;
  }
}"""

# The cards that are in view: [id, x, y, width, height].
CARDS = """(strip) => [...strip.querySelectorAll("li:not([hidden])")]
  .map((node) => [node.dataset.id, node.getBoundingClientRect()])
  .filter(([, { top, bottom }]) => bottom > 0 && top < innerHeight)
  .map(([id, { left, top, width, height }]) => [id, left, top, width, height])"""

# Scrolls the page at `speed` px/ms for `ms`. Records the offset, the cards and the ms of each frame.
FLING = f"""async ([speed, ms]) => {{
  const strip = document.querySelector("carousel-strip");
  const cards = {CARDS};
  const channel = new MessageChannel();
  const frame = () => new Promise((go) => requestAnimationFrame(() => {{
    channel.port1.onmessage = () => go(performance.now()); // once the frame is painted
    channel.port2.postMessage(null);
  }}));
  const frames = [];
  let former = await frame();
  const start = former;
  while (former - start < ms) {{
    const now = await frame();
    frames.push({{ offset: strip.offset, step: now - former, cards: cards(strip) }});
    scrollBy({{ top: speed * Math.min(now - former, 50), behavior: "instant" }});
    former = now;
  }}
  return frames;
}}"""

SHIFT = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shift += value)))
    .observe({ type: "layout-shift", buffered: true });
}"""

WANDER = """async ([steps, seed]) => {
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let step = 0; step < steps; step += 1) {
    scrollBy({ top: (random() - 0.45) * 3000, behavior: "instant" });
    for (let k = 0; k < 4; k += 1) await new Promise(requestAnimationFrame);
  }
}"""


@contextmanager
def walls(count):
    """Serves a wall of `count` items. Yields the address."""
    with TemporaryDirectory() as folder:
        file, database = Path(folder) / "wall.jsonl", Path(folder) / "wall.db"
        with file.open("w") as lines:
            for n in range(count):
                lines.write(f'{{"id":"i{n}","aspect":{(6 + n * n % 17) / 10},"fields":{{"title":"{n}"}}}}\n')
        run("import", file, "--database", database, "--strip", "wall", "--gap", "4")
        file.unlink()
        with serving("--database", database) as address:
            yield address


class Walls:
    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    @contextmanager
    def page(self, round_trip=0, width=1280, density=1, element=ELEMENT):
        context = self.browser.new_context(viewport={"width": width, "height": ALONG}, device_scale_factor=density, base_url=self.address)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": round_trip, "downloadThroughput": -1, "uploadThroughput": -1,
        })
        page.add_init_script("window.made = 0; { const own = Document.prototype.createElement;"
                             " Document.prototype.createElement = function (...all) { window.made += 1; return own.apply(this, all); }; }")
        page.route("**/wall", lambda route: route.fulfill(body=PAGE % element, content_type="text/html"))
        page.goto("/wall")
        page.evaluate(SHIFT)
        page.wait_for_function("() => document.querySelector('carousel-strip').meta")
        page.evaluate(REST)
        yield page
        context.close()

    def get(self, page, **query):
        return page.request.get("/window", params={**QUERY, "width": page.evaluate("() => document.querySelector('carousel-strip').meta.width"), **query}).json()

    def blank(self, page, frames):
        """px x ms of the viewport's height in which a card is missing, or shows another item than the server's window."""
        items, offset = {}, frames[0]["offset"] - 1000
        while offset < frames[-1]["offset"] + ALONG:
            items |= {item["id"]: item for item in self.get(page, offset=offset, height=16_000)["items"]}
            offset += 16_000
        blank = 0
        for frame in frames:
            top = frame["offset"]
            cards = {id: place for id, *place in frame["cards"]}
            missing = {}  # the visible heights of rows, by their starts
            for item in items.values():
                start, end = item["start"] - top, item["start"] + item["size"] - top
                if end < 1 or start > ALONG - 1:
                    continue
                place = [item["x"], start, item["width"], item["size"]]
                card = cards.get(item["id"])
                if not card or any(abs(one - other) > 1 for one, other in zip(card, place)):
                    missing[item["start"]] = min(end, ALONG) - max(start, 0)
            blank += frame["step"] * sum(missing.values())
        return blank

    def fling(self, table, speed, round_trip=100):
        with self.page(round_trip) as page:
            page.mouse.move(600, 400)
            page.wait_for_timeout(TOUCH)
            frames = page.evaluate(FLING, [speed, 3000])
            table.add(f"wall_blank_{speed}", self.blank(page, frames), "px ms", None if speed < 5 else 0)
            if speed == 5:
                table.add("wall_shift_scrolling", page.evaluate("() => window.shift"), "", 0)

    def loading(self, table):
        query = {**QUERY, "width": 1280, "height": ALONG, "overscan": 128, "format": "element", "attr-aria-label": "Wall"}
        with urlopen(f"{self.address}/window?{urlencode(query)}") as answer:
            element = answer.read().decode()
        with self.page(100, element=element) as page:
            table.add("wall_shift_loading", page.evaluate("() => window.shift"), "", 0)

    def landing(self, table):
        draw = random.Random(6)
        errors = []
        with self.page(50) as page:
            for _ in range(12):
                index = draw.randrange(COUNT)
                state = self.jump(page, index)
                errors.append(abs(state["offset"] - self.get(page, index=index, height=ALONG)["offset"]))
        table.add("wall_landing", max(errors), "px", 0)

    def jump(self, page, index):
        """Scrolls to an item. Returns the offset, and where the item is."""
        page.evaluate("(index) => document.querySelector('carousel-strip').scrollTo({ index })", index)
        page.evaluate(REST)
        return page.evaluate(
            """(index) => {
              const strip = document.querySelector("carousel-strip");
              const { offset, meta: { extent } } = strip;
              return { offset, extent, top: strip.nodeOf(index)?.getBoundingClientRect().top ?? null };
            }""",
            index,
        )

    def reachable(self, table):
        """The share of items that a jump shows at their place, and that a wheel then leaves at the right place."""
        draw = random.Random(7)
        indices = [0, FAR_COUNT - 1, *(draw.randrange(FAR_COUNT) for _ in range(98))]
        with self.page(density=2) as page:
            reached = 0
            for index in indices:
                top = self.jump(page, index)["top"]
                item = next(one for one in self.get(page, index=index, height=ALONG)["items"] if one["index"] == index)
                page.mouse.move(600, 400)
                page.mouse.wheel(0, -333)
                page.wait_for_timeout(50)
                page.evaluate(REST)
                [offset, cards] = page.evaluate(f"() => {{ const strip = document.querySelector('carousel-strip'); return [strip.offset, ({CARDS})(strip)]; }}")
                right = {id: y for id, _, y, *_ in cards}.get(item["id"])
                if top is not None and -1 <= top <= ALONG and (right is None or abs(right - (item["start"] - offset)) <= 0.5):
                    reached += 1
        table.add("wall_reachable", 100 * reached / len(indices), "%", 100, "higher")

    def resize(self, table):
        moved = 0
        with self.page(50, width=1440) as page:
            for index in [COUNT // 2, 1234, COUNT - 5000]:
                page.set_viewport_size({"width": 1440, "height": ALONG})
                page.evaluate(REST)
                self.jump(page, index)
                id, _, top, *_ = min(page.evaluate(f"() => ({CARDS})(document.querySelector('carousel-strip'))"), key=lambda card: (card[2], card[1]))
                page.set_viewport_size({"width": 768, "height": ALONG})
                page.wait_for_timeout(100)
                page.evaluate(REST)
                after = {id: y for id, _, y, *_ in page.evaluate(f"() => ({CARDS})(document.querySelector('carousel-strip'))")}
                moved = max(moved, abs(after.get(id, 1e6) - top))
        table.add("wall_resize_moved", moved, "px", 1)

    def nodes(self, table, minutes):
        steps = round(minutes * 60_000 / 70)
        with self.page() as page:
            page.mouse.move(600, 400)
            page.evaluate(WANDER, [steps // 10, 1])
            before = page.evaluate("() => window.made")
            page.evaluate(WANDER, [steps, 2])
            table.add("wall_elements", page.evaluate("() => window.made") - before, "", 0)


def measure_walls(browser, table, minutes):
    with walls(COUNT) as address:
        bench = Walls(browser, address)
        for speed in [1, 5, 20]:
            bench.fling(table, speed)
        bench.loading(table)
        bench.landing(table)
        bench.resize(table)
        bench.nodes(table, minutes / 10)
    with walls(FAR_COUNT) as address:
        Walls(browser, address).reachable(table)
