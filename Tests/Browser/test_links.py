"""A built-in card of an item with `href` is one link, in Chromium, Firefox and WebKit."""

import json

import pytest

from anywhere import StripAnywhere
from conftest import run, serving
from strip import STYLED
from test_accessibility import violations
from test_host_pages import PAGE

ITEMS = [
    {"id": "picture", "image": "/covers/a0.svg", "href": "/one"},
    {"id": "tile", "href": "/two"},
    {"id": "none", "image": "/covers/a1.svg"},
    *({"id": f"more-{n}", "href": "/more"} for n in range(30)),
]

# Records the link that is followed. Prevents navigation after all other listeners: a click that is not cancelled selects.
FOLLOW = """() => {
  window.followed = [];
  const record = (event) => {
    const link = event.target.closest("a[href]");
    if (!link) return;
    if (!event.defaultPrevented) followed.push(new URL(link.href).pathname);
    event.preventDefault();
  };
  document.addEventListener("click", () => addEventListener("click", record, { once: true }));
}"""

# The middle of an element in the card of an index.
MIDDLE = """(strip, [index, part]) => {
  const { left, top, width, height } = strip.nodeOf(index).querySelector(part).getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2)];
}"""


@pytest.fixture(scope="module")
def links(tmp_path_factory):
    """The address of a server of the strip `links`."""
    folder = tmp_path_factory.mktemp("links")
    lines = [{"id": one["id"], "width": 180, "fields": {"title": one["id"], "subtitle": "Items", **one}} for one in ITEMS]
    (folder / "links.jsonl").write_text("\n".join(map(json.dumps, lines)))
    run("import", folder / "links.jsonl", "--database", folder / "l.db", "--strip", "links")
    with serving("--database", folder / "l.db") as address:
        yield address


def html(address):
    return PAGE % {"address": address, "body": '<carousel-strip strip="links" aria-label="Links"></carousel-strip>'}


@pytest.fixture
def strip(engine, links, elsewhere):
    with engine.show(1280, 800, 1):
        engine.goto(elsewhere(html(links)))
        strip = StripAnywhere(engine, links, "links", 1)
        strip.settle()
        strip.evaluate(STYLED)
        strip.evaluate(FOLLOW)
        yield strip
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


def await_followed(strip, expected):
    strip.wait_until("(strip, paths) => followed.join() === paths", ",".join(expected))


@pytest.mark.parametrize("index, path", [(0, "/one"), pytest.param(1, "/two", marks=pytest.mark.logic)])
def test_a_click_anywhere_on_a_card_follows_its_link(strip, index, path):
    for count, part in enumerate((".picture", ".subtitle"), 1):
        strip.engine.drag([tuple(strip.evaluate(MIDDLE, [index, part]))])
        await_followed(strip, [path] * count)


def test_a_tap_follows_the_link(strip):
    if not strip.engine.tells_touches:
        pytest.skip("the driver sends no touches")
    strip.engine.touch([tuple(strip.evaluate(MIDDLE, [0, ".picture"]))])
    strip.engine.lift()
    await_followed(strip, ["/one"])


def test_enter_follows_the_link_of_the_focused_card(strip):
    strip.focus(1)
    strip.engine.press("Enter")
    await_followed(strip, ["/two"])


@pytest.mark.logic
def test_enter_on_a_card_with_a_link_selects_once(strip):
    strip.evaluate("(strip) => { window.selected = []; strip.addEventListener('select', ({ detail: { id, origin } }) => selected.push([id, origin])); }")
    strip.focus(1)
    strip.engine.press("Enter")
    await_followed(strip, ["/two"])
    strip.evaluate("() => new Promise((go) => setTimeout(go))")
    assert strip.evaluate("() => selected") == [["tile", "key"]]


@pytest.mark.logic
def test_a_drag_and_a_card_without_href_follow_nothing(strip):
    x, y = strip.evaluate(MIDDLE, [1, ".picture"])
    strip.rest(lambda: strip.engine.drag([(x, y), (x - 20, y), (x - 100, y), (x - 100, y)]))
    strip.engine.drag([tuple(strip.evaluate(MIDDLE, [2, ".picture"]))])
    strip.wait_until("(strip) => strip.selected?.id === 'none'")
    assert strip.evaluate("() => followed") == []


@pytest.mark.logic
def test_cards_with_links_are_items_of_a_list(strip):
    assert strip.evaluate("(strip) => [strip.querySelector('ul').role, strip.nodeOf(0).role, strip.nodeOf(0).ariaSelected]") == ["list", None, None]
    strip.evaluate("(strip) => { strip.select(1); }")
    strip.wait_until("(strip) => strip.nodeOf(1).ariaCurrent === 'true'")


def test_axe_finds_nothing_in_cards_with_links(open_page, links, elsewhere):
    page = open_page(elsewhere(html(links).replace("<body>", "<body><main><h1>Links</h1>").replace("</body>", "</main></body>")))
    page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
    assert violations(page) == []
