"""Measures a strip in Chromium, and prints a table: make bench-client.

    .venv/bin/python Benchmarks/Client/bench.py                       the built-in strip of a billion items
    .venv/bin/python Benchmarks/Client/bench.py --minutes 1           with less random scrolling
    .venv/bin/python Benchmarks/Client/bench.py jumps edits           only these; the file keeps the other figures
    .venv/bin/python Benchmarks/Client/bench.py rivals --rivals FOLDER    other lists beside it, of whose sources FOLDER has checkouts
    .venv/bin/python Benchmarks/Client/bench.py --url URL --selector "#list"   a fling on another page, and its figures

Chromium's developer tools delay each request by a round trip of 0, 50, 100, 200 or 300 ms. Figures are for 100 ms, and
figures of jumps for 50 ms. The end of a name, such as `_rtt200`, states another round trip.
"""

import argparse
import gzip
import json
import random
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from conftest import CHROMIUM, run, serving  # noqa: E402
from rivals import measure_rivals  # noqa: E402
from strip import WATCH  # noqa: E402
from walls import measure_walls  # noqa: E402

MEASURED = ["flings", "jumps", "bytes", "nodes", "loading", "edits", "sizes", "walls"]
STRIP = "billion"
VIEWPORT = {"width": 1280, "height": 800}
ROUND_TRIPS = [0, 50, 100, 200, 300]  # ms

# Scrolls `box` at `speed` px/ms. Measures for `ms`, after the first 100 ms. Each frame adds the px of the viewport
# without a card, times the ms since the previous frame. If the page has a carousel-strip, each frame also records the
# item, title and position of each card. `wrong` compares them with the arithmetic.
FLING = """async ([selector, speed, ms]) => {
  const box = document.querySelector(selector);
  const isStrip = box.matches("carousel-strip");
  const channel = new MessageChannel();
  const frame = () => new Promise((go) => requestAnimationFrame(() => {
    channel.port1.onmessage = () => go(performance.now()); // once the frame is painted
    channel.port2.postMessage(null);
  }));
  const cards = () => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    return [...box.querySelectorAll(":is(li, [role=option], [role=listitem], [data-index])")]
      .map((node) => ({ node, place: node.getBoundingClientRect() }))
      .filter(({ place }) => place.width && place.right > left && place.left < right && place.top < middle + 100)
      .map(({ node, place }) => ({ node, from: place.left - left, to: place.right - left }))
      .sort((one, other) => one.from - other.from);
  };
  const uncovered = (spans) => {
    let [reach, gap] = [0, 0];
    for (const { from, to } of spans) {
      if (from - reach > 24) gap += from - reach;
      reach = Math.max(reach, to);
    }
    return gap + Math.max(0, box.clientWidth - reach - 24);
  };
  const read = ({ node, from, to }) =>
    [node.dataset.id, (node.querySelector(".title, .banner") ?? node).textContent, from, to];
  let [blank, long, skeleton] = [0, 0, true];
  const frames = [];
  let former = await frame();
  const start = former;
  while (former - start < ms + 100) {
    const now = await frame();
    const step = now - former;
    if (now - start > 100) {
      const shown = cards();
      const px = uncovered(shown);
      blank += px * step;
      if (px && isStrip && !box.hasAttribute("data-waiting")) skeleton = false;
      if (isStrip) frames.push({ offset: box.offset, step, px, cards: shown.map(read) });
      if (step > 32) long += 1;
    }
    box.scrollBy({ left: speed * Math.min(step, 50), behavior: "instant" });
    former = now;
  }
  const stopped = performance.now();
  let content = null;
  while (performance.now() - stopped < 2000 && content === null) {
    await frame();
    if (uncovered(cards()) === 0) content = performance.now() - stopped;
  }
  return { blank, long, skeleton, content, frames };
}"""

