"""Pages that replace, morph or copy the list of a strip and its cards, as Turbo, idiomorph, htmx and LiveView do."""

from urllib.request import urlopen

import pytest

from cases import case
from strip import Requests, Strip

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Morph</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="%(address)s/css/strip.css">
<script type="module" src="%(address)s/js/embed.js"></script>
<script>
  // What idiomorph does without ids: the same tags at the same places are the same elements.
  window.morph = (from, to) => {
    for (const { name } of [...from.attributes]) if (!to.hasAttribute(name)) from.removeAttribute(name);
    for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
    let node = from.firstChild;
    for (const wanted of [...to.childNodes]) {
      while (node && node.nodeName !== wanted.nodeName) {
        const next = node.nextSibling;
        node.remove();
        node = next;
      }
      if (!node) {
        from.append(document.importNode(wanted, true));
      } else {
        if (node.nodeType === 1) morph(node, wanted);
        else if (node.data !== wanted.data) node.data = wanted.data;
        node = node.nextSibling;
      }
    }
    while (node) {
      const next = node.nextSibling;
      node.remove();
      node = next;
    }
  };
  window.parse = (html) => new DOMParser().parseFromString(html, "text/html").body;
</script>
<body>%(body)s</body></html>"""

BARE = '<carousel-strip strip="billion" aria-label="Billion"></carousel-strip>'
LISTED = '<carousel-strip strip="billion" aria-label="Billion"><ul></ul></carousel-strip>'
OWN = '<carousel-strip strip="billion" aria-label="Billion"><template data-kind="card"><p class="title">{title}</p><em>own</em></template><ul></ul></carousel-strip>'
LAYOUT = '<carousel-strip strip="landscapes" layout="rows" row="180" heading="52" aria-label="Wall"><ul></ul></carousel-strip>'
CHANGED_LI = "<li data-index='0' data-id='x' data-slot='card-0' data-kind='card'><p>Other</p></li>"

REFRESHES = {
    "cards": "(strip) => strip.querySelector('ul').replaceChildren()",
    "cards in a draw": "(strip) => { strip.addEventListener('draw', () => strip.querySelector('ul').replaceChildren(), { once: true }); strip.requestDraw(); }",
    "list": "(strip) => strip.querySelector('ul').replaceWith(document.createElement('ul'))",
    "no list": "(strip) => strip.querySelector('ul').remove()",
    "strip": "(strip) => strip.replaceChildren()",
    "html": "(strip) => { strip.innerHTML = strip.innerHTML; }",
    "page": "(strip, html) => morph(document.body, parse(html))",
    "others": "(strip) => morph(strip.querySelector('ul'), parse(`<ul>%s</ul>`).firstChild)" % (3 * CHANGED_LI),
    "style": "(strip) => strip.querySelectorAll('ul, li').forEach((node) => node.removeAttribute('style'))",
    "attributes": "(strip) => strip.querySelectorAll('ul, li').forEach((node) => node.getAttributeNames().forEach((name) => node.removeAttribute(name)))",
    "hidden": "(strip) => strip.querySelectorAll('li').forEach((node) => (node.hidden = false))",
}

# Everything that the cards in view show, and where. The page has no frame between a refresh and this.
SHOWN = """async (strip) => {
  for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame);
  const cards = [...strip.querySelectorAll(":scope > ul > li:not([hidden])")].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return { ...node.dataset, x, y, width, height, text: node.textContent.replace(/[\\s\\u200b]+/g, " "), name: node.ariaLabel, position: node.ariaPosInSet, tabIndex: node.tabIndex, role: node.role };
  });
  const list = strip.querySelector("ul");
  return [strip.offset, strip.meta.revision, list.role, list.ariaLabel, cards.sort((one, other) => one.index - other.index).filter((card) => !delete card.slot || !delete card.start || !delete card.size || card)];
}"""


@pytest.fixture
def show(open_page, elsewhere, address):
    """Opens a page of another origin with `body`."""

    def show(body, **options):
        page = open_page("about:blank", **options)
        requests = Requests(page, r"/window\?")
        page.goto(elsewhere(PAGE % {"address": address, "body": body}))
        strip = Strip(page, "billion", 0)
        strip.requests = requests
        strip.page.wait_for_function("() => customElements.get('carousel-strip')")
        strip.settle()
        return strip

    return show


def shown(strip):
    """What the strip shows once it has prefetched what it draws beside the viewport."""
    strip.requests.settle()
    return strip.evaluate(SHOWN)


@pytest.mark.parametrize("body", [BARE, OWN, LAYOUT], ids=["bare", "own", "layout"])
def test_a_strip_shows_the_same_cards_after_each_refresh_of_its_nodes(show, body):
    strip = show(body)
    strip.scroll_to(offset=5000)
    before = shown(strip)
    for name, refresh in REFRESHES.items():
        if body == OWN and name == "strip":
            continue  # the templates would be gone, too
        with case(name):
            strip.evaluate(refresh, body)
            assert strip.evaluate(SHOWN) == before
            strip.evaluate(refresh, body)
            strip.scroll_to(offset=9000)
            strip.scroll_to(offset=5000)
            assert strip.evaluate(SHOWN) == before
            if body != LAYOUT:
                strip.must_be_right()


@pytest.mark.parametrize("query", ["strip=billion&width=1264", "strip=landscapes&layout=rows&row=180&heading=52&width=1264&height=800"], ids=["strip", "rows"])
def test_an_include_that_is_morphed_by_the_same_include_keeps_its_place(show, address, query):
    with urlopen(f"{address}/window?{query}&format=element") as answer:
        include = answer.read().decode()
    strip = show(include)
    strip.scroll_to(offset=7000)
    before = shown(strip)
    strip.evaluate(REFRESHES["page"], include)
    assert strip.evaluate(SHOWN) == before


def test_an_include_that_is_morphed_at_its_first_window_shows_the_same_cards(show, address):
    with urlopen(f"{address}/window?strip=billion&width=1264&format=element") as answer:
        include = answer.read().decode()
    strip = show(include)
    strip.page.mouse.move(600, 60)
    before = shown(strip)
    strip.evaluate(REFRESHES["page"], include)
    assert strip.evaluate(SHOWN) == before


def test_another_include_of_the_strip_loads_the_newest_revision_and_keeps_its_place(show, address):
    with urlopen(f"{address}/window?strip=billion&width=1264&format=element") as answer:
        include = answer.read().decode()
    strip = show(include)
    strip.scroll_to(offset=7000)
    asked = []
    strip.page.on("request", lambda request: asked.append(request.url))
    strip.after("reload", lambda: strip.evaluate("(strip) => { strip.dataset.window = strip.dataset.window.replace(/\\d{9,}/, (revision) => revision - 1); }"))
    assert any("/window?" in url and "revision=" not in url for url in asked), asked
    assert strip.offset == 7000
    strip.must_be_right()


@pytest.mark.parametrize("is_include", [False, True], ids=["element", "include"])
def test_a_copy_of_a_strip_is_a_strip_of_its_own(show, address, is_include):
    body = BARE
    if is_include:
        with urlopen(f"{address}/window?strip=billion&width=1264&format=element") as answer:
            body = answer.read().decode()
    strip = show(body)
    strip.scroll_to(offset=5000)
    before = shown(strip)
    for copy in ["after(strip.cloneNode(true))", "insertAdjacentHTML('afterend', strip.outerHTML)"]:
        with case(copy):
            strip.evaluate(f"(strip) => strip.{copy}")
            other = Strip(strip.page, "billion", 1)
            other.settle()
            assert other.offset == 0
            other.must_be_right()
            other.scroll_to(offset=3000)
            other.must_be_right()
            assert strip.evaluate(SHOWN) == before
            other.evaluate("(other) => other.remove()")


def test_a_template_that_the_page_replaces_fills_the_cards_again(show):
    strip = show(OWN)
    strip.scroll_to(offset=5000)
    strip.evaluate("(strip) => { strip.querySelector('template').outerHTML = `<template data-kind='card'><h3 class='title'>New {title}</h3></template>`; }")
    cards = strip.evaluate(SHOWN)[-1]
    assert cards and all(card["text"].startswith("New ") for card in cards)
    assert strip.offset == 5000
    assert strip.evaluate("(strip) => strip.querySelectorAll('em').length") == 0


def test_a_focused_card_keeps_the_focus_when_the_page_removes_the_cards(show):
    strip = show(LISTED)
    strip.scroll_to(offset=5000)
    index = strip.evaluate("(strip) => { const node = strip.nodeOf(strip.current?.index ?? strip.items[3].index); node.focus(); return node.dataset.index; }")
    strip.evaluate(SHOWN)
    strip.evaluate(REFRESHES["cards"])
    strip.evaluate(SHOWN)
    assert strip.evaluate("() => document.activeElement.dataset.index") == index


def test_marks_of_the_page_in_a_card_stay_and_draw_nothing_again(show):
    strip = show(LISTED)
    strip.evaluate("(strip) => { window.times = 0; strip.addEventListener('willdisplay', () => (times += 1)); strip.addEventListener('windowchange', () => (times += 1)); }")
    strip.evaluate("(strip) => { const { firstElementChild: node } = strip.querySelector('ul'); node.classList.add('marked'); node.style.outline = '1px solid'; node.append('mark'); }")
    strip.evaluate(SHOWN)
    assert strip.page.evaluate("() => times") == 0
    assert strip.evaluate("(strip) => strip.querySelector('.marked').textContent.endsWith('mark')")
