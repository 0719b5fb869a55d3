"""Attributes follow the width of the strip's container, in Chromium, Firefox and WebKit."""

from contextlib import ExitStack

import pytest

from anywhere import StripAnywhere
from strip import Strip, serve, show

pytestmark = pytest.mark.logic

HTML = """<div id="container">
  <carousel-strip id="strip" strip="albums" height="120" snap="center" controls="dots"></carousel-strip>
</div>"""

CSS = """#container { container-type: inline-size; width: 900px }
@container (min-width: 600px) {
  carousel-strip { --strip-height: 240; --strip-snap: off; --strip-controls: previous next; --strip-loop: on }
}"""

SHOW = """async (_, [html, css]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  await import("/js/embed.js");
  document.body.innerHTML = html;
}"""

STATE = """(strip) => [strip.meta?.height, strip.meta?.wrap, strip.snap,
  [...strip.shadowRoot.querySelectorAll("[part=controls] > [part]:not([part=status])")].map((one) => one.part[0]).join(" ")]"""

WIDE = [240, True, None, "step step"]
NARROW = [120, False, "center", "dots"]


@pytest.fixture
def strip(engine, address):
    with ExitStack() as pages:
        pages.enter_context(engine.show(1280, 800, 1))
        strip = StripAnywhere(engine, address, "albums", 1)
        strip.open()
        strip.evaluate(SHOW, [HTML, CSS])
        yield strip
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


def await_state(strip, state):
    strip.wait_until(f"(strip, state) => JSON.stringify(({STATE})(strip)) === JSON.stringify(state)", state)


def test_a_container_query_sets_attributes_and_restores_those_of_the_page(strip):
    await_state(strip, WIDE)
    for width, state in [(500, NARROW), (700, WIDE), (300, NARROW)]:
        strip.evaluate("(_, width) => { document.getElementById('container').style.width = `${width}px`; }", width)
        await_state(strip, state)
    strip.settle()


def test_the_first_request_has_the_height_of_the_container_query(strip):
    await_state(strip, WIDE)
    requested = "() => performance.getEntriesByType('resource').map(({ name }) => new URL(name)).filter(({ pathname }) => pathname === '/window').map(({ searchParams }) => searchParams.get('height'))"
    heights = strip.evaluate(requested)
    assert heights and set(heights) - {None} == {"240"}


def test_an_included_element_gets_the_height_of_the_page(open_page, address):
    page = open_page("about:blank")
    element = page.request.get(f"{address}/window?strip=albums&width=1280&format=element").text()
    links = "".join(f'<link rel="stylesheet" href="/css/{name}.css">' for name in ["strip", "card", "lengths"])
    style = "<style>carousel-strip { --strip-height: 240 }</style>"
    html = f'<!doctype html>{links}{style}{element}<script type="module" src="/js/embed.js"></script>'
    serve(page, "/host.html", html)
    page.goto(f"{address}/host.html")
    strip = Strip(page, "albums")
    strip.arrive()
    picture = strip.card(0).locator(".picture").bounding_box()
    assert (picture["width"], picture["height"]) == (240, 240)


def test_arrows_that_a_custom_property_sets_take_no_place(open_page):
    page = open_page("about:blank")
    strips = ['controls="previous next"', 'style="--strip-controls: previous next"']
    show(page, "".join(f'<carousel-strip strip="albums" {one}></carousel-strip>' for one in strips), '<link rel="stylesheet" href="/css/strip.css">')
    page.wait_for_function("""() => {
      const lines = [...document.querySelectorAll("carousel-strip")].map((strip) => strip.shadowRoot?.querySelector("[part=controls]"));
      return lines.every((line) => line?.querySelector("[part=step]") && line.offsetHeight === 0);
    }""")
