"""The design of the page and the galleries: strips reach the window's edges, arrows are over the cards, and nothing shifts."""

import os

import pytest
from playwright.sync_api import expect

from conftest import ROOT
from strip import Strip
from test_accessibility import await_strips, violations
from test_galleries import PAGES

WIDTHS = [320, 768, 1440, 2560]
MANY = ["embedding", "race"]  # galleries with many strips, which are never idle

# The layout shifts since the page was loaded: the value, and the elements with their places before and after.
SHIFTS = """() => new Promise((resolve) => {
  const shifts = [];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moves = sources.map(({ node, previousRect, currentRect }) => `${node?.outerHTML?.slice(0, 60)}: ${place(previousRect)} -> ${place(currentRect)}`);
      shifts.push([value, moves]);
    }
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)));
})"""


def must_not_shift(page):
    shifts = page.evaluate(SHIFTS)
    assert sum(value for value, _ in shifts) <= 0.02, shifts


VIEWPORT = """(strip) => {
  const { left, right } = strip.viewport.getBoundingClientRect();
  return [left, right];
}"""


def open_arrived(open_page, path, **options):
    strip = Strip(open_page(path, **options), None, nth=0)
    strip.arrive()
    return strip


def must_bleed(strip, width):
    """The strip reaches both edges of the window, and its first card has the left edge of the heading."""
    left, right = strip.evaluate(VIEWPORT)
    assert (left, right) == (0, width)
    heading = strip.page.locator("h1").bounding_box()
    assert abs(strip.card(0).bounding_box()["x"] - heading["x"]) <= 1


ARROWS = {"/?strip=albums": ".shelf [rel=next]", "/galleries/timeline.html": "[part=step] >> nth=1", "/galleries/products.html": "[part=step] >> nth=1", "/?strip=billion": ""}


@pytest.mark.parametrize("path, arrow", ARROWS.items(), ids=ARROWS)
def test_a_strip_reaches_the_windows_edges_begins_at_the_headings_margin_and_has_arrows_and_large_cards_in_large_windows(open_page, path, arrow):
    strip = open_arrived(open_page, path)
    if "products" not in path and arrow:
        must_have_arrows_over_the_edge_where_more_follow(strip, arrow)
        strip.scroll_to(offset=0)
    sizes = [strip.visible()[1]["size"]]
    for width in WIDTHS:
        strip.page.set_viewport_size({"width": width, "height": 900})
        strip.settle()
        must_bleed(strip, width)
        sizes.append(strip.visible()[1]["size"])
        if width == 320 and arrow:
            box, on = strip.card(0).bounding_box(), strip.page.locator(arrow)
            expect(on).to_have_css("opacity", "1")
            assert on.bounding_box()["y"] >= box["y"] + box["height"]
    if "albums" in path:
        assert [sizes[0], *sizes[-2:]] == [180, 224, 296]
        strip.must_be_right()


def must_have_arrows_over_the_edge_where_more_follow(strip, arrow):
    on, back = (strip.page.locator(one) for one in (arrow, arrow.replace("next", "prev").replace("nth=1", "nth=0")))
    expect(on).to_have_css("opacity", "1")
    expect(back).to_have_css("opacity", "0")
    card = strip.visible()[0]["index"]
    box, picture = on.bounding_box(), strip.card(card).locator(".picture").bounding_box()
    assert abs(box["y"] + box["height"] / 2 - picture["y"] - picture["height"] / 2) <= 4
    assert box["x"] + box["width"] <= 1280
    strip.rest(on.click)
    assert strip.offset > 0
    expect(back).to_have_css("opacity", "1")


TOPS = "(links) => [...new Set(links.map((link) => link.getBoundingClientRect().top))]"


@pytest.mark.parametrize("path", ["/", "/?strip=albums"])
def test_the_links_at_the_top_are_one_line(open_page, path):
    page = open_page(path)
    links = page.locator(".masthead nav > ul > li").filter(visible=True)
    for width in [320, 390, 768, 1024, 1440]:
        page.set_viewport_size({"width": width, "height": 900})
        assert len(links.evaluate_all(TOPS)) == 1, width
        site = page.locator(".masthead").get_by_role("link", name="Documentation")
        if width < 960:  # what is not a strip is in a menu
            page.locator(".languages summary").click()
            expect(page.locator(".masthead").get_by_role("link", name="Galleries")).to_be_in_viewport(ratio=1)
        expect(site).to_be_in_viewport(ratio=1)
        if width < 960:  # an arrow says that the line scrolls
            page.locator(".languages summary").click()
            page.wait_for_function("(opacity) => getComputedStyle(document.querySelector('.masthead nav'), '::after').opacity === opacity", arg="1" if width < 768 else "0")


