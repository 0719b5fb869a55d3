"""Measures a strip in Chromium, and prints a table: make bench-client.

    .venv/bin/python Benchmarks/Client/bench.py                       the built-in strip of a billion items
    .venv/bin/python Benchmarks/Client/bench.py --url URL --selector "#list"   a fling on any page: what can be measured there

The round trip (0, 50, 100, 200 ms) is that of Chromium's own throttling, through its developer tools.
"""

import argparse
import gzip
import json
import random
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from conftest import SYSTEM_CHROMIUM, serving  # noqa: E402
from strip import WATCH  # noqa: E402

STRIP = "billion"
VIEWPORT = {"width": 1280, "height": 800}

# Scrolls `box` at `speed` px/ms for `ms`, from a movement of 100 ms on. Each frame counts the px of the viewport
# that no visible child of it covers, times the ms until the next frame.
FLING = """async ([selector, speed, ms]) => {
  const box = document.querySelector(selector);
  const frame = () => new Promise(requestAnimationFrame);
  const uncovered = () => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    const spans = [...box.querySelectorAll(":is(li, [role=option], [role=listitem], [data-index])")]
      .map((node) => node.getBoundingClientRect())
      .filter((place) => place.width && place.right > left && place.left < right && place.top < middle + 100)
      .sort((one, other) => one.left - other.left);
    let [reach, gap] = [left, 0];
    for (const span of spans) {
      if (span.left - reach > 24) gap += span.left - reach;
      reach = Math.max(reach, span.right);
    }
    return gap + Math.max(0, right - reach - 24);
  };
  let [blank, long, frames] = [0, 0, 0];
  let former = await frame();
  const start = former;
  let [worst, skeleton] = [0, true];
  while (former - start < ms + 100) {
    const now = await frame();
    const step = now - former;
    if (now - start > 100) {
      const px = uncovered();
      blank += px * step;
      if (px && box.matches("carousel-strip") && !box.hasAttribute("data-waiting")) skeleton = false;
      worst = Math.max(worst, px);
      if (step > 32) long += 1;
      frames += 1;
    }
    box.scrollBy({ left: speed * Math.min(step, 50), behavior: "instant" });
    former = now;
  }
  const stopped = performance.now();
  let content = null;
  while (performance.now() - stopped < 2000 && content === null) {
    await frame();
    if (uncovered() === 0) content = performance.now() - stopped;
  }
  return { blank, long, frames, worst, skeleton, content };
}"""

# The same number of frames on a page that does nothing.
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


class Table:
    """Figures, as the contract has them."""

    def __init__(self):
        self.figures = []

    def add(self, name, value, unit, bar=None, better="lower"):
        met = None if bar is None else (value <= bar if better == "lower" else value >= bar)
        self.figures.append({"name": name, "value": round(value, 3), "unit": unit, "bar": bar, "better": better, "met": met})
        said = {True: "met", False: "NOT met", None: ""}[met]
        print(f"{name:<24}{value:>16,.1f} {unit:<8}{'' if bar is None else f'{bar:>12,}':>12} {said}", flush=True)

    def write(self):
        folder = ROOT / ".build/bench"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "bench-client.json").write_text(json.dumps({"figures": self.figures}, indent=1) + "\n")


