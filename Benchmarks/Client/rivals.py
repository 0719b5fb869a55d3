"""Other lists beside a strip: what bench.py measures as `rivals`.

    git clone https://github.com/TanStack/virtual rivals/tanstack      and so on: the folders of RIVALS
    .venv/bin/python Benchmarks/Client/bench.py rivals --rivals rivals

esbuild bundles their own sources. Each page shows the same items with the same cards. The items of the other lists are
made in the page, before anything is measured. For flings they are on a server, as those of the strip.
"""

import json
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from gzip import compress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

from conftest import run, serving
from playwright.sync_api import Error

HERE = Path(__file__).parent / "rivals"
REACT = {
    "react": "/usr/share/nodejs/react",
    "react-dom": "/usr/share/nodejs/react-dom",
    "scheduler": "/usr/share/nodejs/scheduler",
}
COUNTS = [10_000, 1_000_000, 10_000_000]
FLUNG = 50_000  # the items of a list that is flung
LOADINGS = 5
JUMPS = 8
TOUCH = 300  # ms between the first touch and a fling
GAP = 8
PATIENCE = 120_000  # ms that a page gets for what it does


@dataclass
class Rival:
    """A list: the folder of its sources, its adapter, and its style sheets."""

    name: str
    file: str
    styles: tuple[str, ...] = ()


RIVALS = [
    Rival("tanstack", "tanstack.js"),
    Rival("virtua", "virtua.jsx"),
    Rival("legend-list", "legend-list.jsx"),
    Rival("swiper", "swiper.js", ("src/swiper.css", "src/modules/virtual/virtual.css")),
    Rival("vlist", "vlist.js", ("src/styles/vlist.css",)),
]

STYLE = """
body { margin: 0 }
#box, carousel-strip { width: 1200px; height: 200px; margin: 20px }
#box { overflow-x: auto; position: relative }
.card { height: 100%; box-sizing: border-box; overflow: hidden; font: 14px sans-serif }
#box .vlist-item { padding: 0; justify-content: start }
.vlist-item .card { width: calc(100% - 8px) }
.card b { display: block; height: 160px }
"""
# Counts the elements that enter the document in window.made.
COUNT_ELEMENTS = """
window.made = 0;
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node.nodeType === 1) window.made += 1 + node.getElementsByTagName("*").length;
}).observe(document, { childList: true, subtree: true });
"""

# A page's list for the functions below, if it is a strip.
STRIP = """
customElements.whenDefined("carousel-strip").then(() => {
  const strip = document.querySelector("carousel-strip");
  window.list = { scroller: strip, scrollTo: (index) => strip.scrollTo({ index }) };
});
"""

CARDS = """(() => {
  const { left, right } = list.scroller.getBoundingClientRect();
  return [...list.scroller.querySelectorAll("li[data-index]:not([hidden]), .card[data-index]")]
    .map((node) => ({ index: Number(node.dataset.index), place: node.getBoundingClientRect() }))
    .map(({ index, place }) => ({ index, from: place.left - left, to: place.right - left }))
    .filter(({ from, to }) => to > from && to > 0 && from < right - left);
})()"""

REST = f"""async () => {{
  let [former, same] = ["", 0];
  while (same < 6) {{
    await new Promise(requestAnimationFrame);
    const now = JSON.stringify({CARDS});
    same = now === former && now !== "[]" ? same + 1 : 0;
    former = now;
  }}
}}"""

# Scrolls at `speed` px/ms for `ms`. Returns the px without a card, times the ms for which they had none.
FLING = f"""async ([speed, ms]) => {{
  const channel = new MessageChannel();
  const frame = () => new Promise((go) => requestAnimationFrame(() => {{
    channel.port1.onmessage = () => go(performance.now()); // once the frame is painted
    channel.port2.postMessage(null);
  }}));
  let [blank, former] = [0, await frame()];
  const start = former;
  while (former - start < ms) {{
    const now = await frame();
    let [reach, gap] = [0, 0];
    for (const {{ from, to }} of {CARDS}.sort((one, other) => one.from - other.from)) {{
      if (from - reach > 24) gap += from - reach;
      reach = Math.max(reach, to);
    }}
    blank += (gap + Math.max(0, list.scroller.clientWidth - reach - 24)) * (now - former);
    list.scroller.scrollBy({{ left: speed * Math.min(now - former, 50), behavior: "instant" }});
    former = now;
  }}
  return blank;
}}"""

