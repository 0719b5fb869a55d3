"""The galleries of layouts, a table, a product grid and a wall, and the page of the server with a layout."""

import pytest
from playwright.sync_api import expect

from strip import IDLE

pytestmark = [pytest.mark.alone, pytest.mark.documents]

REST = """async () => {
  const strip = document.querySelector("carousel-strip");
  const frame = () => new Promise(requestAnimationFrame);
  let [former, same] = [null, 0];
  while (same < 4) {
    await frame();
    const isShown = strip.meta?.width === strip.axis.query?.width && !strip.isWaiting && strip.items.every((item) => item.fields);
    same = isShown && strip.offset === former ? same + 1 : 0;
    former = strip.offset;
  }
}"""

# The items in view, in order, with the places of their nodes in what scrolls.
SHOWN = """() => {
  const strip = document.querySelector("carousel-strip");
  const box = strip.viewport.getBoundingClientRect();
  const [top, bottom] = strip.viewport.hasAttribute("data-flow") ? [0, innerHeight] : [box.top, box.bottom];
  return strip.items
    .map(({ index, kind, fields }) => ({ index, kind, fields, node: strip.nodeOf(index) }))
    .map(({ node, ...item }) => ({ ...item, ...node.getBoundingClientRect().toJSON() }))
    .filter((item) => item.bottom > top + 1 && item.top < bottom - 1)
    .map(({ top: y, ...item }) => ({ ...item, y: y - top }));
}"""

HEADING = """() => {
  const strip = document.querySelector("carousel-strip");
  const top = strip.viewport.hasAttribute("data-flow") ? 0 : strip.viewport.getBoundingClientRect().top;
  const stuck = [...strip.shadowRoot.querySelectorAll("[part=heading]")]
    .filter((node) => node.checkVisibility() && Math.abs(node.getBoundingClientRect().top - top) < 2);
  return stuck.map((node) => node.textContent);
}"""


# Whether the address has the offset of the strip. It has had that of its start before.
IN_ADDRESS = "() => Math.abs(new URL(location).searchParams.get('offset') - document.querySelector('carousel-strip').offset) < 1"


class Gallery:
    def __init__(self, page):
        self.page, self.strip = page, page.locator("carousel-strip")
        page.wait_for_function("() => document.querySelector('carousel-strip').axis?.isVertical && document.querySelector('carousel-strip').meta")
        self.rest()

    def rest(self):
        self.page.evaluate(REST)

    def shown(self):
        return self.page.evaluate(SHOWN)

    def scroll_to(self, **place):
        self.strip.evaluate("(strip, place) => strip.scrollTo(place)", place)
        self.rest()

    def headings(self):
        return self.page.evaluate(HEADING)


@pytest.fixture
def gallery(open_page):
    def gallery(name, **options):
        path = name if name.startswith("/") else f"/galleries/{name}.html"
        return Gallery(open_page(path, **options))

    return gallery


def test_a_table_has_rows_of_one_height_columns_with_titles_headings_details_and_a_scrubber(gallery):
    table = gallery("table")
    rows = [item for item in table.shown() if item["kind"] == "moon"]
    assert len(rows) > 5 and {row["height"] for row in rows} == {52}
    for column in range(1, 5):
        title = table.page.locator(f".columns > span:nth-child({column})").bounding_box()
        cell = table.page.locator(f"li:not([hidden]) .row > :nth-child({column + 1})").first.bounding_box()
        assert abs(title["x"] - cell["x"]) <= 1.5
    # A row shows its details.
    table.page.locator("li[data-id=phobos]").click()
    expect(table.page.locator("#details h2")).to_have_text("Phobos")
    # Headings stick.
    titles = table.strip.evaluate("async (strip) => (await (await fetch('/strips/moons/groups')).json()).groups.map(({ title, first }) => [title, first])")
    assert len(titles) == 7
    for title, first in titles[2:6]:
        table.scroll_to(index=first + 1, align="start")
        assert table.headings() == [title]
    # The scrubber leads to the last row.
    slider = table.strip.locator("input[type=range]")
    for key, title, place in [("End", "Hydra", -1), ("Home", "Moon", 0)]:
        slider.focus()
        table.page.keyboard.press(key)
        table.rest()
        assert table.shown()[place]["fields"]["title"] == title


