"""The recipes of Examples/ work in pages of another origin."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from cases import case
from conftest import ROOT, serving
from strip import LIMIT, STYLED, Strip, poll, serve
from test_first_window import WATCH_SHIFTS
from test_live import FRAMES

WRITTEN = "http://127.0.0.1:8080"
MODULES = Path("/usr/share/nodejs")

pytestmark = pytest.mark.documents


class Files(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def recipe(tmp_path, address):
    """Copies a recipe, with the address of the tests' server in it. Returns the folder."""

    def recipe(name):
        folder = tmp_path / name
        shutil.copytree(ROOT / "Examples" / name, folder)
        for file in filter(Path.is_file, folder.iterdir()):
            file.write_text(file.read_text().replace(WRITTEN, address))
        if (folder / "index.html").exists():
            assert WRITTEN in (ROOT / "Examples" / name / "index.html").read_text()
        return folder

    return recipe


@pytest.fixture
def served():
    """Serves a folder on a free port. Returns the address."""
    servers = []

    def served(folder):
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield served
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def running():
    """Starts a program that serves at the port `{port}` of its arguments. Returns the address once it answers."""
    processes = []

    def running(folder, *command, **environment):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [str(part).replace("{port}", str(port)) for part in command]
        process = subprocess.Popen(command, cwd=folder, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        processes.append(process)
        limit = monotonic() + LIMIT
        while monotonic() < limit:
            assert process.poll() is None
            try:
                urlopen(f"http://127.0.0.1:{port}/", timeout=LIMIT).close()
                return f"http://127.0.0.1:{port}/"
            except ConnectionRefusedError:
                pass
            except OSError as error:
                if not isinstance(getattr(error, "reason", None), ConnectionRefusedError):
                    raise
        raise AssertionError("the program does not answer")

    yield running
    for process in processes:
        process.terminate()
        process.wait(timeout=LIMIT)


@pytest.fixture
def opened(open_page, recipe, served):
    """Opens the page of a recipe, and waits until its strip of albums is at rest. `among` selects one of several strips."""

    def opened(name, among="carousel-strip"):
        page = open_page(served(recipe(name)))
        page.wait_for_function("(among) => document.querySelector(among)?.items?.[0]?.fields", arg=among)
        strip = Strip(page, "albums")
        if among == "carousel-strip":
            strip.settle()
        return page, strip

    return opened


@pytest.mark.parametrize("name", ["html", "product-row"])
def test_a_page_shows_a_strip_and_scrolls_it(opened, name):
    page, strip = opened(name)
    if name == "product-row":
        must_show_products(page, strip)
    strip.rest(page.get_by_role("button", name="Next").click)
    assert strip.offset > 0
    expect(page.locator("carousel-strip li[data-id] img").first).to_be_attached()


def must_show_products(page, strip):
    """Products are links, the heading is aligned with the cards, and a hairline has the shape of its picture."""
    expect(strip.card(0).get_by_role("link")).to_have_attribute("href", strip.evaluate("(strip) => `https://shop.example/albums/${encodeURIComponent(strip.items[0].fields.title)}`"))
    left = "(node) => node.getBoundingClientRect().x"
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        strip.settle()
        assert abs(page.locator("h1").evaluate(left) - strip.card(0).evaluate(left)) <= 1
    for focuses in (False, True):
        if focuses:
            page.keyboard.press("Tab")
            expect(page.locator("li:focus-visible")).to_have_count(1)
        link = strip.card(0).locator(".product")
        assert link.evaluate("(link) => getComputedStyle(link, '::after').content") == "none"
        strip.evaluate(STYLED)
        style = "(image) => { const { outlineWidth, outlineOffset, borderRadius } = getComputedStyle(image); return [outlineWidth, outlineOffset, borderRadius] }"
        assert link.locator("img").evaluate(style) == ["1px", "-1px", "12px"]


def test_the_thinnest_client_makes_no_node_after_its_pools_are_full(open_page, recipe, served):
    page = open_page(served(recipe("thin")))
    shown = page.locator("li:not([hidden])")
    expect(shown.first).to_be_visible()
    for offset in [*range(0, 3000, 150), 9000, 0, 4000]:
        page.evaluate("(left) => { document.getElementById('viewport').scrollLeft = left }", offset)
        left = page.evaluate("document.getElementById('viewport').scrollLeft")
        # The first card at the viewport's edge: 180 px wide, 10 px apart.
        index = int((left + 10) // 190)
        card = page.locator(f"li:not([hidden])[aria-posinset='{index + 1}']")
        expect(card).to_have_css("transform", f"matrix(1, 0, 0, 1, {index * 190}, 0)")
    # A stretch of 1,920 px meets 12 cards at most.
    assert page.locator("li").count() <= 12
    # A browser keeps the former picture of an `<img>` until the next one is loaded. It is hidden.
    page.evaluate("() => { document.getElementById('viewport').scrollLeft = 0 }")
    expect(page.locator("li[aria-posinset='1'] img:visible")).to_have_count(1)
    page.route("**/covers/**", lambda route: None)  # never answered
    page.evaluate("() => { document.getElementById('viewport').scrollLeft = 4000 }")
    expect(page.locator("li:not([hidden])[aria-posinset='23']")).to_have_count(1)
    expect(page.locator("li[aria-posinset='23'] img")).to_be_hidden()


def test_a_timeline_shows_the_year_at_its_leading_edge(opened):
    page, strip = opened("timeline")
    for index in (0, 6, 30):
        strip.scroll_to(index=index)
        year = strip.evaluate("async (strip) => (await strip.window({ offset: strip.offset, width: 300 })).group.title")
        expect(page.locator(".group")).to_have_text(year)
        expect(page.locator(".group")).to_be_visible()


CARD = '<template data-kind="card"><b>{title}</b></template>'
HEADING = '<p class="group"></p>'


def test_a_strip_has_the_same_height_from_the_server_and_from_the_script(open_page, tmp_path):
    shutil.copytree(ROOT / "Public", tmp_path / "public")
    (tmp_path / "public/templates").mkdir()
    (tmp_path / "public/templates/plain.html").write_text(CARD)
    (tmp_path / "public/templates/headed.html").write_text(CARD + HEADING)
    html = '<!doctype html><html lang="en"><title>Two</title><link rel="icon" href="data:,"><script type="module" src="/js/embed.js"></script><body>'
    cases = [(name, *template) for name in ("albums", "billion") for template in (("", ""), ("plain", ""), ("headed", HEADING))]
    with serving("--public", tmp_path / "public") as address:
        for name, template, heading in cases:
            with urlopen(f"{address}/window?strip={name}&width=1280&format=element&attr-controls=scrubber&template={template}") as answer:
                html += f"<section>{answer.read().decode()}"
            html += f'<carousel-strip strip="{name}" controls="scrubber" aria-label="Made">{CARD if template else ""}{heading}<ul></ul></carousel-strip></section>'
        page = open_page("about:blank", viewport={"width": 1280, "height": 6000})
        serve(page, "/two", html)
        page.goto(f"{address}/two")
        page.wait_for_function("() => [...document.querySelectorAll('carousel-strip')].every((strip) => strip.current)")
        for place, (name, template, heading) in enumerate(cases):
            with case(name, template):
                section = page.locator("section").nth(place)
                for strip in section.locator("carousel-strip").all():
                    strip.evaluate(STYLED)
                first, second = section.locator("carousel-strip").evaluate_all("(strips) => strips.map((strip) => strip.getBoundingClientRect().height)")
                assert first == second
                expect(section.locator(".group")).to_have_text(["1959" if name == "albums" else ""] * (2 if heading else 0))
        page.close()  # before its server stops


SNIPPETS = [
    '<carousel-strip strip="albums" controls="previous scrubber next" aria-label="Albums"></carousel-strip>',
    '<carousel-strip strip="albums" aria-label="Albums"><template data-kind="card"><img src="{image}" alt=""><p class="title">{title}</p></template><ul></ul></carousel-strip>',
    '<carousel-strip strip="albums" controls="scrubber" aria-label="Albums"><p class="group"></p></carousel-strip>',
    '<carousel-search for="art"></carousel-search><carousel-strip id="art" strip="albums" controls="previous scrubber next" aria-label="Art"></carousel-strip>',
]


@pytest.mark.parametrize("options", [{}, {"viewport": {"width": 375, "height": 700}, "has_touch": True}], ids=["mouse", "touch"])
def test_nothing_moves_when_a_strip_of_the_readme_and_its_groups_arrive(open_page, options):
    page = open_page("about:blank", **options)
    page.add_init_script(WATCH_SHIFTS)
    page.route("**/css/card.css", lambda route: held.append(route))  # it comes after the cards
    head = '<title>One</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/css/strip.css"><script type="module" src="/js/embed.js"></script><script type="module" src="/js/filters/search.js"></script>'
    for k, snippet in enumerate(SNIPPETS):
        held = []
        html = f'<!doctype html><html lang="en">{head}<body><h1>One</h1>{snippet}<h2>After</h2>'
        serve(page, f"/snippet-{k}", html)
        page.goto(f"/snippet-{k}")
        page.wait_for_function("() => document.querySelector('carousel-strip').current")
        poll(lambda: page.evaluate(FRAMES) or held, lambda: "card.css is not requested")
        held[0].continue_()
        if "scrubber" in snippet:
            page.wait_for_function("() => document.querySelector('carousel-strip').shadowRoot.querySelector('[part=titles]')?.firstChild")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("() => window.shifts") == [], snippet


def test_there_is_a_shelf_for_each_strip(opened, address):
    page, _ = opened("shelves", among="[strip=albums]")
    with urlopen(f"{address}/strips?limit=20") as answer:
        count = len(json.load(answer)["strips"])
    expect(page.locator("carousel-strip")).to_have_count(count)


def test_a_viewer_opens_a_picture_which_the_address_names(opened):
    page, _ = opened("viewer", "carousel-strip[layout]")
    card = page.locator("carousel-strip li[data-id]:has(img[src])").nth(2)
    name = card.get_attribute("data-id")
    card.click()
    expect(page.get_by_role("dialog", name="Covers")).to_be_visible()
    page.wait_for_function("(name) => new URL(location).searchParams.get('picture') === name && document.querySelector('dialog .fields h2')", arg=name)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(f"carousel-strip li[data-id='{name}']")).to_be_focused()


def test_a_lightbox_opens_at_a_tap_and_goes_on_with_the_arrow_keys(opened):
    page, strip = opened("lightbox")
    strip.card(1).click()
    dialog = page.get_by_role("dialog")
    title = "(strip, index) => strip.items.find((item) => item.index === index).fields.title"
    expect(dialog.locator("p")).to_contain_text(strip.evaluate(title, 1))
    page.keyboard.press("ArrowRight")
    expect(dialog.locator("p")).to_contain_text(strip.evaluate(title, 2))
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_thumbnails_follow_the_main_strip_and_lead_it(opened):
    page, _ = opened("thumbnails", among="#thumbnails")
    main, thumbnails = page.locator("#main"), page.locator("#thumbnails")
    selected = "(strip, index) => strip.selected?.index === index"
    thumbnails.locator("[data-index='5']").click()
    page.wait_for_function("() => document.getElementById('main').selected?.index === 5")
    main.evaluate("(strip) => strip.select(9)")
    page.wait_for_function("() => document.getElementById('thumbnails').selected?.index === 9")
    assert main.evaluate(selected, 9)


def test_a_search_field_a_sort_menu_and_facets_change_the_strip(opened):
    page, strip = opened("search")
    count = "(count) => document.querySelector('carousel-strip').meta.count === count"
    page.locator("[slot=form] [name=q]").fill("no such album")
    page.wait_for_function(count, arg=0)
    page.locator("[slot=form] [name=q]").fill("")
    page.wait_for_function(count, arg=50)
    chip = page.get_by_role("group", name="Genre").get_by_role("button").first
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count < 50")
    page.locator("[slot=form] [name=sort]").select_option("Newest first")
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.view?.sort")


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_a_category_page_filters_and_sorts_a_grid(open_page, recipe, served, width):
    page = open_page(served(recipe("category")), viewport={"width": width, "height": 844})
    page.wait_for_function("() => document.querySelectorAll('carousel-facets:state(loaded)').length === 4")
    page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
    expect(page.locator("[data-id=a0]")).to_contain_text("€17.50")
    line = page.locator("#count")
    expect(line).to_have_text("50 records")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    column = page.locator("#filters")
    if width < 960:
        expect(column).to_be_hidden()
        page.get_by_role("button", name="Filters").click()
        sheet = column.bounding_box()
        assert (sheet["x"], sheet["width"], sheet["y"] + sheet["height"]) == (0, width, 844)
    box = column.get_by_role("group", name="Genre").get_by_role("checkbox", name="Soul")
    box.check()
    expect(line).to_have_text("4 of 50 records")
    box.uncheck()
    expect(line).to_have_text("50 records")
    if width < 960:
        page.get_by_role("button", name="Show 50 records").click()
        expect(column).to_be_hidden()
    page.get_by_label("Sort by").select_option("-year")
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.view?.sort === '-year'")
    page.wait_for_function("() => +document.querySelector('carousel-strip').items?.[0]?.fields?.year === 2015")


RECORDS = ROOT / "Examples/category/templates"


def test_a_category_page_has_names_prices_and_stock_before_the_script(open_page, recipe, running, address, tmp_path):
    shutil.copytree(ROOT / "Public", tmp_path / "public")
    shutil.copytree(RECORDS, tmp_path / "public/templates")
    folder = recipe("category")
    with serving("--public", tmp_path / "public") as own:
        for file in (folder / "serve.py", folder / "index.html"):
            file.write_text(file.read_text().replace(address, own))
        url = running(folder, sys.executable, "serve.py", "{port}")
        page = open_page(url)
        html = page.request.get(url).text()
        soul = page.request.get(f"{url}?records-where=genre%20%3D%20Soul").text()
        page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
        expect(page.locator("#count")).to_have_text("50 records")
    first, third = (html.split(f'data-id="{item}"')[1].split("</li>")[0] for item in ("a0", "a2"))
    for part in ("Kind of Blue", "Miles Davis", "€17.50", "1 in stock"):
        assert part in first.replace("\u00a0", " ")
    assert "hidden>Sold out" in first and ">Sold out" in third and "hidden>Sold out" not in third
    assert "Kind of Blue" in html and "Kind of Blue" not in soul


def test_the_server_and_the_script_draw_the_same_record():
    assert (RECORDS / "records.html").read_text().strip() in (ROOT / "Examples/category/index.html").read_text()


def test_without_its_heart_a_card_leaves_the_favourites_and_removed_items_do_not_count(open_page, recipe, served):
    url = served(recipe("favourites"))
    page = open_page(url)
    page.evaluate("() => localStorage.setItem('favourites', JSON.stringify(['a1', 'gone', 'a3']))")
    page.reload()
    expect(page.locator("output")).to_have_text("2")
    page.get_by_label("Only favorites").check()
    strip = Strip(page, "albums")
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 2")
    strip.settle()
    strip.element.locator("li[data-id=a1] .heart").click()
    expect(strip.element.locator("li[data-id=a1]")).to_have_count(0)
    expect(page.locator("output")).to_have_text("1")
    assert strip.evaluate("(strip) => strip.meta.count") == 1


# Delays what scripts request.
LATE = """const original = window.fetch;
window.fetch = async (...request) => {
  await new Promise((go) => setTimeout(go, 600));
  return original(...request);
};"""

LOADED = """() => [...document.querySelectorAll("carousel-search, carousel-filters, carousel-strip")].every(({ shadowRoot }) =>
  shadowRoot?.adoptedStyleSheets.some(({ cssRules }) => cssRules.length > 12))"""

LATE_SHEETS = LATE.replace("await new", "if (/(filters|controls)[.]css/.test(request[0]?.url ?? request[0])) await new")

SHIFTS = """new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    shift.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 60) ?? String(node))]);
  }
}).observe({ type: "layout-shift", buffered: true });
window.shift = [];"""


FILTERED = """<!doctype html><html lang="en"><title>Filtered</title><link rel="stylesheet" href="/css/strip.css">
<script type="module" src="/js/embed.js"></script><script type="module" src="/js/filters/search.js"></script>
<script type="module" src="/js/filters/filters.js"></script>
<body><carousel-search for="s"></carousel-search><carousel-filters for="s"></carousel-filters>
<carousel-strip id="s" strip="albums" %s></carousel-strip><p>Below"""


@pytest.mark.parametrize("filter, width", [('where="year > 1960"', 1440), ('q="love"', 390), ('q="zzzzqq"', 1440), ('q="zzzzqq"', 390)])
def test_a_filtered_strip_shifts_nothing_if_its_style_sheets_are_late(open_page, width, filter):
    page = open_page("about:blank", viewport={"width": width, "height": 900})
    page.add_init_script(LATE_SHEETS + SHIFTS)
    serve(page, "/filtered", FILTERED % filter)
    page.goto("/filtered")
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.view")
    page.wait_for_function(LOADED)
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    shift = page.evaluate("() => shift")
    assert sum(value for value, *_ in shift) <= 0.005, shift


HEADED = """<!doctype html><html lang="en"><title>Headed</title><link rel="stylesheet" href="/css/strip.css">
<script type="module" src="/js/embed.js"></script><script type="module" src="/js/filters/facets.js"></script>
<body><carousel-facets for="s" field="genre"><h3>Genre</h3></carousel-facets>
<carousel-facets for="s" field="label">%s</carousel-facets>
<carousel-strip id="s" strip="albums"></carousel-strip><p>Below"""


def open_before_scripts(page, address, script):
    """Opens a page with an initial script. Its own scripts come after the strip has its height and was painted."""
    held = []
    page.add_init_script(script)
    page.route("**/js/**", lambda route: held.append(route) if held is not None else route.continue_())
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => document.querySelector('carousel-strip')?.offsetHeight > 100")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    waiting, held = held, None
    for route in waiting:
        route.continue_()


@pytest.mark.parametrize("heading, width, late", [("<h3>Record label</h3>", 1440, ""), ("<h3>Record label</h3>", 390, LATE_SHEETS), ("Record label", 390, ""), ("Record label", 1440, LATE_SHEETS)], ids=["wide", "narrow, late", "text, narrow", "text, wide, late"])
def test_facets_with_a_heading_shift_nothing(open_page, width, late, heading):
    page = open_page("about:blank", viewport={"width": width, "height": 900})
    serve(page, "/headed", HEADED % heading)
    open_before_scripts(page, "/headed", late + SHIFTS)
    page.wait_for_function("() => document.querySelectorAll('carousel-facets:state(loaded)').length === 2")
    page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    shift = page.evaluate("() => shift")
    assert sum(value for value, *_ in shift) <= 0.001, shift


@pytest.mark.parametrize("width", [1440, 390])
def test_search_and_facets_shift_nothing(open_page, recipe, served, width):
    page = open_page("about:blank", viewport={"width": width, "height": 900})
    open_before_scripts(page, served(recipe("search")), LATE + SHIFTS)
    page.wait_for_function("() => document.querySelector('carousel-facets:state(loaded)')")
    strip = Strip(page, "albums")
    page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
    strip.settle()

    def must_stand():
        page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
        shift = page.evaluate("() => shift")
        assert sum(value for value, *_ in shift) <= 0.005, shift

    must_stand()
    count = "(count) => document.querySelector('carousel-strip').meta.count === count"
    page.locator("[slot=form] [name=q]").fill("no such album")
    page.wait_for_function(count, arg=0)
    expect(page.get_by_role("button", name="Clear filters").first).to_be_visible()
    must_stand()
    page.get_by_role("button", name="Clear filters").first.click()
    page.wait_for_function(count, arg=50)
    chip = page.get_by_role("group", name="Genre").get_by_role("button").nth(1)
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count < 50")
    must_stand()


def test_hearts_stay_with_their_items_and_filter_the_strip(opened):
    page, strip = opened("favourites")
    strip.card(1).get_by_role("button", name="Favorite").click()
    strip.scroll_to(index=30)
    # The focused card stays. All others are cards of other items.
    pressed = "(strip) => [...strip.querySelectorAll('li[data-id] [aria-pressed=true]')].map((heart) => heart.closest('li').dataset.id)"
    assert set(strip.evaluate(pressed)) <= {"a1"}
    page.get_by_label("Only favorites").check()
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 1")
    expect(page.locator("li[data-id] [aria-pressed=true]")).to_have_count(1)
    page.get_by_label("Only favorites").uncheck()
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 50")


def must_have_cards_before_the_script(url):
    with urlopen(url, timeout=LIMIT) as answer:
        html = answer.read().decode()
    assert "<carousel-strip" in html and 'data-slot="album-0"' in html


def must_scroll(page):
    strip = Strip(page, "albums")
    strip.settle()
    strip.rest(page.get_by_role("button", name="Next").click)
    assert strip.offset > 0
    return strip


@pytest.mark.skipif(not shutil.which("php"), reason="php-cli is not installed")
def test_a_page_of_php_includes_a_strip(open_page, recipe, running):
    url = running(recipe("php"), "php", "-S", "127.0.0.1:{port}", "index.php")
    must_have_cards_before_the_script(url)
    page = open_page(url)
    must_scroll(page)


@pytest.mark.skipif(not find_spec("django"), reason="Django is not installed")
def test_a_page_of_django_includes_a_strip(open_page, recipe, running):
    url = running(recipe("django"), sys.executable, "carousel.py", "runserver", "--noreload", "{port}")
    must_have_cards_before_the_script(url)
    must_scroll(open_page(url))


@pytest.mark.skipif(not shutil.which("ruby"), reason="ruby is not installed")
def test_a_helper_of_rails_includes_a_strip(open_page, recipe, served):
    folder = recipe("rails")
    script = "require './carousel_helper'; require 'erb'; include CarouselHelper; puts ERB.new(File.read('index.html.erb')).result(binding)"
    page = subprocess.run(["ruby", "-Eutf-8", "-e", script], cwd=folder, check=True, capture_output=True).stdout
    (folder / "index.html").write_bytes(page)
    url = served(folder)
    must_have_cards_before_the_script(url)
    must_scroll(open_page(url))


NEEDS_REACT = pytest.mark.skipif(not (MODULES / "react-dom").exists() or not shutil.which("esbuild"), reason="node-react-dom is not installed")


def bundle(folder, name, *options):
    line = ["esbuild", f"{name}.jsx", "--bundle", "--jsx=automatic", "--log-level=warning", *options]
    subprocess.run(line, cwd=folder, env=os.environ | {"NODE_PATH": str(MODULES)}, check=True)


@NEEDS_REACT
def test_react_renders_a_strip_on_the_server_and_hydrates_it(open_page, recipe, served):
    folder = recipe("react")
    bundle(folder, "client", "--format=esm", "--outfile=client.js")
    bundle(folder, "server", "--platform=node", "--format=esm", "--outfile=server.mjs", "--banner:js=import { createRequire } from 'module'; const require = createRequire(import.meta.url);")
    page = subprocess.run(["node", "server.mjs"], cwd=folder, check=True, capture_output=True).stdout
    (folder / "index.html").write_bytes(page)
    url = served(folder)
    must_have_cards_before_the_script(url)
    page = open_page(url)
    strip = must_scroll(page)
    page.locator("carousel-strip li[data-index]").last.evaluate("(card) => card.closest('carousel-strip').select(10)")
    expect(page.locator("main > [role=status]")).to_have_text(strip.evaluate("(strip) => `${strip.selected.fields.title}, ${strip.selected.fields.subtitle}`"))
    assert strip.element.locator("ul").count() == 1


def await_wall(page, row):
    """Waits until the page shows rows of this target height. Returns the wall."""
    shown = """(row) => {
      const wall = document.querySelector("carousel-strip");
      return wall.row === row && wall.axis?.query?.row === row && wall.items?.[0]?.fields && !wall.isWaiting;
    }"""
    page.wait_for_function(shown, arg=row)
    return page.locator("carousel-strip")


def must_reach_its_end(page, wall):
    """The page's own scroll bar leads to the last item, and few nodes show all items."""
    page.mouse.move(400, 400)
    page.evaluate("() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
    expect(wall.locator("[data-index='69201']")).to_be_in_viewport()
    assert wall.locator("li").count() < 300
    assert wall.evaluate("(wall) => Math.abs(wall.querySelector('ul').getBoundingClientRect().height - wall.meta.extent) < 1")


@pytest.mark.parametrize(("width", "row"), [(1280, 200), (390, 110)])
def test_a_wall_has_its_true_height_and_headings(open_page, recipe, served, width, row):
    page = open_page(served(recipe("wall")), viewport={"width": width, "height": 800})
    wall = await_wall(page, row)
    expect(wall.locator("[part=heading]").first).to_have_text("1826")
    must_reach_its_end(page, wall)


@NEEDS_REACT
def test_react_sets_the_attributes_of_a_wall(open_page, recipe, served):
    folder = recipe("react-wall")
    bundle(folder, "wall", "--outfile=wall.js")
    page = open_page(served(folder))
    wall = await_wall(page, 200)
    before = wall.evaluate("(wall) => wall.meta.extent")
    wall.locator("[data-index='1']").click()
    expect(page.get_by_role("status").first).to_have_text(wall.evaluate("(wall) => `${wall.selected.fields.title}, ${wall.selected.fields.subtitle}`"))
    page.get_by_label("Height of the rows").fill("100")
    await_wall(page, 100)
    page.wait_for_function("(before) => document.querySelector('carousel-strip').meta?.extent < before", arg=before)
    must_reach_its_end(page, wall)


@pytest.mark.skipif(not find_spec("django_htmx"), reason="django-htmx is not installed")
def test_htmx_puts_a_strip_into_the_page(open_page, recipe, served):
    folder = recipe("htmx")
    static = Path(find_spec("django_htmx").submodule_search_locations[0]) / "static/django_htmx"
    shutil.copy(static / "htmx-2.min.js", folder / "htmx.js")
    page = open_page(served(folder))
    page.get_by_role("button", name="Show albums").click()
    must_scroll(page)


@pytest.mark.skipif(not find_spec("turbo"), reason="turbo-django is not installed")
def test_turbo_keeps_a_strip_at_its_place(open_page, recipe, served):
    folder = recipe("turbo")
    static = Path(find_spec("turbo").submodule_search_locations[0]) / "static/turbo/js"
    shutil.copy(static / "turbo.min.js", folder / "turbo.js")
    page = open_page(served(folder) + "index.html")
    strip = must_scroll(page)
    offset = strip.offset
    page.evaluate("() => { window.kept = document.querySelector('carousel-strip'); }")
    page.get_by_role("link", name="About").click()
    expect(page.get_by_role("heading", name="About")).to_be_visible()
    strip.settle()
    assert page.evaluate("() => window.kept === document.querySelector('carousel-strip')")
    assert strip.offset == offset