def bundled(entry):
    """Bytes of a module with all it imports, minified by esbuild and gzipped."""
    command = ["esbuild", "--bundle", "--minify", "--format=esm", ROOT / f"Public/js/{entry}"]
    return len(gzip.compress(subprocess.run(command, check=True, capture_output=True).stdout, 9, mtime=0))


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
        page, _ = self.page(round_trip)
        result = page.evaluate(FLING, [self.selector, speed, ms])
        page.context.close()
        return result

    def measure(self, table):
        """What any page can be asked."""
        for round_trip in [0, 50, 100, 200]:
            for speed in [1, 5, 20]:
                result = self.fling(speed, round_trip)
                bar = {(5, 100): 0, (20, 100): 120_000}.get((speed, round_trip))
                table.add(f"blank_{speed} at {round_trip} ms", result["blank"], "px ms", bar)
                if (speed, round_trip) == (20, 100):
                    table.add("content_after_stop", result["content"] if result["content"] is not None else 2000, "ms", 150)
                if (speed, round_trip) == (5, 100):
                    page, _ = self.page()
                    table.add("long_frames", result["long"], "frames", page.evaluate(IDLE, 3000))
                    page.context.close()

    def measure_strip(self, table, minutes):
        """What only the element has: jumps, elements, bytes."""
        page, session = self.page(50)
        draw = random.Random(6)
        times, errors = [], []
        for _ in range(12):
            index = draw.randrange(10**9)
            jump = page.evaluate(JUMP, [self.selector, index])
            times.append(jump["ms"])
            width = page.evaluate("(selector) => document.querySelector(selector).clientWidth", self.selector)
            place = page.request.get("/window", params={"strip": STRIP, "index": index, "width": width}).json()
            errors.append(abs(jump["offset"] - place["offset"]))
        table.add("landing_px", max(errors), "px", 1)
        table.add("jump_ms", sorted(times)[len(times) // 2], "ms", 90)
        page.context.close()

        page, session = self.page()
        page.evaluate("() => performance.clearResourceTimings()")
        sum_of_bytes = "() => performance.getEntriesByType('resource').reduce(([n, sum], { name, transferSize }) => name.includes('/window') ? [n + 1, sum + transferSize] : [n, sum], [0, 0])"
        start = page.evaluate("(s) => document.querySelector(s).offset", self.selector)
        page.evaluate(FLING, [self.selector, 2, 5000])
        moved = page.evaluate("(s) => document.querySelector(s).offset", self.selector) - start
        count, transferred = page.evaluate(sum_of_bytes)
        table.add("bytes_1000px", transferred / moved * 1000, "B")
        table.add("requests_1000px", count / moved * 1000, "")

        page.evaluate(WANDER, [self.selector, 60_000 * minutes / 10, 1])
        before = page.evaluate("() => window.made")
        heap = self.heap(session)
        page.evaluate(WANDER, [self.selector, 60_000 * minutes, 2])
        after = page.evaluate("() => window.made")
        table.add("elements", sum(after[name] - before[name] for name in after), "", 0)
        table.add("heap_mb", (self.heap(session) - heap) / 1e6, "MB", 1)
        page.context.close()

    def heap(self, session):
        session.send("HeapProfiler.enable")
        session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"]

    def measure_loading(self, table, url):
        """Layout shift and the largest paint, on slow 4G and a CPU slowed 4 times."""
        loading = Bench(self.browser, url, self.selector)
        page, _ = loading.page(150, slow=True)
        shift, paint = page.evaluate(
            """() => new Promise((resolve) => {
              let [shift, paint] = [0, 0];
              new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value)))
                .observe({ type: "layout-shift", buffered: true });
              new PerformanceObserver((list) => list.getEntries().forEach(({ startTime }) => (paint = startTime)))
                .observe({ type: "largest-contentful-paint", buffered: true });
              setTimeout(() => resolve([shift, paint]), 500);
            })"""
        )
        table.add("cls", shift, "", 0)
        table.add("lcp_ms", paint, "ms", 2500)
        page.context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help="a page to measure instead of the strip")
    parser.add_argument("--selector", default="carousel-strip", help="what scrolls in it")
    parser.add_argument("--minutes", type=float, default=10, help="of random scrolling")
    options = parser.parse_args()
    table = Table()
    with sync_playwright() as playwright:
        path = str(SYSTEM_CHROMIUM) if SYSTEM_CHROMIUM.exists() else None
        browser = playwright.chromium.launch(executable_path=path, args=["--enable-precise-memory-info"])
        if options.url:
            Bench(browser, options.url, options.selector).measure(table)
        else:
            with serving() as address:
                bench = Bench(browser, f"{address}/?strip={STRIP}", options.selector)
                bench.measure(table)
                bench.measure_strip(table, options.minutes)
                bench.measure_loading(table, f"{address}/?strip=albums")
            table.add("core_bytes", bundled("carousel-strip.js"), "B", 5000)
            table.add("all_bytes", bundled("complete.js"), "B", 10_000)
        browser.close()
    table.write()


if __name__ == "__main__":
    main()