SHIFTS = """async () => {
  const shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
  }).observe({ type: "layout-shift", buffered: true });
  for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
  return shifts;
}"""


@pytest.mark.parametrize("name, width", [("table", 390), ("wall", 768), ("table", 1440), ("wall", 1440)])
def test_the_groups_of_a_scrubber_shift_nothing(gallery, name, width):
    opened = gallery(name, viewport={"width": width, "height": 900})
    opened.page.wait_for_function("() => document.querySelector('carousel-strip').shadowRoot.querySelector('[part=titles]')?.hasChildNodes()")
    opened.rest()
    assert opened.page.evaluate(SHIFTS) == []


def test_controls_that_wait_for_their_style_sheet_shift_nothing(open_page):
    page, held = open_page("about:blank", viewport={"width": 768, "height": 900}), []
    page.route("**/css/layouts.css", lambda route: held.append(route))
    with page.expect_request("**/css/layouts.css"):
        page.goto("/galleries/wall.html")
    Gallery(page)
    with page.expect_request_finished(lambda request: request.url.endswith("/layouts.css")):
        held[0].continue_()
    page.evaluate(IDLE)
    assert page.evaluate(SHIFTS) == []


def test_the_columns_of_a_product_grid_follow_the_width_a_facet_filters_it_and_the_bag_keeps_its_products(gallery):
    grid = gallery("grid")
    for width, columns in [(320, 2), (768, 3), (1440, 6)]:
        grid.page.set_viewport_size({"width": width, "height": 900})
        grid.page.wait_for_function("(width) => innerWidth === width", arg=width)
        grid.rest()
        first = grid.shown()
        assert len({item["x"] for item in first}) == columns
        for name in (".title", ".subtitle", ".add"):
            part = grid.page.locator(f"li[data-index='0'] {name}").bounding_box()
            assert part["y"] + part["height"] <= first[0]["bottom"] + 0.5
        picture = grid.page.locator("li[data-index='0'] .picture").bounding_box()
        assert abs(picture["width"] - picture["height"]) <= 12
    grid.page.locator("li[data-id=a0] .add").click()
    expect(grid.page.locator(".bag")).to_have_text("1 in your bag.")
    chip = grid.page.get_by_role("group", name="Genre").get_by_role("button").first
    chip.click()
    grid.page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count < 50")
    grid.rest()
    chip.click()
    grid.page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 50")
    grid.rest()
    expect(grid.page.locator("[data-id][data-index] .add[aria-pressed=true]")).to_have_count(1)


def must_keep(gallery, item, widths):
    """Resizes the page. The `item` must keep its place within 1 px."""
    places = []
    for width in widths:
        gallery.page.set_viewport_size({"width": width, "height": 900})
        gallery.rest()
        places += [one["y"] for one in gallery.shown() if one["index"] == item["index"]] or [None]
    assert places == pytest.approx([item["y"]] * len(widths), abs=1)


ADD_STYLE = """(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}"""
CHANGING = "main::before { content: ''; display: block; height: 30vw } @media (width < 50rem) { main { padding-top: 300px } }"
WITHOUT_ANCHORING = "html { overflow-anchor: none }"


@pytest.mark.parametrize("css", ["", WITHOUT_ANCHORING, CHANGING, CHANGING + WITHOUT_ANCHORING], ids=["", "unanchored", "changing", "both"])
def test_the_wall_leads_to_a_year_and_keeps_it_at_other_widths(gallery, css):
    widths = (390, 1440, 390, 768, 390) if CHANGING in css else (1440, 768, 1440, 390, 1440)
    wall = gallery("wall", viewport={"width": widths[0], "height": 900})
    wall.page.evaluate(ADD_STYLE, css)
    wall.page.get_by_label("Year", exact=True).fill("1850")
    wall.page.get_by_role("button", name="Go").click()
    wall.page.wait_for_function("() => document.querySelector('carousel-strip').items.some(({ fields }) => fields?.year === 1850)")
    wall.rest()
    first = next(item for item in wall.shown() if item["y"] >= 51)
    assert first["fields"]["year"] == 1850 and first["y"] < 80
    assert wall.headings() == ["1850"]
    must_keep(wall, first, widths)