def test_the_last_card_ends_at_the_headings_margin_and_cards_are_visible_beside_it(open_page):
    strip = open_arrived(open_page, "/?strip=albums")
    expect(strip.page.locator("carousel-strip")).to_have_count(1)  # a smaller window has no shelves
    strip.scroll_to(offset=1e9)
    edge = strip.page.locator("h1").bounding_box()["x"]
    box = strip.card(49).bounding_box()
    assert abs(box["x"] + box["width"] - (1280 - edge)) <= 1
    strip.scroll_to(offset=190)
    box = strip.card(0).bounding_box()
    assert box["x"] < 0 < box["x"] + box["width"]
    expect(strip.card(0)).to_be_in_viewport()
    on = strip.page.locator(".shelf [rel=next]")
    on.focus()  # a keyboard finds the arrows
    expect(on).to_have_css("opacity", "1")


def test_without_a_pointer_that_hovers_the_arrows_are_below_the_cards(open_page):
    strip = open_arrived(open_page, "/?strip=albums", viewport={"width": 768, "height": 900}, has_touch=True, is_mobile=True)
    on = strip.page.locator(".shelf [rel=next]")
    expect(on).to_have_css("opacity", "1")
    box = strip.card(0).bounding_box()
    assert on.bounding_box()["y"] > box["y"] + box["height"]


# Adds chips above the strip. Returns the number of their lines.
CHIPS = """async () => {
  await import("/js/filters/facets.js");
  const strip = document.querySelector("carousel-strip");
  const chips = document.createElement("carousel-facets");
  strip.id = "albums";
  chips.setAttribute("for", "albums");
  chips.setAttribute("field", "genre");
  strip.before(chips);
  while (!chips.matches(":state(loaded)") || !chips.shadowRoot.querySelector("[part~=chip]").checkVisibility()) await new Promise(requestAnimationFrame);
  return new Set([...chips.shadowRoot.querySelectorAll("[part~=chip]")].map((chip) => chip.getBoundingClientRect().top)).size;
}"""


def test_chips_are_one_line_in_a_narrow_window_and_below_more_in_a_wide_one(open_page):
    page = open_arrived(open_page, "/galleries/albums.html", viewport={"width": 320, "height": 900}).page
    assert page.evaluate(CHIPS) == 1
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
    page.set_viewport_size({"width": 700, "height": 900})
    page.evaluate("() => document.querySelector('carousel-facets').remove()")
    assert page.evaluate(CHIPS) > 1
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 700
    facets = page.locator("carousel-facets")
    more, last = facets.get_by_role("button", name="More"), facets.locator("[part~=chip]").nth(9)
    expect(more).to_be_visible()
    assert facets.bounding_box()["height"] < 50
    expect(last).not_to_be_in_viewport()
    more.click()
    expect(last).to_be_in_viewport()


# The share of the window above the end of the content.
FILLED = """() => {
  const isLast = (one) => one.localName === "li" || !one.firstElementChild;
  const boxes = [...document.querySelectorAll("main :not(li *)")].filter((one) => isLast(one) && one.checkVisibility());
  return Math.max(...boxes.map((one) => one.getBoundingClientRect().bottom)) / innerHeight;
}"""


# The cards that begin in view: id, left, top, width, and height of the picture. Works with and without the script.
CARDS = """() => JSON.stringify([...document.querySelectorAll("#strip > ul > li")]
  .filter((node) => node.checkVisibility())
  .map((node) => [node.dataset.id, node.getBoundingClientRect(), node.firstElementChild.getBoundingClientRect().height])
  .filter(([, { left }]) => left >= 0 && left < innerWidth)
  .sort(([, one], [, other]) => one.left - other.left)
  .map(([id, { left, top, width }, height]) => [id, ...[left, top, width, height].map(Math.round)]))"""


