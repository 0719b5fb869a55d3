"""A strip in pages that know nothing of it: their layout, styles and scripts, in Chromium, Firefox and WebKit."""

import json
import re
from urllib.request import urlopen

import pytest

from anywhere import StripAnywhere
from cases import case
from engines.chromium import Chromium

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Foreign</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="%(address)s/css/strip.css"><script type="module" src="%(address)s/js/embed.js"></script>
%(head)s<body>%(body)s</body></html>"""


@pytest.fixture
def show(engine, address, elsewhere):
    """Opens a page of another server with `body`, and waits until the element is defined."""
    with engine.show(1280, 800, 1):

        def show(body, head="", name="albums", link=True):
            page = PAGE if link else PAGE.replace("<link rel=\"stylesheet\"", "<link")
            engine.goto(elsewhere(page % {"address": address, "head": head, "body": body}))
            strip = StripAnywhere(engine, address, name, 1)
            strip.evaluate("() => customElements.whenDefined('carousel-strip').then(() => {})")
            return strip

        yield show
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


# MARK: the server's cards at another width

# Whether the strip has loaded what is in view for its own width, and cards show it.
IS_DRAWN = """(strip) => {
  const { items, meta, offset, viewportSize } = strip;
  const inView = items.filter(({ start, size }) => start < offset + viewportSize && start + size > offset);
  const isThere = ({ index }) => strip.nodeOf(index)?.checkVisibility();
  return !strip.isWaiting && meta.width === strip.axis.query.width && inView.length > 4 && inView.every(isThere);
}"""

LAYOUTS = ["layout=rows&row=120&heading=32", "layout=grid&columns=4", "layout=list&line=64"]


@pytest.mark.parametrize("before", [900, pytest.param(1300, marks=pytest.mark.logic)])
def test_the_servers_cards_below_the_fold_are_drawn_again_at_another_width(show, engine, address, before):
    for query in LAYOUTS if isinstance(engine, Chromium) else LAYOUTS[:1]:
        with case(query):
            with urlopen(f"{address}/window?strip=landscapes&{query}&width=1100&height=800&format=element") as answer:
                include = answer.read().decode()
            strip = show(f'<div style="height: {before}px"></div>{include}', name="landscapes")
            strip.evaluate("() => scrollBy(0, 400)")
            strip.evaluate("async () => { for (let k = 0; k < 10; k += 1) await new Promise(requestAnimationFrame); }")
            strip.evaluate("() => scrollBy(0, 1500)")
            strip.wait_until(IS_DRAWN)


def test_a_wall_below_the_fold_that_is_hidden_while_its_width_changes_is_drawn_again(show):
    strip = show('<div style="height: 900px"></div><carousel-strip strip="landscapes" layout="rows" row="120"></carousel-strip>', name="landscapes")
    strip.evaluate("() => scrollBy(0, 400)")
    strip.wait_until(IS_DRAWN)
    strip.evaluate("(strip) => { strip.style.display = 'none'; }")
    strip.wait_until("(strip) => !strip.clientWidth && strip.isWaiting")
    strip.evaluate("() => scrollTo(0, 0)")
    strip.evaluate("(strip) => { strip.style.cssText = 'width: 700px'; }")
    strip.evaluate("async () => { for (let k = 0; k < 10; k += 1) await new Promise(requestAnimationFrame); }")
    strip.evaluate("() => scrollTo(0, 1900)")
    strip.wait_until(IS_DRAWN)


# MARK: what scrolls a wall

WALL = '<carousel-strip strip="landscapes" layout="rows" row="150"></carousel-strip>'


@pytest.mark.parametrize("style", ["html, body { height: 100%; overflow-x: hidden }", "html { overflow: hidden } body { position: fixed; inset: 0; overflow: auto }"])
def test_a_body_that_scrolls_scrolls_a_wall(show, style):
    strip = show(WALL, f"<style>{style}</style>", "landscapes")
    strip.settle()
    strip.scroll_to(index=1000)
    assert strip.evaluate("(strip) => document.body.scrollTop > 9000 && strip.nodeOf(1000).checkVisibility()")


def test_an_ancestor_that_becomes_a_scroller_scrolls_the_wall(show):
    strip = show(f"<main>{WALL}</main>", '<style media="not all">main { height: 500px; overflow: auto }</style>', "landscapes")
    strip.settle()
    strip.scroll_to(offset=6000)
    strip.evaluate("() => { document.querySelector('style').media = 'all'; }")
    strip.wait_until("(strip) => strip.parentNode.scrollTop === 6000 && strip.offset === 6000")
    strip = show(f'<main style="height: 500px">{WALL}</main><div style="height: 7000000px"></div>', name="landscapes")  # the same box
    strip.settle()
    strip.evaluate("(strip) => { strip.parentNode.style.overflow = 'auto'; }")
    strip.wait_until("(strip) => { strip.parentNode.scrollTop = 6000; return strip.offset === 6000; }")


def test_a_wall_that_an_ancestor_hides_keeps_its_place(show):
    strip = show(f"<details open><summary>Wall</summary>{WALL}</details>", "<style>body { margin: 0 }</style>", "landscapes")
    strip.scroll_to(offset=6000)
    for name, value in [("open", False), ("open", True), ("style", "height: 0; overflow: hidden"), ("style", "")]:
        strip.evaluate("(strip, [name, value]) => { strip.parentNode[name] = value; }", [name, value])
        strip.evaluate("async () => { for (let k = 0; k < 10; k += 1) await new Promise(requestAnimationFrame); }")
        assert strip.offset == 6000
    strip.wait_until("(strip) => scrollY > 6000 && !strip.isWaiting && strip.items.length")


# MARK: directions

@pytest.mark.parametrize(("style", "dir", "sign"), [("direction: rtl", "ltr", -1), ("direction: ltr", "rtl", 1), ("writing-mode: vertical-rl", "ltr", 1)])
def test_a_strip_follows_the_direction_of_its_style_along_a_horizontal_line(show, style, dir, sign):
    albums = show(f'<main dir="{dir}" style="{style}"><carousel-strip strip="albums" controls="previous next"></carousel-strip></main>')
    albums.sign = sign
    albums.scroll_to(index=5)
    albums.must_be_right()


# MARK: zoom

# How often the strip is drawn in some frames, after it has settled.
DRAWS = """async (strip) => {
  let draws = 0;
  strip.addEventListener("draw", () => (draws += 1));
  for (let k = 0; k < 30; k += 1) await new Promise(requestAnimationFrame);
  return draws;
}"""


@pytest.mark.parametrize("zoom", [0.67, *(pytest.param(zoom, marks=pytest.mark.logic) for zoom in (0.9, 1.1))])
def test_a_strip_that_snaps_in_an_ancestor_with_a_zoom_comes_to_rest(show, zoom):
    note = "<script>addEventListener('settle', ({ target }) => (window.settledAt = target.offset))</script>"
    strip = show(f'<div style="zoom: {zoom}"><carousel-strip strip="albums" height="120" snap="center" inset="center"></carousel-strip></div>', note)
    for index in [0, 7]:
        strip.evaluate("(strip, index) => strip.scrollTo({ index })", index)
        strip.wait_until("(strip, index) => window.settledAt === strip.offset && strip.current?.index === index", index)
        assert strip.evaluate(DRAWS) < 10
        assert strip.evaluate("(strip) => Math.abs(strip.offsetOf(strip.current) - strip.offset)") < 3


# MARK: colors

PAPER = "(strip) => getComputedStyle(strip.shadowRoot.querySelector('[part=heading]')).backgroundColor"


def test_headings_stand_on_the_background_of_a_dark_page_without_a_color_scheme(show):
    wall = '<carousel-strip strip="landscapes" layout="rows" heading="40" style="height: 400px"></carousel-strip>'
    strip = show(wall, "<style>body { background: #111; color: #eee }</style>", name="landscapes")
    strip.settle()
    strip.wait_until(f"(strip) => ({PAPER})(strip) === 'rgb(17, 17, 17)'")
    strip = show(wall, "<style>body { background: #111 } carousel-strip { --strip-paper: rgb(1, 2, 3) }</style>", name="landscapes")
    strip.settle()
    strip.wait_until(f"(strip) => ({PAPER})(strip) === 'rgb(1, 2, 3)'")


# MARK: rules of a theme

THEME = """<style>
img { max-width: 100%; height: auto }
.title { display: inline-block; padding: 1rem; border-bottom: 4px solid; font-size: 3rem; letter-spacing: 0.2em; text-transform: uppercase }
.title::after { content: ""; display: block; width: 40px; height: 4px; margin: 1rem; background: red }
.mark { padding: 0.1875em; background: yellow }
.text { margin: 0 }
</style>"""

# The heights of the first card's picture and title, and what a rule for `.title` and `.mark` sets.
LOOK = """(strip) => {
  const card = strip.nodeOf(0);
  const [image, title, mark] = ["img", ".title", ".mark"].map((one) => card.querySelector(one));
  const style = title && getComputedStyle(title);
  const looks = title && [style.textTransform, style.letterSpacing, style.padding, title.offsetHeight, getComputedStyle(title, "::after").backgroundColor];
  return [image.clientHeight, looks, mark && getComputedStyle(mark).backgroundColor];
}"""
# Whether the picture of an own card fills it, above the text in a grid.
IS_FILLED = """(strip) => {
  const card = strip.nodeOf(0);
  return card.querySelector("img").clientHeight === (strip.height ?? card.clientHeight - card.querySelector("p").offsetHeight);
}"""
PLAIN = ["none", "normal", "0px", 20, "rgba(0, 0, 0, 0)"]


@pytest.mark.logic
def test_a_theme_changes_no_built_in_card_and_no_height_of_a_picture(show):
    strip = show('<carousel-strip strip="albums"></carousel-strip>', THEME)
    strip.settle()
    strip.wait_until("(strip) => strip.nodeOf(0).querySelector('.mark').offsetParent")
    strip.wait_until(f"(strip) => JSON.stringify(({LOOK})(strip)) === '{json.dumps([180, PLAIN, 'rgba(0, 0, 0, 0)'], separators=(',', ':'))}'")
    for picture in ("%s", "<a>%s</a>", "<figure>%s</figure>"):
        own = f'<template data-kind="card">{picture % "<img src={image}>"}<p class="text">{{title}}</p></template>'
        for attributes in ['height="120"', 'layout="grid" columns="8" caption="40" style="height: 500px"']:
            strip = show(f'<carousel-strip strip="landscapes" {attributes}>{own}</carousel-strip>', THEME, "landscapes")
            strip.settle()
            strip.wait_until(IS_FILLED)


# The sizes of a card's title, of a step button, of a chip and of the strip, in px.
SIZES = """(strip) => {
  const chip = document.querySelector("carousel-facets").shadowRoot.querySelector("[part=option], label, button");
  const parts = [strip.nodeOf(0)?.querySelector(".title"), strip.shadowRoot.querySelector("[part=step]"), chip, strip];
  return parts.map((one) => one?.offsetHeight);
}"""


@pytest.mark.logic
@pytest.mark.parametrize("link", [True, False])
def test_texts_and_controls_have_their_sizes_where_a_page_has_another_rem(show, address, link):
    facets = f'<carousel-facets for="albums" field="genre"></carousel-facets><script type="module" src="{address}/js/filters/facets.js"></script>'
    found = []
    for size in ["16px", "62.5%"]:
        strip = show(facets + '<carousel-strip id="albums" strip="albums" controls="previous scrubber next"></carousel-strip>', f"<style>html {{ font-size: {size} }} body {{ font-size: 16px }}</style>", link=link)
        strip.settle()
        strip.wait_until(f"(strip) => ({SIZES})(strip).every((one) => one > 18) && getComputedStyle(strip).visibility === 'visible'")
        found.append(strip.evaluate(SIZES))
        strip.scroll_to(offset=900)
        assert strip.offset == 900
    assert found[0] == found[1]


def test_a_strip_that_a_page_makes_a_block_keeps_within_its_height(show):
    # All are on the screen: others wait for the reader, if the page has sent many requests.
    layouts = [('layout="grid" heading="30"', "height: 100px"), ('layout="rows" row="120" controls="scrubber"', "max-height: 100px"), ('layout="list"', "height: 100px")]
    each = [(*layout, display) for layout in layouts for display in ("block", "flex")]
    strip = show("".join(f'<carousel-strip strip="albums" {attributes} class="{display}" style="{style}"></carousel-strip>' for attributes, style, display in each), "<style>.block { display: block } .flex { display: flex }</style>")
    strip.settle()
    heights = "() => [...document.querySelectorAll('carousel-strip')].map(({ axis, viewport }) => [axis.isInFlow, viewport.clientHeight])"
    strip.wait_until(f"() => JSON.stringify(({heights})()) === '{json.dumps([[False, 100]] * 6, separators=(',', ':'))}'")


# Notes the least distance of the footer from the top, and what the strip shows before it is defined.
NOTE_FOOTER = """<footer>After</footer><script>
  Object.assign(window, { least: Infinity, blank: getComputedStyle(document.querySelector("carousel-strip"), "::before").backgroundImage });
  const look = () => { least = Math.min(least, document.querySelector("footer").getBoundingClientRect().top); requestAnimationFrame(look); };
  look();
