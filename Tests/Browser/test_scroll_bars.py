"""Layouts beside classic scroll bars, which take width: their height then depends on the bar, and the bar on the height."""

import json
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from strip import LIMIT, poll, serve

WHERE = "year = 1826"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Bars</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/css/strip.css">
<script type="module" src="/js/embed.js"></script><style>html, body {{ margin: 0 }} .box {{ height: {height}px; overflow: auto }}</style>
<div class="{box}"><carousel-strip strip="landscapes" where="{where}" layout="rows" row="{row}" aria-label="Wall"></carousel-strip></div>"""


@pytest.fixture(scope="module")
def barred(launch_chromium):
    """Chromium with scroll bars of 15 px."""
    return launch_chromium(ignore_default_args=["--hide-scrollbars"])


@pytest.fixture(scope="module")
def walls(address):
    """A row height at which the wall beside a bar is lower than without one, and both heights."""

    def extent(width, row):
        asked = f"strip=landscapes&layout=rows&row={row}&width={width}&height=700&where={quote(WHERE)}"
        with urlopen(f"{address}/window?{asked}") as answer:
            return json.load(answer)["extent"]

    def is_ready():
        try:
            return extent(1000, 100) > 0
        except HTTPError as error:
            assert error.code == 503  # the columns of the strip are being built
            return False

    poll(is_ready, lambda: "the wall has no view")
    row = next(row for row in range(60, 400) if extent(1000, row) < 1500 and extent(1000, row) - extent(985, row) > 4)
    return row, extent(1000, row), extent(985, row)


@pytest.mark.parametrize("box", ["", "box"], ids=["page", "box"])
@pytest.mark.parametrize("share", [0.5, -2], ids=["between", "below"])
def test_a_short_wall_beside_a_scroll_bar_comes_to_rest(barred, address, walls, share, box):
    row, high, low = walls
    height = int(low + share * (high - low))
    page = barred.new_page(viewport={"width": 1000, "height": height}, base_url=address)
    html = PAGE.format(row=row, where=WHERE, height=height, box=box)
    serve(page, "/bars.html", html)
    asked = []
    page.on("request", lambda request: "/window?" in request.url and asked.append(request.url))
    page.goto("/bars.html")
    page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields", timeout=LIMIT * 1000)
    # As many frames as a loop of reloads fills with requests.
    page.evaluate("() => new Promise((done) => { let n = 150; const frame = () => (n-- ? requestAnimationFrame(frame) : done()); frame(); })")
    assert len(asked) < 8, asked
    assert page.evaluate("() => document.querySelector('carousel-strip').items.length") > 5
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.close()


@pytest.mark.parametrize("attributes", ["", "loop", 'controls="previous scrubber next"', "where='year = 1959'"])
def test_what_follows_a_strip_keeps_its_place_above_a_scroll_bar(barred, address, attributes):
    page = barred.new_page(viewport={"width": 1000, "height": 700}, base_url=address)
    html = f'<!doctype html><html lang="en"><title>Bars</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/css/strip.css"><carousel-strip strip="albums" {attributes}></carousel-strip><footer>After</footer>'
    serve(page, "/bars.html", html)
    held = []
    page.route("**/window?*", lambda route: held.append(route))
    page.goto("/bars.html")

    def top():
        return page.locator("footer").bounding_box()["y"]

    before = top()
    page.add_script_tag(type="module", url="/js/embed.js")
    poll(lambda: page.title() and held, lambda: "the strip requests no window")
    assert top() == before
    held[0].continue_()
    page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
    assert top() == before