@pytest.mark.parametrize("path, width", [("/?strip=elements", 320), ("/?strip=albums", 768), ("/?strip=albums&index=7", 1440), ("/?strip=billion", 2560)])
def test_the_first_window_stands_still_while_the_script_takes_over(open_page, path, width):
    strip = Strip(open_page("about:blank", viewport={"width": width, "height": 1440}), None, nth=0)
    page, held = strip.page, []
    page.route("**/js/**", lambda route: held.append(route) if held is not None else route.continue_())
    page.goto(path, wait_until="commit")
    page.wait_for_function("() => document.readyState !== 'loading'")
    page.wait_for_function("() => [...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)")
    first = page.evaluate(CARDS)
    page.evaluate("""(cards) => {
      window.seen = new Set();
      const look = () => { window.seen.add(cards()); requestAnimationFrame(look); };
      look();
    }""".replace("cards()", f"({CARDS})()"))
    waiting, held = held, None
    for route in waiting:
        route.continue_()
    strip.arrive()
    assert page.evaluate("() => [...window.seen]") == [first]


def must_fit(page, widths, is_idle=True):
    """Nothing has shifted, and the page fits these windows. If the first, at which it was loaded, is large, each large one is filled."""
    if is_idle:
        page.wait_for_load_state("networkidle")
        must_not_shift(page)
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHTS.get(width, 900)})
        page.wait_for_function("(width) => document.documentElement.scrollWidth <= width", arg=width, polling=250)
        if width >= 1440 <= widths[0]:
            page.wait_for_function(f"() => ({FILLED})() > 0.6", polling=250)  # in each frame, it would slow the race down


HEIGHTS = {2560: 1440}
SMALL, LARGE = (320, 768), (2560, 1440)


# Two others are loaded in a large window below.
@pytest.mark.parametrize(("path", "widths"), [("/?strip=albums", SMALL), ("/?strip=elements", SMALL), ("/galleries/", SMALL), ("/galleries/", LARGE)])
def test_nothing_shifts_and_is_wider_than_the_window_and_a_large_one_is_filled(open_page, path, widths):
    page = open_page(path, viewport={"width": widths[0], "height": HEIGHTS.get(widths[0], 900)})
    if path != "/galleries/":
        Strip(page, None, nth=0).arrive()
    must_fit(page, widths)


WATCH_THE_POLICY = """
window.violations = [];
document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => window.violations.push(effectiveDirective));
"""
INLINE = """() => {
  document.body.setAttribute("style", "color: red");
  document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
}"""


@pytest.mark.parametrize("widths", [SMALL + LARGE, *[pytest.param(LARGE, marks=pytest.mark.logic)] * ("SOAK" in os.environ)])
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.documents
def test_a_gallery_fits_each_window_and_shows_its_code_and_axe_and_its_policy_find_nothing(open_page, name, widths):
    page, said = open_page("about:blank", complains=True, viewport={"width": widths[0], "height": HEIGHTS.get(widths[0], 900)}), []
    page.add_init_script(WATCH_THE_POLICY)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: message.type in ("error", "warning") and said.append(message.text))
    policy = page.goto(f"/galleries/{name}.html").header_value("content-security-policy")
    assert "default-src" in policy and "unsafe" not in policy
    if name == "race":
        page.get_by_label("Items").select_option("1000")
        page.get_by_role("button", name="Run again").click()
        expect(page.get_by_role("button", name="Run again")).to_be_enabled()
    strip = Strip(page, name, nth=0)
    strip.arrive()
    menu = page.locator(".masthead .menu > summary")
    menu.click()
    box = page.locator(".masthead [aria-current=page]").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= widths[0]
    menu.click()
    must_fit(page, widths, name not in MANY)
    assert said == []
    if widths[0] > 320:
        return
    expect(page.locator(".masthead [aria-current=page]")).to_have_attribute("href", f"/galleries/{name}.html")
    page.set_viewport_size({"width": 1280, "height": 2400})  # strips far below the screen wait
    await_strips(page)
    # The thousand cards of the race have the same structure, so 30 are enough.
    page.evaluate("() => [...document.querySelectorAll('.list > li')].slice(30).forEach((card) => card.remove())")
    assert violations(page) == []
    strip.evaluate("(strip) => strip.scrollTo({ offset: 2000 })")
    strip.settle()
    page.locator("summary", has_text="Code of this page").click()
    for file in (f"{name}.html", f"{name}.js"):
        code = page.get_by_role("region", name=file, exact=True)
        expect(code).to_have_text((ROOT / "Public/galleries" / file).read_text(), use_inner_text=False)
    left = "(node) => node.getBoundingClientRect().x"
    assert page.locator("details.code").evaluate(left) == page.locator("h1").evaluate(left)
    assert page.locator(".files pre").evaluate_all("(all) => all.every((one) => one.scrollWidth <= one.clientWidth)")
    assert page.evaluate("() => window.violations") == [] == said
    page.evaluate(INLINE)
    page.wait_for_function("() => window.violations.length === 2")
    assert page.evaluate("() => [window.violations, window.ran]") == [["style-src-attr", "script-src-elem"], None]


