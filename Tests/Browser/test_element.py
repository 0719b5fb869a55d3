"""A strip in a page of another server, included by `format=element`, by `format=html`, and by its tag alone."""

import gzip
import shutil
import subprocess
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import ROOT, serving
from strip import IDLE, Strip

SHIFTS = """() => {
  window.shift = 0;
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => {
    window.shift += value;
    window.shifts.push([value, sources.map(({ node, previousRect, currentRect }) => [node?.nodeName, node?.className, previousRect.y, currentRect.y, previousRect.height, currentRect.height])]);
  })).observe({ type: "layout-shift", buffered: true });
}"""


# Whether as many cards are shown as the strip has items. In one call, since the strip may draw more items at any time.
SHOWS_ALL_ITEMS = "(strip) => [...strip.querySelectorAll('li')].filter((node) => node.checkVisibility()).length === strip.items.length"


def fetch(address, query):
    with urllib.request.urlopen(f"{address}/window?{query}") as answer:
        return answer.read().decode()


def page_with(address, strip, scripts=True):
    script = f'<script type="module" src="{address}/js/embed.js"></script>' if scripts else ""
    return f"""<!doctype html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,">
      {script}<h1>Before</h1>{strip}<p>{"After " * 400}</p>"""


def policy(address):
    allowed = "; ".join(f"{what} {address}" for what in ["script-src", "style-src", "connect-src", "img-src"])
    return f"default-src 'none'; {allowed} data:; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"


def open_watched(open_page, elsewhere, html, address, **options):
    page = open_page("about:blank", **options)
    page.add_init_script(f"({SHIFTS})()")
    page.goto(elsewhere(html, Content_Security_Policy=policy(address)))
    return page


