"""axe-core finds no violation on any page, in light and dark, at rest and in use."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from strip import ARRIVED, BOUNDED, STYLED, Strip, show, switches

PAGES = ["/", "/?strip=albums", "/?strip=landscapes&layout=rows", "/?strip=moons&layout=list"]  # the first has the cards of the others


def await_strips(page):
    """Waits until all strips of the page are at rest at their initial positions."""
    page.wait_for_selector("carousel-strip")
    page.locator("body").evaluate(BOUNDED % f"() => Promise.all([...document.querySelectorAll('carousel-strip')].flatMap((strip) => [({ARRIVED})(strip), ({STYLED})(strip)]))")


def violations(page):
    # To preload style sheets, axe would add inline copies, which the page's policy rejects.
    options = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
    found = Axe().run(page, options=options).response["violations"]
    return [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(open_page, path):
    page = open_page(path, viewport={"width": 1280, "height": 2400})  # strips far below the screen wait
    await_strips(page)
    assert violations(page) == []


def test_axe_would_find_something(open_page):
    page = open_page("/?strip=albums&xray")
    await_strips(page)
    page.evaluate("""() => {
      // Uses a copy, since a strip would restore its own attributes.
      const strip = document.querySelector("carousel-strip");
      const list = strip.querySelector("ul").cloneNode(true);
      strip.replaceWith(list);
      list.removeAttribute("aria-label");
      list.className = strip.className;
      list.querySelector("li:not([hidden])").setAttribute("role", "lamp");
      document.querySelector(".count").style.color = "#eee";
      document.getElementById("jump-index").id = "";
    }""")
    found = {rule for rule, _ in violations(page)}
    assert {"aria-input-field-name", "aria-roles", "color-contrast", "label"} <= found


def test_axe_finds_nothing_with_every_behaviour_on(open_page):
    page = open_page("/?strip=elements")
    for box in switches(page).get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Pause").click()
    page.locator("carousel-strip li[data-index='1']").click()
    await_strips(page)
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/?strip=albums", "/galleries/menu.html"])
def test_axe_finds_nothing_in_the_dark_with_a_card_selected(open_page, path):
    strip = Strip(open_page(path, color_scheme="dark", reduced_motion="reduce"), "")
    strip.arrive()
    strip.scroll_to(offset=3000)
    strip.card(strip.visible()[1]["index"]).click()
    strip.settle()
    assert violations(strip.page) == []


# MARK: Zoom, colours, motion


@pytest.mark.parametrize("path", ["/?strip=elements", "/galleries/modules.html", "/galleries/cards.html", "/galleries/options.html"])
def test_at_200_percent_zoom_nothing_overflows(open_page, path):
    """A zoom of 200 % halves the viewport's px, and doubles the density."""
    page = open_page(path, viewport={"width": 640, "height": 400}, device_scale_factor=2)
    await_strips(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 640
    for button in page.get_by_role("button").all():
        button.scroll_into_view_if_needed()  # the facets are a row that scrolls
        box = button.bounding_box()
        assert box["x"] >= -1 and box["x"] + box["width"] <= 641


def test_text_of_twice_the_size_is_not_cut_off(open_page):
    page = open_page("/?strip=elements")
    await_strips(page)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    strip = page.locator("carousel-strip")
    card = strip.locator("li[data-index='1']")
    bottom = strip.evaluate("(strip) => strip.getBoundingClientRect().bottom")
    subtitle = card.locator(".subtitle").bounding_box()
    assert subtitle["y"] + subtitle["height"] <= bottom + 1
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280


def test_in_forced_colours_the_selection_and_the_current_dot_are_visible(open_page):
    page = open_page("/galleries/cards.html", forced_colors="active")
    await_strips(page)
    colour = "(dot) => getComputedStyle(dot, '::before').backgroundColor"
    on = page.locator("[part=dot][aria-current=true]").evaluate(colour)
    off = page.locator("[part=dot][aria-current=false]").first.evaluate(colour)
    assert on != off
    strip = Strip(page, "albums")
    strip.card(0).click()
    expect(strip.card(0)).to_have_attribute("aria-selected", "true")
    outline = strip.card(0).evaluate("(node) => getComputedStyle(node.firstElementChild, '::after').outlineStyle")
    assert outline == "solid"


def test_in_forced_colours_fields_and_buttons_have_borders(open_page):
    page = open_page("/?strip=elements&xray", forced_colors="active")
    await_strips(page)
    borders = page.evaluate("""() => [...document.querySelectorAll("input:not([type=range], [type=checkbox], [type=hidden]), select, button")]
      .filter((one) => one.checkVisibility()).map((one) => getComputedStyle(one).borderTopWidth)""")
    assert len(borders) >= 3
    assert "0px" not in borders


CONTRAST = """(strip) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255).map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
    .reduce((sum, one, k) => sum + one * [0.2126, 0.7152, 0.0722][k], 0);
  const back = light(canvas.getImageData(0, 0, 1, 1).data);
  canvas.fillStyle = getComputedStyle(strip.querySelector("[data-index] .subtitle")).color;
  canvas.fillRect(0, 0, 1, 1);
  const text = light(canvas.getImageData(0, 0, 1, 1).data);
  return (Math.max(back, text) + 0.05) / (Math.min(back, text) + 0.05);
}"""


@pytest.mark.parametrize("colors", ["color: #eee; background: #1a1a22", "color: #222; background: #fdfdfd", "color: #fff; background: #7a1f3d"])
def test_subtitles_are_readable_on_a_page_without_color_scheme(open_page, colors):
    page = open_page("about:blank")
    show(page, '<carousel-strip strip="albums"></carousel-strip>', f"<style>body {{ {colors} }}</style>")
    page.wait_for_function("() => document.querySelector('carousel-strip').current")
    page.wait_for_function("() => document.querySelector('[data-index] .subtitle').textContent")
    assert page.locator("carousel-strip").evaluate(CONTRAST) >= 4.5


def test_in_forced_colours_the_selected_option_and_the_scrubbers_track_are_visible(open_page):
    strip = Strip(open_page("/galleries/options.html", forced_colors="active"), "elements")
    strip.arrive()
    strip.card(4).click()
    colour = "(node) => getComputedStyle(node.firstElementChild).backgroundColor"
    expect(strip.card(4)).to_have_attribute("aria-selected", "true")
    strip.evaluate(f"async (strip) => {{ while (({colour})(strip.nodeOf(4)) === ({colour})(strip.nodeOf(5))) await new Promise(requestAnimationFrame) }}")
    page = open_page("/?strip=elements", forced_colors="active")
    await_strips(page)
    assert page.locator("#scrubber").evaluate("(input) => getComputedStyle(input).backgroundImage") != "none"


def test_text_of_twice_the_size_does_not_break_the_title_of_a_group(open_page):
    page = open_page("/galleries/modules.html")
    await_strips(page)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    banner = page.locator("li[data-index='0'] .banner")
    assert banner.evaluate("(node) => node.scrollHeight <= node.clientHeight && node.scrollWidth <= node.clientWidth")
    lines = """(node) => {
      const range = document.createRange();
      range.setStart(node.firstChild, 0);
      range.setEnd(node.firstChild, "Period".length);
      return range.getClientRects().length;
    }"""
    assert banner.evaluate(lines) == 1


def test_with_reduced_motion_nothing_is_animated(open_page):
    page = open_page("/galleries/options.html", reduced_motion="reduce")
    strip = Strip(page, "elements")
    strip.arrive()
    strip.evaluate("(strip) => { window.places = new Set(); strip.addEventListener('scroll', () => window.places.add(strip.offset)) }")
    strip.evaluate("(strip) => strip.scrollTo({ offset: 2000, behavior: 'smooth' })")
    strip.settle()
    assert len(page.evaluate("() => [...window.places]")) <= 2
    expect(strip.element.locator("[part=indicator]")).to_have_css("transition-duration", "0s")


@pytest.mark.parametrize("path", ["/?strip=albums", "/?strip=moons&layout=list", "/?strip=landscapes&layout=rows"])
def test_in_forced_colours_the_selected_card_has_a_frame(open_page, path):
    page = open_page(path, forced_colors="active")
    await_strips(page)
    frames = """async (strip) => {
      const { index } = strip.items.find(({ fields, kind }) => fields.title && kind !== "heading");
      const frame = () => [null, "::after"].flatMap((pseudo) => [strip.nodeOf(index), ...strip.nodeOf(index).children].map((one) => getComputedStyle(one, pseudo)))
        .filter(({ outlineStyle, content }) => outlineStyle !== "none" && content !== "none").map(({ outlineWidth }) => parseFloat(outlineWidth));
      const before = frame();
      strip.select(index);
      while (!("selected" in strip.nodeOf(index).dataset)) await new Promise(requestAnimationFrame);
      return [Math.max(0, ...before), Math.max(0, ...frame())];
    }"""
    before, after = page.locator("carousel-strip").first.evaluate(BOUNDED % frames)
    assert before < 3 == after


def test_the_titles_of_groups_in_a_list_are_headings(open_page):
    page = open_page("/?strip=landscapes&layout=rows&heading=52")
    await_strips(page)
    strip = Strip(page, "landscapes", 0)
    title = strip.window(layout="rows", width=1200, height=600)["group"]["title"]
    expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