# Adds up layout shift from now on in window.shift, except shift after recent user input.
WATCH_SHIFT = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shift += value)))
    .observe({ type: "layout-shift", buffered: true });
}"""

# The ms between the first touch and a fling.
TOUCH = 300

QUIET = "(ms) => new Promise((resolve) => setTimeout(resolve, ms))"

FRAMES = "async () => { for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame); }"

# Counts long frames on a page that does nothing.
IDLE = """async (ms) => {
  const frame = () => new Promise(requestAnimationFrame);
  let [long, former] = [0, await frame()];
  const start = former;
  while (former - start < ms) {
    const now = await frame();
    if (now - former > 32) long += 1;
    former = now;
  }
  return long;
}"""

JUMP = """async ([selector, index]) => {
  const strip = document.querySelector(selector);
  const start = performance.now();
  await strip.scrollTo({ index });
  while (!strip.querySelector(`li[data-index="${index}"]:not([hidden])`)) await new Promise(requestAnimationFrame);
  return { ms: performance.now() - start, offset: strip.offset };
}"""

WANDER = """async ([selector, ms, seed]) => {
  const strip = document.querySelector(selector);
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const start = performance.now();
  while (performance.now() - start < ms) {
    strip.scrollBy({ left: (random() - 0.45) * 3000, behavior: "instant" });
    for (let k = 0; k < 6; k += 1) await new Promise(requestAnimationFrame);
  }
}"""


# The positions of the cards in view, by id.
STANDING = """(selector) => {
  const strip = document.querySelector(selector);
  const { left, right } = strip.getBoundingClientRect();
  return Object.fromEntries([...strip.querySelectorAll("li:not([hidden])")]
    .map((node) => [node.dataset.id, node.getBoundingClientRect()])
    .filter(([, place]) => place.right > left && place.left < right)
    .map(([id, place]) => [id, place.left]));
}"""

AWAIT_REVISION = """async ([selector, revision]) => {
  const strip = document.querySelector(selector);
  while (strip.meta.revision < revision || strip.isWaiting) await new Promise(requestAnimationFrame);
  for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame);
}"""


class Table:
    """Figures in the format that all benchmarks share. It prints each figure and writes all to a file."""

    def __init__(self):
        self.figures = []

    def add(self, name, value, unit, bar=None, better="lower"):
        met = None if bar is None else (value <= bar if better == "lower" else value >= bar)
        self.figures.append({"name": name, "value": round(value, 3), "unit": unit, "bar": bar, "better": better, "met": met})
        said = {True: "met", False: "NOT met", None: ""}[met]
        print(f"{name:<24}{value:>16,.1f} {unit:<8}{'' if bar is None else f'{bar:>12,}':>12} {said}", flush=True)

    def write(self, keeps_others):
        """Writes the figures to a file. With `keeps_others`, figures of the file that were not measured now stay."""
        file = ROOT / ".build/bench/bench-client.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        names = {figure["name"] for figure in self.figures}
        old = json.loads(file.read_text())["figures"] if keeps_others and file.exists() else []
        figures = [figure for figure in old if figure["name"] not in names] + self.figures
        file.write_text(json.dumps({"figures": figures}, indent=1) + "\n")


def bundled(*names):
    """Bytes of bundled scripts of the page, each gzipped. `make build` bundles them."""
    files = [next((ROOT / "Public/js/bundle").glob(f"{name}-????????.js")) for name in names]
    return sum(len(gzip.compress(file.read_bytes(), 9, mtime=0)) for file in files)


class Bench:
    def __init__(self, browser, url, selector):
        self.browser, self.url, self.selector = browser, url, selector

    def page(self, round_trip=0, slow=False):
        context = self.browser.new_context(viewport=VIEWPORT, base_url=self.url)
        context.add_init_script(WATCH)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        throughput = 1.6e6 / 8 if slow else -1
        session.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": round_trip, "downloadThroughput": throughput, "uploadThroughput": throughput,
        })
        if slow:
            session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.goto(self.url)
        page.wait_for_selector(self.selector)
        page.wait_for_load_state("networkidle")
        return page, session

    def fling(self, speed, round_trip, ms=3000):
        """Measures a fling. A card at a wrong position counts as blank too."""
        page, _ = self.page(round_trip)
        page.hover(self.selector)
        page.evaluate(QUIET, TOUCH)
        result = page.evaluate(FLING, [self.selector, speed, ms])
        if result["frames"]:
            result["blank"] += self.wrong(page, result["frames"])
        page.context.close()
        return result

    def wrong(self, page, frames):
        """px x ms that are covered by a card whose id, title or position differs from the server's window."""
        width = page.evaluate("(s) => document.querySelector(s).clientWidth", self.selector)
        first, last = frames[0]["offset"], frames[-1]["offset"] + width
        items, offset = {}, first - 1024
        while offset < last:
            window = page.request.get("/window", params={"strip": STRIP, "offset": offset, "width": 65_536}).json()
            items |= {item["id"]: item for item in window["items"]}
            offset += 65_536
        sum = 0
        for frame in frames:
            for id, title, start, end in frame["cards"]:
                item = items.get(id)
                right = item and item["fields"]["title"] == title and abs(item["start"] - frame["offset"] - start) <= 1
                if not right:
                    sum += (min(end, width) - max(start, 0)) * frame["step"]
        return sum

    def measure_flings(self, table):
        """Measures flings. This works on any page."""
        for round_trip in ROUND_TRIPS:
            for speed in [1, 5, 20]:
                result = self.fling(speed, round_trip)
                bar = {(5, 100): 0, (20, 100): 120_000, (20, 300): 0}.get((speed, round_trip))
                name = f"blank_{speed}" + ("" if round_trip == 100 else f"_rtt{round_trip}")
                table.add(name, result["blank"], "px ms", bar)
                if (speed, round_trip) == (20, 100):
                    table.add("content_after_stop", 2000 if result["content"] is None else result["content"], "ms", 150)
                    if result["frames"]:
                        table.add("skeleton_missing", int(not result["skeleton"]), "", 0)
                if (speed, round_trip) == (5, 100):
                    page, _ = self.page()
                    table.add("long_frames", result["long"], "frames", page.evaluate(IDLE, 3000))
                    page.context.close()

    def measure_jumps(self, table, round_trip):
        page, _ = self.page(round_trip)
        draw = random.Random(6)
        times, errors = [], []
        for _ in range(12):
            index = draw.randrange(10**9)
            jump = page.evaluate(JUMP, [self.selector, index])
            times.append(jump["ms"])
            width = page.evaluate("(selector) => document.querySelector(selector).clientWidth", self.selector)
            place = page.request.get("/window", params={"strip": STRIP, "index": index, "width": width}).json()
            errors.append(abs(jump["offset"] - place["offset"]))
        suffix = "" if round_trip == 50 else f"_rtt{round_trip}"
        table.add(f"landing_px{suffix}", max(errors), "px", 1)
        table.add(f"jump_ms{suffix}", sorted(times)[len(times) // 2], "ms", None if suffix else 90)
        page.context.close()

    def measure_bytes(self, table):
        page, _ = self.page()
        page.evaluate("() => performance.clearResourceTimings()")
        sum_of_bytes = "() => performance.getEntriesByType('resource').reduce(([n, sum], { name, transferSize }) => name.includes('/window') ? [n + 1, sum + transferSize] : [n, sum], [0, 0])"
        start = page.evaluate("(s) => document.querySelector(s).offset", self.selector)
        page.evaluate(FLING, [self.selector, 2, 5000])
        moved = page.evaluate("(s) => document.querySelector(s).offset", self.selector) - start
        count, transferred = page.evaluate(sum_of_bytes)
        table.add("bytes_1000px", transferred / moved * 1000, "B")
        table.add("requests_1000px", count / moved * 1000, "")
        page.context.close()

    def measure_nodes(self, table, minutes):
        """The growth of elements and heap, from a tenth of the minutes to the end."""
        page, session = self.page()
        page.evaluate(WANDER, [self.selector, 60_000 * minutes / 10, 1])
        before = page.evaluate("() => window.made")
        heap = self.heap(session)
        page.evaluate(WANDER, [self.selector, 60_000 * minutes * 0.9, 2])
        after = page.evaluate("() => window.made")
        table.add("elements", sum(after[name] - before[name] for name in after), "", 0)
        table.add("heap_mb", (self.heap(session) - heap) / 1e6, "MB", 1)
        page.context.close()

    def heap(self, session):
        session.send("HeapProfiler.enable")
        session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"]

    def measure_loading(self, table, url):
        """The largest contentful paint on a slow network with a CPU slowed 4 times; layout shift while loading and scrolling."""
        loading = Bench(self.browser, url, self.selector)
        page, _ = loading.page(150, slow=True)
        page.evaluate(WATCH_SHIFT)
        page.evaluate(FRAMES)
        table.add("cls_loading", page.evaluate("() => window.shift"), "", 0)
        paint = page.evaluate(
            """() => new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
              .observe({ type: "largest-contentful-paint", buffered: true }))"""
        )
        table.add("lcp_ms", paint, "ms", 2500)
        page.context.close()

        page, _ = self.page()
        page.evaluate(WATCH_SHIFT)
        page.evaluate(FLING, [self.selector, 5, 2000])
        page.evaluate(FRAMES)
        table.add("cls_scrolling", page.evaluate("() => window.shift"), "", 0)
        page.context.close()

    def measure_edits(self, table, edit):
        """Layout shift, and the movement of the cards in view, while edits insert, remove and resize items before them."""
        page, _ = self.page(50)
        page.evaluate("(s) => document.querySelector(s).scrollTo({ offset: 9000 })", self.selector)
        page.wait_for_function("(s) => !document.querySelector(s).isWaiting", arg=self.selector)
        page.evaluate(WATCH_SHIFT)
        moved = 0
        for n in range(10):
            before = page.evaluate(STANDING, self.selector)
            assert before, "no card is in view"
            page.evaluate(AWAIT_REVISION, [self.selector, edit(n)])
            after = page.evaluate(STANDING, self.selector)
            moved = max([moved, *(abs(after[id] - before[id]) for id in before if id in after)])
        table.add("cls_edits", page.evaluate("() => window.shift"), "", 0)
        table.add("edits_moved_px", moved, "px", 1)
        page.context.close()


@contextmanager
def edited():
    """Serves a strip of 2,000 items. Yields the address, and a function that edits items before px 9000 and returns
    the revision."""
    with TemporaryDirectory() as folder:
        database, file = Path(folder) / "s.db", Path(folder) / "s.jsonl"
        items = [{"id": f"i{n}", "width": 80 + n * 13 % 100, "fields": {"title": f"Item {n}"}} for n in range(2000)]
        file.write_text("".join(json.dumps(item) + "\n" for item in items))
        run("import", file, "--database", database, "--strip", "s", "--gap", "8")
        token = run("token", "create", "--database", database, "--strip", "s").stdout.split()[-1]
        with serving("--database", database) as address:

            def edit(n):
                new = {"id": f"new{n}", "width": 100.5 + 7 * n, "fields": {"title": f"New {n}"}}
                operations = [
                    {"op": "insert", "after": None, "items": [new]},
                    {"op": "remove", "ids": [f"i{n}"]},
                    {"op": "update", "id": f"i{n + 20}", "set": {"width": 50 + 9.25 * n}},
                ]
                fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
                request = Request(f"{address}/strips/s/edits", json.dumps(operations).encode(), fields)
                with urlopen(request) as answer:
                    return json.load(answer)["revision"]

            yield address, edit


def measure(browser, names, selector, minutes, table, rivals):
    """Measures the figures `names` with the built-in strips. `rivals` has checkouts of other lists."""
    with serving() as address:
        bench = Bench(browser, f"{address}/?strip={STRIP}", selector)
        if "flings" in names:
            bench.measure_flings(table)
        if "jumps" in names:
            for round_trip in ROUND_TRIPS:
                bench.measure_jumps(table, round_trip)
        if "bytes" in names:
            bench.measure_bytes(table)
        if "nodes" in names:
            bench.measure_nodes(table, minutes)
        if "loading" in names:
            bench.measure_loading(table, f"{address}/?strip=albums")
    if "edits" in names:
        with edited() as (address, edit):
            Bench(browser, f"{address}/?strip=s", selector).measure_edits(table, edit)
    if "walls" in names:
        measure_walls(browser, table, minutes)
    if "rivals" in names:
        measure_rivals(browser, table, rivals, bundled("embed", "on-demand"))
    if "sizes" in names:
        table.add("first_script_bytes", bundled("embed"), "B", 6000)
        table.add("plain_strip_bytes", bundled("embed", "on-demand"), "B")
        table.add("all_bytes", bundled("embed", "on-demand", "optional-on-demand"), "B", 11_000)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to measure, of {', '.join([*MEASURED, 'rivals'])}")
    parser.add_argument("--rivals", type=Path, metavar="FOLDER", help="the checkouts of other lists, for the figures `rivals`")
    parser.add_argument("--url", help="a page to measure instead of the strip")
    parser.add_argument("--selector", default="carousel-strip", help="what scrolls in it")
    parser.add_argument("--minutes", type=float, default=10, help="of random scrolling")
    options = parser.parse_args()
    if unknown := set(options.names) - {*MEASURED, "rivals"}:
        parser.error(f"nothing is called {', '.join(unknown)}")
    if "rivals" in options.names and not options.rivals:
        parser.error("the figures `rivals` need --rivals FOLDER")
    table = Table()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--enable-precise-memory-info"])
        if options.url:
            Bench(browser, options.url, options.selector).measure_flings(table)
        else:
            measure(browser, options.names or MEASURED, options.selector, options.minutes, table, options.rivals)
        browser.close()
    table.write(keeps_others=bool(options.names))


if __name__ == "__main__":
    main()