QUERIES = {
    "albums": "strip=albums&width=1280&overscan=128",
    "elements": "strip=elements&width=1280&overscan=128&attr-controls=previous+scrubber+next",
    "in the middle": "strip=elements&offset=1234.5&width=1280&overscan=128&height=201.5",
    "billion": "strip=billion&index=500000&width=1280&overscan=128",
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_a_whole_element_is_taken_over_without_a_request_or_a_shift(open_page, elsewhere, address, query):
    element = fetch(address, query + "&format=element")
    assert element.startswith("<carousel-strip") and "<script" not in element and "style=" not in element
    page = open_page("about:blank")
    asked = []
    page.on("request", lambda request: "/window?" in request.url and asked.append(request.url))
    page.add_init_script(f"({SHIFTS})()")
    page.goto(elsewhere(page_with(address, element), Content_Security_Policy=policy(address)))
    strip = Strip(page, "")
    strip.settle()
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    assert page.evaluate("() => window.shifts") == []
    assert asked == []
    items = strip.evaluate("(strip) => strip.items")
    assert items and all(item["fields"] for item in items)
    # Afterwards it works like any other strip.
    strip.by(3000)
    assert asked
    url = f"{address}/window?strip={strip.evaluate('(strip) => strip.strip')}&offset={strip.offset}&width={strip.width}"
    height = strip.evaluate("(strip) => strip.meta.height")
    shown = page.request.get(f"{url}&height={height}").json()["items"]
    assert [card["id"] for card in strip.visible()] == [item["id"] for item in shown if item["start"] + item["size"] > strip.offset + 1]


@pytest.mark.parametrize("query", [QUERIES["elements"], QUERIES["in the middle"]], ids=["elements", "in the middle"])
def test_a_whole_element_shows_its_cards_without_scripts(open_page, elsewhere, address, query):
    page = open_watched(open_page, elsewhere, page_with(address, fetch(address, query + "&format=element"), scripts=False), address)
    window = page.request.get(f"{address}/window?{query.split('&attr')[0]}").json()
    box = page.locator("carousel-strip").bounding_box()
    for item in window["items"]:
        card = page.locator(f"li[data-index='{item['index']}']")
        expect(card.locator(".title, .banner")).to_have_text(item["fields"]["title"])
        place = card.bounding_box()
        assert place["width"] == pytest.approx(item["size"], abs=1 / 32)
        assert place["x"] - box["x"] == pytest.approx(item["start"] - window["offset"], abs=1)
    height = page.locator("li .picture, li .banner").first.bounding_box()["height"]
    assert height == pytest.approx(window["height"], abs=1 / 32)


def test_an_element_has_the_attributes_and_templates_that_are_asked_for(open_page, elsewhere, address):
    query = "strip=albums&width=600&format=element&attr-id=a&attr-class=b+c&attr-lang=de&attr-dir=rtl&attr-aria-label=%22Alben%22&attr-snap=center"
    page = open_watched(open_page, elsewhere, page_with(address, fetch(address, query)), address)
    strip = Strip(page, "albums")
    strip.settle()
    expect(page.locator("carousel-strip#a.b.c[lang=de][dir=rtl][snap=center]")).to_be_visible()
    expect(page.get_by_role("region", name='"Alben"')).to_be_visible()


@pytest.mark.parametrize(("attribute", "query"), [
    ('where="year = 1959"', "strip=albums&where=year+%3D+1959"),
    ('q="blue "', "strip=albums&q=blue"),
    ('sort="-year"', "strip=albums&sort=-year"),
    ('strip="elements"', "strip=elements"),
    ('height="120"', "strip=albums&height=120"),
    ("loop", "strip=albums&wrap=true"),
    ('layout="rows"', "strip=albums&layout=rows&width=1264"),
])
def test_an_element_with_another_view_than_its_window_asks_for_its_own(open_page, elsewhere, address, attribute, query):
    element = fetch(address, "strip=albums&width=1280&overscan=128&format=element").replace("<carousel-strip", f"<carousel-strip {attribute}", 1)
    page = open_watched(open_page, elsewhere, page_with(address, element), address)
    strip = Strip(page, "")
    wanted = page.request.get(f"{address}/window?{query}&height=600" if "layout" in query else f"{address}/window?{query}").json()
    page.wait_for_function("({ extent, count }) => { const { meta } = document.querySelector('carousel-strip'); return meta?.extent === extent && meta.count === count }", arg=wanted)
    strip.settle()
    assert strip.offset <= 0  # rows scroll with the page
    first = sorted(strip.visible(), key=lambda card: card["index"])[:2]
    assert [card["id"] for card in first] == [item["id"] for item in wanted["items"]][:2]
    assert strip.evaluate(SHOWS_ALL_ITEMS)


@pytest.mark.parametrize("around", ["<ul>{}</ul>", '<template data-kind="card"><p class="title">{{title}}</p></template><ul>{}</ul>'])
def test_an_incomplete_include_works_with_a_warning(open_page, elsewhere, address, around):
    items = fetch(address, "strip=albums&width=1280&offset=400&format=html")
    page = open_page("about:blank", complains=True)
    said = []
    # Its pictures have relative addresses, which the other server does not have.
    page.on("console", lambda message: "404" in message.text or said.append((message.type, message.text)))
    page.on("pageerror", lambda error: said.append(("error", str(error))))
    page.goto(elsewhere(page_with(address, f'<carousel-strip strip="albums">{around.format(items)}</carousel-strip>')))
    strip = Strip(page, "albums")
    strip.settle()
    assert [type for type, _ in said] == ["warning"] and "data-window" in said[0][1]
    assert [card["index"] for card in strip.visible()][:3] == [0, 1, 2]
    assert strip.evaluate(SHOWS_ALL_ITEMS)
    strip.by(2000)
    assert strip.visible()[0]["index"] > 5


@pytest.mark.parametrize("late", ["card", "controls"])
def test_an_embedded_strip_shifts_nothing_if_its_page_links_the_style_sheet(open_page, elsewhere, address, late):
    html = page_with(address, '<carousel-strip strip="albums" controls="previous next" aria-label="Albums"></carousel-strip>')
    html = html.replace("<script", f'<link rel="stylesheet" href="{address}/css/strip.css"><script', 1)
    page, pattern, held = open_page("about:blank"), f"**/css/{late}.css", []
    page.add_init_script(f"({SHIFTS})()")
    page.route(pattern, lambda route: held.append(route))
    with page.expect_request(pattern):
        page.goto(elsewhere(html, Content_Security_Policy=policy(address)))
    Strip(page, "albums").settle()
    with page.expect_request_finished(lambda request: request.url.endswith(f"/{late}.css")):
        held[0].continue_()
    page.evaluate(IDLE)
    assert page.evaluate("() => window.shift") == 0, page.evaluate("() => window.shifts")


SCRIPTS = {
    # The elements, and how many scripts the page takes at most besides the module that names the first one.
    '<carousel-strip strip="albums" controls="previous next"></carousel-strip>': 2,
    '<carousel-strip strip="albums" controls="previous scrubber next" snap="center" history></carousel-strip>': 3,
}


def test_a_bundle_takes_few_scripts_whose_names_have_a_hash(open_page, elsewhere, tmp_path):
    shutil.copytree(ROOT / "Public", tmp_path / "Public", ignore=shutil.ignore_patterns("bundle"))
    subprocess.run([ROOT / "Scripts/bundle", tmp_path / "Public"], check=True)
    with serving("--public", tmp_path / "Public") as address:
        for element, count in [*SCRIPTS.items(), (None, 3)]:
            page = open_page("about:blank")
            scripts = []
            page.on("response", lambda response: response.url.endswith(".js") and scripts.append(response))
            page.goto(elsewhere(page_with(address, element)) if element else f"{address}/?strip=albums")
            Strip(page, "albums").arrive()
            names, *bundles = scripts
            assert 0 < len(bundles) <= count, [script.url for script in scripts]
            assert names.headers["cache-control"] == "no-cache"
            assert {script.headers["cache-control"] for script in bundles} == {"public, max-age=31536000, immutable"}
            if element:
                assert len(gzip.compress(bundles[0].body(), mtime=0)) < 6000
            # A server that stops answers 503, which the page would report.
            page.close()


def test_without_a_name_a_strip_requests_and_draws_nothing(open_page):
    page = open_page("/galleries/albums.html")
    page.evaluate("() => document.querySelector('carousel-strip').replaceWith(document.createElement('carousel-strip'))")
    strip = Strip(page, "albums")
    frames = "async () => { for (let k = 0; k < 5; k += 1) await new Promise(requestAnimationFrame); }"
    asked = []
    page.on("request", lambda request: "/window?" in request.url and asked.append(request.url))
    page.evaluate(frames)
    assert asked == []
    assert strip.nodes() == 0
    strip.evaluate("(strip) => { strip.strip = 'albums' }")
    strip.arrive()
    strip.must_be_right()
    strip.evaluate("(strip) => { strip.strip = null }")
    page.evaluate(frames)
    assert strip.visible() == []
    strip.evaluate("(strip) => { strip.strip = 'elements' }")
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.strip === 'elements'")
    strip.settle()
    assert strip.offset == 0 and strip.visible()[0]["index"] == 0


def test_a_page_that_sets_the_caption_gets_the_default_style_sheet(open_page, elsewhere, address):
    html = page_with(address, '<style>carousel-strip { --caption: 2rem }</style><carousel-strip strip="albums"></carousel-strip>')
    strip = Strip(open_page(elsewhere(html), complains=True), "albums")
    strip.settle()
    strip.page.wait_for_function("() => getComputedStyle(document.querySelector('carousel-strip > ul')).listStyleType === 'none'")
    assert strip.evaluate("(strip) => strip.querySelector('ul').offsetHeight - strip.meta.height") == 32