def test_a_large_window_shows_the_other_strips_as_shelves(open_page):
    page = open_arrived(open_page, "/?strip=albums", viewport={"width": 2560, "height": 1440}).page
    expect(page.locator(".more h2")).to_have_text(["Landscapes", "Moons", "Elements", "A billion"])
    shelf = Strip(page, "moons", nth=2)
    shelf.arrive()
    must_fit(page, LARGE)
    page.set_viewport_size({"width": 2560, "height": 1440})
    shelf.settle()
    shelf.card(1).click()
    page.wait_for_url("**/?strip=moons&item=*")
    expect(page.locator("h1")).to_have_text("Moons")


def test_on_a_large_screen_the_last_tick_is_where_the_last_group_begins_and_nothing_shifts(open_page):
    # The server renders the first window for a smaller screen, where the strip is shorter.
    strip = open_arrived(open_page, "/?strip=elements", viewport={"width": 2560, "height": 1440})
    height, extent = strip.evaluate("(strip) => [strip.meta.height, strip.meta.extent]")
    groups = strip.page.request.get(f"/strips/elements/groups?height={height}").json()["groups"]
    strip.page.wait_for_function("""(share) => {
      const titles = document.querySelector("[part=titles]")?.getBoundingClientRect();
      const ticks = document.querySelectorAll("[part=titles] > span:not([hidden])");
      return Math.abs([...ticks].at(-1)?.getBoundingClientRect().left - titles?.left - share * titles?.width) < 3;
    }""", arg=groups[-1]["start"] / extent)
    must_fit(strip.page, LARGE)


def test_the_thumbnails_follow_the_large_picture_and_the_other_way_round(open_page):
    page = open_page("/galleries/thumbnails.html")
    main, thumbnails = (Strip(page, "albums", nth=nth) for nth in (0, 1))
    main.arrive()
    thumbnails.arrive()
    for one, other, index in [(main, thumbnails, 13), (thumbnails, main, 11)]:
        one.card(index).click()
        expect(other.card(index)).to_have_attribute("aria-selected", "true")
        expect(other.card(index)).to_be_in_viewport()
    expect(page.locator("#current")).to_have_text("The Dark Side of the Moon, Pink Floyd")


def test_the_product_row_keeps_the_bag_by_item(open_page):
    strip = open_arrived(open_page, "/galleries/products.html")
    strip.card(1).locator(".add").click()
    expect(strip.page.locator(".bag")).to_have_text("1 in your bag.")
    strip.page.evaluate("() => document.activeElement.blur()")  # the strip keeps a focused card
    strip.scroll_to(offset=1e9)
    expect(strip.element.locator("li:not([hidden]) .add[aria-pressed=true]")).to_have_count(0)
    strip.scroll_to(offset=0)
    expect(strip.card(1).locator(".add")).to_have_text("Added")


def test_the_timeline_scrolls_to_a_decade(open_page):
    strip = open_arrived(open_page, "/galleries/timeline.html")
    strip.page.get_by_role("button", name="1990s").click()
    expect(strip.element.locator(".group")).to_have_text("1991")


def test_the_hero_names_the_album_in_the_center(open_page):
    strip = open_arrived(open_page, "/galleries/hero.html", reduced_motion="reduce")
    title = strip.page.locator(".feature h2")
    expect(title).to_have_text("Kind of Blue")
    strip.rest(lambda: strip.evaluate("(strip) => strip.scrollTo({ index: 3, behavior: 'instant' })"))
    expect(title).to_have_text("Abbey Road")