def test_the_wall_ends_with_its_last_picture_and_a_link_shows_the_same_pictures(gallery, open_page):
    wall = gallery("wall")
    nodes = wall.strip.locator("li").count()
    wall.scroll_to(index=69_201, align="end")
    wall.rest()
    assert wall.shown()[-1]["index"] == 69_201
    assert wall.headings() == ["2025"]
    assert wall.strip.locator("li").count() <= max(nodes, sum(wall.strip.evaluate("(strip) => Object.values(strip.meta.pools)")) + 1)
    wall.scroll_to(index=30_000)
    wall.page.wait_for_function(IN_ADDRESS)
    first = wall.shown()[0]["index"]
    other = Gallery(open_page(wall.page.url))
    other.page.wait_for_function("(index) => document.querySelector('carousel-strip').nodeOf(index)", arg=first)
    other.rest()
    assert other.shown()[0]["index"] == first


# MARK: The page of the server

ROWS = "/?strip=landscapes&layout=rows&row=120"


@pytest.mark.parametrize("path, width", [(ROWS, 1440), (ROWS, 390), ("/?strip=albums&layout=grid", 390), ("/?strip=moons&layout=list", 1440)])
def test_the_page_shows_a_layout_at_its_own_width_and_filters_it(gallery, path, width):
    page = gallery(path, viewport={"width": width, "height": 800})
    heading = None if "albums" in path else "44"  # many short groups have no headings
    assert page.strip.evaluate("(strip) => [strip.meta.layout, strip.getAttribute('heading')]") == [path.split("layout=")[1].split("&")[0], heading]
    assert all(item["left"] >= 0 and item["right"] <= width for item in page.shown())
    assert page.page.evaluate("() => document.documentElement.scrollWidth") <= width
    assert page.page.locator(".before").count() == 0
    if (path, width) == (ROWS, 1440):
        page.page.get_by_role("searchbox").fill("moor")
        page.page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count < 20000")
        page.rest()
        assert all("Moor" in item["fields"]["title"] for item in page.shown())


def test_the_form_of_the_page_jumps_to_a_number_and_the_address_keeps_it(gallery, open_page):
    page = gallery("/?strip=billion&layout=grid&columns=3&xray")
    page.page.get_by_label("Go to item").fill("40001")
    page.page.get_by_role("button", name="Go").click()
    page.page.wait_for_function("() => document.querySelector('carousel-strip').nodeOf(40000)")
    page.rest()
    page.page.wait_for_function(IN_ADDRESS)
    first = page.shown()[0]["index"]
    shared = Gallery(open_page(page.page.url))
    shared.page.wait_for_function("(index) => document.querySelector('carousel-strip').nodeOf(index)", arg=first)
    shared.rest()
    assert shared.shown()[0]["index"] == first
    assert shared.strip.get_attribute("columns") == "3"


def test_the_details_of_an_item_are_over_the_page(gallery):
    page = gallery("/?strip=landscapes&layout=grid")
    page.page.locator("li[data-index='3']").click()
    expect(page.page.locator("#details h2")).to_be_in_viewport()
    page.page.keyboard.press("Escape")
    expect(page.page.locator("#details")).to_be_hidden()


@pytest.mark.parametrize("css", [CHANGING, CHANGING + WITHOUT_ANCHORING], ids=["anchored", "unanchored"])
def test_an_item_of_the_address_is_the_first_below_the_heading_and_the_page_keeps_it_at_other_widths(gallery, css):
    page = gallery(f"{ROWS}&index=50000", viewport={"width": 1440, "height": 900})
    page.page.wait_for_function("() => document.querySelector('carousel-strip').nodeOf(50000)")
    page.rest()
    assert any(item["index"] == 50_000 and abs(item["y"] - 100) <= 1 for item in page.shown())  # below the bar and the heading
    page.page.evaluate(ADD_STYLE, css)
    page.rest()
    page.page.evaluate("() => scrollBy(0, 30)")
    page.rest()
    first = next(item for item in page.shown() if item["bottom"] > 101)
    must_keep(page, first, [768, 1440, 320, 1440])
    page.page.evaluate("() => scrollBy(0, 500)")
    page.rest()
    first = next(item for item in page.shown() if item["bottom"] > 101)
    for width in range(1400, 800, -100):  # as a reader who drags the window's edge
        page.page.set_viewport_size({"width": width, "height": 900})
    must_keep(page, first, [768, 1440])