# Changes the width of item 3. Returns the ms until item 4 has moved.
RESIZE = f"""async (width) => {{
  const place = () => {CARDS}.find(({{ index }}) => index === 4)?.from;
  const [before, start] = [place(), performance.now()];
  if (list.resize) list.resize(3, width);
  else await fetch(`/resize?width=${{width}}`);
  while (Math.abs(place() - before) < 1) {{
    await new Promise(requestAnimationFrame);
    if (performance.now() - start > 20_000) throw new Error("the next card does not move");
  }}
  return performance.now() - start;
}}"""


def page_of(title, style, body):
    """The HTML of a page."""
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><link rel="icon" href="data:,">
<style>{STYLE}{style}</style><body>{body}</html>"""


def width_of(index):
    """As `widthOf` of page.js."""
    return 96 + index * 7919 % 160


def bundle(rival, sources, folder):
    """Bundles the page of a rival to `folder`. Returns its gzipped bytes without React."""
    react = [f"--alias:{name}={path}" for name, path in REACT.items()]
    settings = folder / "tsconfig.json"
    extended = sources / rival.name / "tsconfig.json"
    settings.write_text(json.dumps({"extends": str(extended.resolve()), "compilerOptions": {"jsx": "react-jsx"}}))
    external = [f"--external:{name}" for name in ("react", "react-dom", "react-dom/client", "react/jsx-runtime")]
    for choice, output in ((react, f"{rival.name}.js"), (external, f"{rival.name}-alone.js")):
        subprocess.run(
            [
                "esbuild", HERE / rival.file, "--bundle", "--minify", "--format=esm", "--jsx=automatic", f"--tsconfig={settings}",
                f"--alias:rival={sources / rival.name}", f"--alias:use-sync-external-store/shim={HERE}/use-sync-external-store.js",
                '--define:process.env.NODE_ENV="production"', "--define:__DEV__=false",
                "--log-level=error", f"--outfile={folder / output}", *choice,
            ],
            check=True,
        )
    styles = "".join((sources / rival.name / name).read_text() for name in rival.styles)
    page = page_of(rival.name, styles, f'<div id="box"></div><script type="module" src="/{rival.name}.js"></script>')
    (folder / f"{rival.name}.html").write_text(page)
    return len(compress((folder / f"{rival.name}-alone.js").read_bytes(), 9, mtime=0))


class Source(SimpleHTTPRequestHandler):
    """Serves the pages, and `/items`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        address = urlsplit(self.path)
        if address.path != "/items":
            return super().do_GET()
        first, count = (int(parse_qs(address.query)[name][0]) for name in ("first", "count"))
        items = [{"id": f"i{index}", "index": index, "title": f"Item {index}"} for index in range(first, first + count)]
        body = json.dumps(items).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def pages(folder):
    """Serves the folder. Yields the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Source, directory=folder)) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class OwnPage:
    """The page of a strip, which its server has rendered first."""

    name = "carousel"

    def __init__(self, address, token):
        self.address, self.token = address, token

    def open(self, page, count, is_remote):
        page.route("**/strip-page", lambda route: route.fulfill(body=self.html(count), content_type="text/html"))
        page.route("**/resize?*", lambda route: route.fulfill(body=self.resize(count, route.request.url)))
        page.goto(f"{self.address}/strip-page")

    def html(self, count):
        query = {"strip": f"s{count}", "offset": 0, "width": 1200, "overscan": 128, "format": "element", "attr-aria-label": "Items", "attr-live": "live"}
        with urlopen(f"{self.address}/window?{urlencode(query)}") as answer:
            element = answer.read().decode()
        styles = "".join(f'<link rel="stylesheet" href="/css/{name}.css">' for name in ("strip", "card", "lengths"))
        return page_of("carousel", "", f'{styles}<script type="module" src="/js/embed.js"></script>{element}')

    def resize(self, count, url):
        width = int(parse_qs(urlsplit(url).query)["width"][0])
        body = json.dumps([{"op": "update", "id": "i3", "set": {"width": width}}]).encode()
        fields = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        with urlopen(Request(f"{self.address}/strips/s{count}/edits", body, fields)) as answer:
            return answer.read()


class RivalPage:
    def __init__(self, name, address):
        self.name, self.address = name, address

    def open(self, page, count, is_remote):
        page.goto(f"{self.address}/{self.name}.html?count={count}{'&remote' if is_remote else ''}")


class Beside:
    """The measurements, each of one page."""

    def __init__(self, browser, table):
        self.browser, self.table = browser, table

    @contextmanager
    def page(self, list, count, round_trip=0, is_remote=False):
        context = self.browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": round_trip, "downloadThroughput": -1, "uploadThroughput": -1,
        })
        page.add_init_script(COUNT_ELEMENTS)
        if list.name == OwnPage.name:
            page.add_init_script(STRIP)
        try:
            list.open(page, count, is_remote)
            page.wait_for_function(f"() => window.list?.scroller && {CARDS}.length > 2")
            page.evaluate(REST)
            yield page, session
        finally:
            context.close()

    def add(self, list, name, unit, measure, count=None):
        """Adds a figure, or says why there is none."""
        full = f"{list.name}_{name}" + (f"_{count}" if count else "")
        try:
            self.table.add(full, measure(), unit)
        except Error as error:
            print(f"{full:<24} none: {error.message.splitlines()[0]}", flush=True)

    def first_paint(self, list):
        def once():
            with self.page(list, COUNTS[0]) as (page, _):
                return page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")

        return median(once() for _ in range(LOADINGS))

    def fling(self, list, speed, is_counted):
        with self.page(list, FLUNG, round_trip=100, is_remote=True) as (page, _):
            page.mouse.move(600, 100)
            page.wait_for_timeout(TOUCH)
            page.evaluate("() => { window.made = 0; }")
            blank = page.evaluate(FLING, [speed, 3000])
            if any(card["index"] == 0 for card in page.evaluate(CARDS)):
                raise Error("the list has not moved")
            return page.evaluate("() => window.made") if is_counted else blank

    def landing(self, list, count):
        """The largest distance in px between the card of an item and the start of the list, after a jump to it."""
        worst = 0
        with self.page(list, count) as (page, _):
            for k in range(1, JUMPS + 1):
                index = count * k * 83 // (JUMPS * 100)
                page.evaluate("(index) => void list.scrollTo(index)", index)
                page.evaluate(REST)
                place = next((card["from"] for card in page.evaluate(CARDS) if card["index"] == index), None)
                if place is None:
                    raise Error(f"a jump to item {index} of {count} does not show it")
                worst = max(worst, abs(place))
        return worst

    def resize(self, list, count):
        with self.page(list, count) as (page, _):
            return median(page.evaluate(RESIZE, width) for width in (300, 200, 320, 180, 310))

    def memory(self, list, count):
        with self.page(list, count) as (_, session):
            session.send("HeapProfiler.enable")
            session.send("HeapProfiler.collectGarbage")
            usage = session.send("Runtime.getHeapUsage")
            return (usage["usedSize"] + usage.get("backingStorageSize", 0) + usage.get("embedderHeapUsedSize", 0)) / 1e6

    def measure(self, list):
        self.add(list, "first_paint", "ms", lambda: self.first_paint(list))
        self.add(list, "elements_5", "", lambda: self.fling(list, 5, True))
        for speed in (1, 5, 20):
            self.add(list, f"blank_{speed}", "px ms", lambda: self.fling(list, speed, False))
        for count in COUNTS[:2]:
            self.add(list, "landing", "px", lambda: self.landing(list, count), count)
        if list.name != "swiper":  # its slides have equal widths
            self.add(list, "resize", "ms", lambda: self.resize(list, COUNTS[1]), COUNTS[1])
        for count in COUNTS:
            self.add(list, "memory", "MB", lambda: self.memory(list, count), count)


@contextmanager
def strips():
    """Serves a strip for each count, and one for flings. Yields the address and a token."""
    with TemporaryDirectory() as folder:
        database, file = Path(folder) / "s.db", Path(folder) / "s.jsonl"
        for count in {*COUNTS, FLUNG}:
            with file.open("w") as lines:
                for n in range(count):
                    lines.write(f'{{"id":"i{n}","width":{width_of(n)},"fields":{{"title":"Item {n}"}}}}\n')
            run("import", file, "--database", database, "--strip", f"s{count}", "--gap", GAP)
        file.unlink()
        token = run("token", "create", "--database", database, "--strip", f"s{COUNTS[1]}").stdout.split()[-1]
        with serving("--database", database) as address:
            yield address, token


def measure_rivals(browser, table, sources, own_bytes):
    """Measures the strip, and each rival of which `sources` has a folder."""
    beside = Beside(browser, table)
    with strips() as (address, token):
        table.add("carousel_bytes", own_bytes, "B")
        beside.measure(OwnPage(address, token))
    with TemporaryDirectory() as folder, pages(folder) as address:
        for rival in RIVALS:
            if not (sources / rival.name).is_dir():
                print(f"{rival.name} is missing: {sources} has no such folder", flush=True)
                continue
            table.add(f"{rival.name}_bytes", bundle(rival, sources, Path(folder)), "B")
            beside.measure(RivalPage(rival.name, address))
