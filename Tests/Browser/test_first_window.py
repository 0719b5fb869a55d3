"""Strips before and while the element is loaded: what the first script draws, what it keeps, and what is loaded on demand."""

import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from conftest import ROOT
from strip import Strip, poll, show

PAGE = """<!doctype html><html lang="en"%s><title>First</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="%s/css/strip.css"><link rel="stylesheet" href="%s/css/card.css">%s
<script type="module" src="%s/js/embed.js"></script>
<body style="margin: 0">%s"""

PLAIN = '<carousel-strip strip="albums" controls="previous next" aria-label="Albums"></carousel-strip>'

WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => list.getEntries().forEach(({ value, startTime, sources }) => {
  window.shifts.push([value, startTime, ...sources.map(({ node, previousRect, currentRect }) => [node?.outerHTML?.slice(0, 100) ?? node?.nodeName, previousRect.toJSON(), currentRect.toJSON()])]);
})).observe({ type: "layout-shift", buffered: true });
"""

PLACES = """(strip) => [...strip.querySelectorAll("li")].filter((node) => node.checkVisibility()).map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  const parts = [...node.querySelectorAll(".picture, .title, .subtitle")].map((part) => part.getBoundingClientRect().toJSON());
  return [node.dataset.id, x, y, width, height, parts];
})"""


class Held:
    """A page whose element is not loaded until `arrive`."""

    def __init__(self, page, address, pattern):
        self.page, self.address, self.routes, self.asked = page, address, [], []
        page.on("request", lambda request: self.asked.append(request.url.removeprefix(address)))
        page.add_init_script(WATCH_SHIFTS)
        page.route(re.compile(pattern), lambda route: self.routes.append(route))
        self.strip = Strip(page, "albums")

    def evaluate(self, script, argument=None):
        return self.page.locator("carousel-strip").evaluate(script, argument)

    def arrive(self):
        poll(lambda: self.page.evaluate("() => 0") or self.routes, lambda: "the element is not requested")
        for route in self.routes:
            route.continue_()
        self.routes.clear()
        self.page.evaluate("() => customElements.whenDefined('carousel-strip').then(() => {})")

    def windows(self):
        return [one for one in self.asked if one.startswith("/window?")]


@pytest.fixture
def open_held(open_page, elsewhere, address):
    def open_held(html=PLAIN, more="", dir="", pattern="/on-demand"):
        page = open_page("about:blank")
        held = Held(page, address, pattern)
        page.goto(elsewhere(PAGE % (dir, address, address, more, address, html)))
        return held

    return open_held


# MARK: what the first script draws


@pytest.mark.parametrize("dir", ["", ' dir="rtl"'])
def test_the_first_script_draws_what_the_element_draws(open_held, dir):
    held = open_held(dir=dir)
    expect(held.page.locator("carousel-strip li").first).to_be_visible()
    held.page.wait_for_function("() => [...document.images].every(({ complete }) => complete)")
    before = held.evaluate(PLACES)
    assert len(before) > 5
    held.arrive()
    held.strip.arrive()
    after = held.evaluate(PLACES)
    count = min(len(before), len(after))  # the element draws less overscan
    assert count > 6 and after[:count] == before[:count]
    assert held.page.evaluate("() => window.shifts") == []
    assert len([one for one in held.windows() if "offset=0" in one]) == 1
    held.strip.by(-3000 if dir else 3000)
    if not dir:
        held.strip.must_be_right()


def test_a_strip_that_changes_or_leaves_meanwhile_is_the_elements(open_held):
    held = open_held(PLAIN + '<carousel-strip strip="billion" id="left"></carousel-strip><script type="module">left.remove()</script>', more='<script type="module">document.querySelector("carousel-strip").strip = "elements"</script>')
    held.arrive()
    held.page.wait_for_function("() => document.querySelector('carousel-strip').meta?.strip === 'elements'")
    held.strip.settle()
    assert held.evaluate("(strip) => [Object.hasOwn(strip, 'strip'), strip.getAttribute('strip')]") == [False, "elements"]
    assert held.evaluate("(strip) => strip.items[0].fields.title") == "Period 1"


# MARK: nothing is lost


def test_a_scroll_before_the_element_is_kept(open_held):
    held = open_held()
    expect(held.page.locator("carousel-strip li").first).to_be_visible()
    held.evaluate("(strip) => { strip.scrollLeft = 137 }")
    before = held.evaluate(PLACES)
    held.arrive()
    held.strip.settle()
    assert held.strip.offset == 137 and held.evaluate(PLACES)[:3] == before[:3]
    held.strip.must_be_right()


def test_a_scroll_of_the_servers_cards_is_kept(open_held, address):
    with urlopen(f"{address}/window?strip=albums&offset=1000&width=1280&overscan=400&format=element") as answer:
        element = answer.read().decode()
    held = open_held(element, more=f'<link rel="stylesheet" href="{address}/css/lengths.css">')
    held.evaluate("(strip) => { strip.scrollLeft = 90 }")
    before = {one[0]: one[1] for one in held.evaluate(PLACES)}
    held.arrive()
    held.strip.settle()
    after = {one[0]: one[1] for one in held.evaluate(PLACES)}
    for id in set(before) & set(after):
        assert abs(before[id] - after[id]) < 0.5, id


def test_the_servers_cards_lead_on_though_a_filter_is_rejected(open_page, elsewhere, address):
    with urlopen(f"{address}/window?strip=albums&offset=1000&width=1280&overscan=400&format=element") as answer:
        element = answer.read().decode()
    page = open_page("about:blank", complains=True)
    page.goto(elsewhere(PAGE % ("", address, address, f'<link rel="stylesheet" href="{address}/css/lengths.css">', address, element)))
    strip = Strip(page, "albums")
    strip.settle()
    strip.evaluate("(strip) => new Promise((go) => { strip.addEventListener('error', go); strip.where = 'no filter ('; }).then(() => {})")
    strip.evaluate("(strip) => { strip.scrollLeft += 3000; }")
    page.wait_for_function("() => { const { isReloading, isWaiting, offset } = document.querySelector('carousel-strip'); return !isReloading && !isWaiting && offset === 4000; }")
    strip.must_be_right()


def test_a_tap_and_calls_before_the_element_are_repeated(open_held):
    held = open_held()
    held.page.locator("carousel-strip li").nth(2).click()
    held.evaluate("""(strip) => {
      window.shown = [];
      const remove = strip.kind("album", { select: () => window.shown.push("removed") });
      remove();
      strip.kind("album", { select: ({ index }) => window.shown.push(index) });
      strip.kind("card", { select: ({ index }) => window.shown.push(index) });
    }""")
    held.arrive()
    held.page.wait_for_function("() => window.shown.length")
    assert held.page.evaluate("() => window.shown") == [2]
    assert held.evaluate("(strip) => [strip.selected.index, Object.hasOwn(strip, 'select')]") == [2, False]


def test_a_strip_whose_include_is_broken_asks_the_server(open_page):
    page = open_page("/?strip=elements", complains=True)
    page.evaluate("""async () => { await import("/js/embed.js"); document.body.innerHTML = `<carousel-strip strip="albums" data-window="{"><ul><li data-index="0">Cut</li></ul></carousel-strip>` }""")
    strip = Strip(page, "albums")
    strip.arrive()
    strip.must_be_right()


def test_the_script_of_the_documentation_awaits_the_element(open_held):
    script = re.search(r"<script>\n.*?whenDefined.*?</script>", (ROOT / "Documentation/site/element.md").read_text(), re.DOTALL)[0]
    held = open_held(PLAIN + script)
    logged = []
    held.page.on("console", lambda said: logged.append(said.text))
    held.arrive()
    held.page.wait_for_function("() => { const { selected, meta } = document.querySelector('carousel-strip'); return selected?.id && meta.view?.where }")
    held.strip.settle()
    assert held.evaluate("(strip) => [strip.where, strip.meta.view.where, strip.selected.index]") == ["year > 1980", "year > 1980", 2]
    years = {card["id"]: card["fields"]["year"] for card in held.evaluate("(strip) => strip.items")}
    new = held.evaluate("(strip) => [...strip.querySelectorAll('li.new[data-id]')].map(({ dataset }) => dataset.id)")
    assert sorted(new) == sorted(id for id, year in years.items() if year > 1990) != []
    assert logged == [held.evaluate("(strip) => strip.selected.id")]


ADD = """async () => {
  await import("/js/embed.js");
  document.body.innerHTML = '<carousel-strip strip="albums" controls="scrubber" autoplay="100000"></carousel-strip>';
}"""


def test_a_page_that_has_the_element_keeps_it_and_gets_the_card(open_page):
    page = open_page("/?strip=elements")
    routes = []
    page.route(re.compile("/on-demand"), lambda route: routes.append(route))
    page.evaluate(ADD)  # an element without a template
    strip = Strip(page, "albums")
    strip.arrive()
    strip.must_be_right()
    poll(lambda: page.evaluate("() => 0") or routes, lambda: "the element is not requested")
    with page.expect_response(re.compile("/on-demand")):
        routes.pop().continue_()
    page.evaluate(ADD)
    strip.arrive()
    strip.must_be_right()
    parts = "(strip) => ['pause', 'scrubber'].map((part) => strip.shadowRoot.querySelectorAll(`[part=${part}]`).length)"
    assert strip.evaluate(parts) == [1, 1]


# MARK: on demand


def loaded(held):
    return [one for one in held.asked if re.search(r"optional|autoplay|snap", one)]


def test_a_plain_strip_loads_no_optional_plugins(open_held):
    held = open_held()
    held.arrive()
    held.strip.arrive()
    assert loaded(held) == []
    held.evaluate("(strip) => strip.setAttribute('snap', 'center')")
    held.page.wait_for_function("() => performance.getEntriesByType('resource').some(({ name }) => /optional/.test(name))")
    held.strip.evaluate("async (strip) => { strip.select(5); await new Promise((go) => strip.addEventListener('settle', go, { once: true })) }")
    held.strip.evaluate("async (strip) => { strip.scrollBy({ left: 50 }); while (!strip.current || Math.abs(strip.offsetOf(strip.current) - strip.offset) >= 1) await new Promise(requestAnimationFrame) }")


def test_a_later_control_takes_its_place_in_the_line(open_held):
    held = open_held()
    held.arrive()
    held.strip.arrive()
    held.evaluate("(strip) => strip.setAttribute('controls', 'previous scrubber dots next')")
    held.page.wait_for_function("() => document.querySelector('carousel-strip').shadowRoot.querySelector('[part=dots]')")
    parts = "(strip) => [...strip.shadowRoot.querySelector('[part=controls]').children].map((one) => one.part.value).filter((one) => one)"
    assert held.evaluate(parts) == ["step", "scale", "dots", "step", "status"]


@pytest.mark.parametrize("attributes", ['initial-index="20" snap="center" inset="center"', 'controls="dots scrubber"', 'style="--strip-snap: start; --strip-inset: 30"'])
def test_what_draws_first_is_there_before_the_first_draw(open_held, attributes):
    held = open_held(f'<carousel-strip strip="albums" {attributes}></carousel-strip>', pattern="optional-on-demand")
    poll(lambda: held.page.evaluate("() => 0") or held.routes, lambda: "not requested")
    held.page.evaluate("async () => { for (let k = 0; k < 10; k += 1) await new Promise(requestAnimationFrame) }")
    assert held.evaluate("(strip) => strip.items?.length ?? 0") == 0
    held.arrive()
    held.strip.arrive()
    assert held.evaluate("(strip) => strip.items.length") > 0


# MARK: nothing is requested twice


SHELVES = "".join(f'<carousel-strip strip="{name}" aria-label="{name}"></carousel-strip>' for name in ["albums", "elements", "billion", "landscapes", "moons"])


@pytest.mark.parametrize(("html", "count"), [(SHELVES, 5), ('<carousel-strip strip="none" aria-label="None"></carousel-strip>', 1)])
def test_the_element_takes_a_window_that_waits_for_a_style_sheet(open_page, html, count):
    page = open_page("about:blank", complains=True, viewport={"width": 1280, "height": 3000})
    page.clock.install()
    page.add_init_script("delete window.requestIdleCallback; IntersectionObserver = class extends IntersectionObserver { constructor(call, options) { super(options?.threshold > 0.9 ? () => {} : call, options) } }")  # no prefetches
    asked, answered, held = [], [], []
    page.on("request", lambda request: asked.append(request.url) if "/window?" in request.url else None)
    page.on("requestfinished", lambda request: answered.append(request.url) if "/window?" in request.url else None)
    page.route("**/css/card.css", lambda route: held.append(route))
    page.route("**/on-demand*", lambda route: held.append(route))
    show(page, html, '<link rel="stylesheet" href="/css/strip.css">')
    poll(lambda: page.evaluate("() => 0") or len(answered) == count, lambda: "no window")
    poll(lambda: page.evaluate("() => 0") or len(held) == 2, lambda: "the element is not requested")
    page.clock.fast_forward(10_000)  # on a slow phone
    next(route for route in held if "on-demand" in route.request.url).continue_()
    page.wait_for_function("() => customElements.get('carousel-strip')")
    page.evaluate("async () => { for (let k = 0; k < 10; k += 1) await new Promise(requestAnimationFrame) }")
    next(route for route in held if "card" in route.request.url).continue_()
    page.wait_for_function("() => [...document.querySelectorAll('carousel-strip')].every((strip) => strip.items[0]?.fields || strip.shadowRoot.querySelector('[part=notice]').textContent)")
    assert sorted(asked) == sorted(set(asked)) and len(asked) == count


FIREFOX = "throw new TypeError('error loading dynamically imported module: %s')"  # it gets the module from another address then


@pytest.mark.parametrize("fail", [lambda route: route.abort(), lambda route: route.fulfill(content_type="text/javascript", body=FIREFOX % route.request.url)])
def test_without_an_optional_script_strips_show_their_cards_and_get_it_later(open_page, elsewhere, address, fail):
    page = open_page("about:blank", complains=True)
    page.route("**/optional-on-demand*", fail)
    strips = '<carousel-strip strip="albums" snap="center" controls="dots"></carousel-strip><carousel-strip strip="landscapes"></carousel-strip>'
    page.goto(elsewhere(PAGE % ("", address, address, "", address, strips)))
    page.wait_for_function("() => [...document.querySelectorAll('carousel-strip')].every((strip) => strip.items?.length && !strip.isWaiting)")
    page.unroute("**/optional-on-demand*")
    page.wait_for_function("() => document.querySelector('carousel-strip').shadowRoot.querySelector('[part=dots]')")
