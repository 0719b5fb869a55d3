"""A strip in a page of another server: its initial position and the page's address, in Chromium, Firefox and WebKit."""

import json
from urllib.parse import parse_qs, urlparse
from urllib.request import urlopen

import pytest

from anywhere import StripAnywhere
from strip import STYLED

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="%(address)s/css/strip.css">
<script>
  window.drawn = new Set();
  document.addEventListener("willdisplay", ({ detail }) => drawn.add(detail.item.index));
</script>
<script type="module">
  await Promise.all(["embed", "filters/search"].map((name) => import(`%(address)s/js/${name}.js`)));
</script>
<body>%(body)s</body></html>"""

# The queries of all requests for windows and facets, in order.
REQUESTS = r"""() => performance.getEntriesByType("resource").map(({ name }) => new URL(name))
  .filter(({ pathname }) => /\/(window|facets)$/.test(pathname)).map(({ pathname, search }) => pathname + search)"""


@pytest.fixture
def show(engine, address, elsewhere):
    """Opens a page of another server with `body`, and waits until its strip is at rest."""
    with engine.show(1280, 800, 1):

        def show(body, name="billion", query=""):
            engine.goto(elsewhere(PAGE % {"address": address, "body": body}) + query)
            strip = StripAnywhere(engine, address, name, 1)
            strip.settle()
            strip.evaluate(STYLED)
            return strip

        yield show
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


def requests(strip):
    return strip.evaluate(REQUESTS)


@pytest.mark.logic
@pytest.mark.parametrize("attributes", ['initial-index="30000"', 'initial-index="30000" snap="center"', 'initial-item="n30001" inset="64"'])
def test_the_first_request_is_for_the_initial_item_and_nothing_else_is_drawn(show, attributes):
    strip = show(f'<carousel-strip strip="billion" {attributes}></carousel-strip>')
    first, *others = requests(strip)
    assert "index=30000" in first or "item=n30001" in first
    assert len(others) <= 4
    assert all(int(parse_qs(other)["offset"][0]) > 4_000_000 for other in others)
    assert min(strip.evaluate("() => [...drawn]")) > 29_900
    left = next(card["x"] for card in strip.visible() if card["index"] == 30_000)
    size = strip.evaluate("(strip) => strip.nodeOf(30000).offsetWidth")
    assert abs(left - ((1264 - size) / 2 if "snap" in attributes else 0)) <= 1


@pytest.mark.logic
def test_an_initial_item_that_is_missing_starts_at_the_front(show):
    strip = show('<carousel-strip strip="albums" initial-item="none"></carousel-strip>', "albums")
    assert strip.visible()[0]["index"] == 0


@pytest.mark.logic
def test_a_server_rendered_element_at_its_initial_item_requests_nothing(show, address):
    query = "/window?strip=billion&width=1264&overscan=128&format=element&index=30000&attr-initial-index=30000"
    with urlopen(address + query) as answer:
        strip = show(answer.read().decode())
    assert requests(strip) == []
    assert strip.visible()[0]["index"] == 30_000


def await_view(strip, view, text):
    strip.wait_until("""(strip, [view, text]) => JSON.stringify(strip.meta?.view ?? {}) === view && !strip.isWaiting &&
      document.querySelector("carousel-search").shadowRoot?.querySelector("input").value === text""", [json.dumps(view, separators=(",", ":")), text])
    strip.settle()


def parameters(strip):
    return {name: value for name, [value] in parse_qs(urlparse(strip.evaluate("() => location.href")).query).items()}


SEARCH = '<carousel-search for="elements"></carousel-search><carousel-strip id="elements" strip="elements" %s></carousel-strip>'
METAL = 'category = "Transition metal"'


@pytest.mark.logic
@pytest.mark.parametrize("name", ["", "shop"])
def test_the_address_restores_the_view_and_the_position(show, name):
    strip = show(SEARCH % f'history="{name}"', "elements", "?color=red&q=theirs" if name else "?color=red")
    prefix = name and f"{name}-"
    strip.rest(lambda: strip.evaluate("(strip, where) => { strip.where = where; strip.sort = '-number'; }", METAL))
    strip.rest(lambda: strip.scroll_to(offset=900))
    first = strip.visible()[0]
    assert parameters(strip)["color"] == "red"
    assert parameters(strip)[f"{prefix}where"] == METAL
    assert parameters(strip).get("q") == ("theirs" if name else None)
    view = {"where": METAL, "sort": "-number"}
    strip.engine.reload()
    await_view(strip, view, "")
    assert strip.visible()[0] == {**first, "slot": strip.visible()[0]["slot"]}
    asked = requests(strip)
    assert f"item={first['id']}&" in asked[0] and "where=" in asked[0]
    strip.rest(lambda: strip.evaluate("(strip) => { strip.q = 'gold'; }"))
    await_view(strip, {"where": METAL, "q": "gold", "sort": "-number"}, "gold")
    assert parameters(strip)[f"{prefix}q"] == "gold"
    strip.evaluate("() => history.back()")
    await_view(strip, view, "")
    assert strip.visible()[0]["id"] == first["id"]
    strip.evaluate("() => history.back()")
    await_view(strip, {}, "")
    assert strip.offset == 0
    strip.evaluate("() => history.forward()")
    await_view(strip, view, "")
    assert strip.visible()[0]["id"] == first["id"]