</script>"""


@pytest.mark.logic
@pytest.mark.parametrize(("style", "least"), [("", 800), ("height: 300px", 300), ("max-height: 300px", 300)])
def test_what_follows_a_layout_is_in_its_place_before_the_first_window(show, style, least):
    for layout in ["list", "grid", "rows"]:
        strip = show(f'<carousel-strip strip="landscapes" layout="{layout}" style="{style}"></carousel-strip>{NOTE_FOOTER}', "<style>body { margin: 0 }</style>", "landscapes")
        strip.settle()
        assert strip.evaluate("() => least") >= least
        assert strip.evaluate("() => blank").startswith("conic-gradient")
        assert strip.evaluate("(strip) => getComputedStyle(strip, '::before').content") == "none"


@pytest.mark.parametrize("dir", ["rtl", pytest.param("ltr", marks=pytest.mark.logic)])
def test_a_press_on_the_scrubber_of_a_grid_leads_there(show, dir):
    strip = show(f'<carousel-strip dir="{dir}" strip="landscapes" layout="grid" controls="scrubber" style="height: 500px"></carousel-strip>', name="landscapes")
    strip.settle()
    strip.wait_until("(strip) => strip.shadowRoot.querySelector('[part=scrubber]')?.getBoundingClientRect().height > 400")
    box = strip.evaluate("(strip) => strip.shadowRoot.querySelector('[part=scrubber]').getBoundingClientRect().toJSON()")
    assert 20 < box["width"] < 60
    x, y = round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 4)
    strip.engine.drag([(x, y), (x, y + 1)])
    strip.wait_until("(strip) => Math.abs(strip.offset / strip.maxOffset - 0.25) < 0.04")


# MARK: paper

@pytest.mark.logic
@pytest.mark.parametrize("layout", ['layout="rows" row="120" heading="32"', 'layout="list" style="height: 400px"'])
def test_paper_has_the_cards_that_are_drawn(show, layout):
    strip = show(f'<carousel-strip strip="landscapes" {layout}></carousel-strip>', name="landscapes")
    strip.settle()
    strip.scroll_to(index=1000)
    place = strip.evaluate("(strip) => strip.offset")
    paper = strip.engine.page.pdf()
    assert 1 <= len(re.findall(rb"/Type ?/Page\b", paper)) <= 9  # the wall is as high as 8,000 sheets
    assert strip.evaluate("(strip) => strip.offset") == place
    strip.engine.page.emulate_media(media="print")
    shown = """(strip) => strip.items.every(({ index }) => {
      const { top, height } = strip.nodeOf(index).getBoundingClientRect();
      return height > 20 && top + scrollY < 9000;
    }) && getComputedStyle(strip.viewport).display === 'flex'"""
    strip.wait_until(shown)
    strip.engine.page.emulate_media(media="screen")
    strip.wait_until("(strip, place) => strip.offset === place && !strip.isWaiting", place)


# MARK: dialogs, names and the focus

@pytest.mark.logic
def test_escape_ends_the_selection_and_leaves_a_dialog_open_that_ignores_prevented_keys(show):
    strip = show("""<div id="dialog"><carousel-strip strip="albums"></carousel-strip></div>
      <script>dialog.addEventListener("keydown", ({ key }) => (dialog.hidden = key === "Escape"))</script>""")
    strip.settle()
    strip.evaluate("(strip) => { strip.select(1); strip.nodeOf(1).focus(); }")
    strip.engine.press("Escape")
    assert strip.evaluate("(strip) => [strip.selected, document.getElementById('dialog').hidden]") == [None, False]
    strip.engine.press("Escape")
    assert strip.evaluate("() => document.getElementById('dialog').hidden")


@pytest.mark.logic
@pytest.mark.parametrize("attributes", ["", 'layout="grid"'])
def test_a_strip_that_does_not_exist_has_no_cards_of_the_one_before(show, attributes):
    strip = show(f'<carousel-strip strip="albums" controls="previous scrubber next" {attributes}></carousel-strip>')
    strip.settle()
    strip.scroll_to(offset=500)
    strip.evaluate("(strip) => { strip.strip = 'unknown'; }")
    strip.wait_until("(strip) => strip.shadowRoot.querySelector('[part=notice]').textContent === 'There is no such strip.'")
    assert strip.evaluate("(strip) => [...strip.cardList.children].filter(({ hidden }) => !hidden).length") == 0
    strip.engine.complaints.clear()  # the browser logs the 404
    strip.evaluate("(strip) => { strip.strip = 'landscapes'; }")
    strip.wait_until("(strip) => strip.meta.strip === 'landscapes' && !strip.isWaiting && strip.offset === 0 && strip.nodeOf(0)?.checkVisibility()")


def test_a_button_in_a_card_keeps_the_focus_when_a_morph_empties_the_list(show):
    strip = show('<carousel-strip strip="albums"><template data-kind="card"><p>{title}</p><button>Buy</button></template><ul role="list"></ul></carousel-strip>')
    strip.settle()
    strip.evaluate("(strip) => strip.nodeOf(1).querySelector('button').focus()")
    strip.wait_until("(strip) => strip.nodeOf(1).contains(document.activeElement)")
    strip.settle()
    strip.evaluate("(strip) => strip.cardList.replaceChildren()")
    strip.wait_until("(strip) => strip.nodeOf(1)?.querySelector('button') === document.activeElement")


# MARK: requests

OWN = '<template data-kind="card"><img src="%s" srcset="%s" alt=""><p class="title">{title}</p></template>'
FACETS = '<carousel-facets for="albums" field="genre" display="list"><template><img src="{label}" alt=""> {label}</template></carousel-facets><script type="module" src="%s/js/filters/facets.js"></script>'


def test_no_pattern_of_a_template_is_requested(show, address, elsewhere):
    own = OWN % ("{image}", "{image} 2x")
    strips = [f'<carousel-strip strip="albums" controls="previous next">{template}</carousel-strip>' for template in ("", own, own.replace(" data-kind", " data-measure data-kind"))]
    body = FACETS % address + "".join(strips).replace("<carousel-strip", '<carousel-strip id="albums"', 1)
    strip = show("<main></main>")
    strip.evaluate("(_, html) => document.querySelector('main').append(document.createRange().createContextualFragment(html))", body)  # Firefox loads ahead what it parses
    strip.settle()
    strip.wait_until("() => document.querySelector('carousel-facets').shadowRoot.querySelector('[part=check]')")
    drawn = "() => [...document.querySelectorAll('carousel-strip')].every((one) => one.scrollTarget === 3000 && !one.isWaiting && one.items.every(({ index }) => one.nodeOf(index)))"
    strip.evaluate("() => document.querySelectorAll('carousel-strip').forEach((one) => one.scrollTo({ offset: 3000 }))")
    strip.wait_until(drawn)
    strip.settle()
    assert [path for path in elsewhere.asked if "%7B" in path or "{" in path] == []


# MARK: morphing

# What Turbo does with an element and its attributes when it morphs a page: `html` is the server's.
MORPH = """(strip, html) => {
  const detail = { currentElement: strip, newElement: new DOMParser().parseFromString(html, "text/html").querySelector("carousel-strip") };
  if (!strip.dispatchEvent(new CustomEvent("turbo:before-morph-element", { bubbles: true, cancelable: true, detail }))) return;
  for (const { name } of [...strip.attributes]) if (!detail.newElement.hasAttribute(name)) strip.removeAttribute(name);
  for (const { name, value } of detail.newElement.attributes) if (strip.getAttribute(name) !== value) strip.setAttribute(name, value);
  return strip.getAttribute("where");
}"""


@pytest.mark.parametrize("more", ["", pytest.param("history", marks=pytest.mark.logic)])
def test_a_morph_by_turbo_keeps_the_readers_filter(show, address, more):
    facets = FACETS.replace("<template>", "<!--").replace("</template>", "-->") % address
    element = f'<carousel-strip id="albums" strip="albums" {more}></carousel-strip>'
    strip = show(facets + element)
    strip.settle()
    strip.wait_until("() => document.querySelector('carousel-facets').shadowRoot.querySelector('[part=check]')")
    strip.evaluate("() => document.querySelector('carousel-facets').shadowRoot.querySelector('[part=check]').click()")
    strip.wait_until("(strip) => strip.meta.view?.where")
    where = strip.evaluate("(strip) => strip.getAttribute('where')")
    assert where
    for _ in range(2):
        assert strip.evaluate(MORPH, element) == where
    strip.settle()
    assert strip.evaluate("(strip) => strip.meta.view.where")
    assert not more or "where=" in strip.evaluate("() => location.search")
    assert strip.evaluate(MORPH, element.replace("history", "").replace("<carousel-strip", "<carousel-strip where='year > 1960'")) == "year > 1960"  # the server's own
