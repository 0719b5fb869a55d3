"""The first page: its figures, x-ray, the HTML that it shows, and shelves of a visitor's own strips."""

import re

import pytest
from playwright.sync_api import expect

from cases import case
from strip import Strip, poll, show
from test_design import must_not_shift

SECTIONS = ["wall", "shop", "shelf", "billion"]


@pytest.fixture
def first(open_page):
    def first(path="/", **options):
        page = open_page(path, **options)
        Strip(page, "landscapes", nth=0).arrive()
        return page

    return first


def nodes_of(page, name):
    return page.evaluate("(name) => document.querySelectorAll(`#${name} li`).length", name)


def number(text):
    return int("".join(one for one in text if one.isdigit()))


def must_scroll_the_page_over_the_shop_and_the_wall_until_its_scrubber_is_used(page):
    for strip in [page.locator("#shop"), page.locator("#wall")]:
        strip.hover()
        top = page.evaluate("() => scrollY")
        page.mouse.wheel(0, 300)
        page.wait_for_function("(top) => scrollY >= top + 300", arg=top)
        assert strip.evaluate("(strip) => strip.offset") == 0
    page.locator("#wall").get_by_role("slider").focus()
    page.locator("#wall").hover()
    page.mouse.wheel(0, 300)
    page.wait_for_function("() => document.getElementById('wall').offset > 0")


def test_a_tap_on_a_picture_of_the_wall_opens_it_on_the_page_of_the_wall(first):
    page = first("/?lang=de")
    card = page.locator("#wall li[data-index='5']")
    name = card.get_attribute("data-id")
    with page.expect_navigation():
        card.click()
    page.wait_for_url(f"**/?lang=de&strip=landscapes&layout=rows&item={name}&picture={name}")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator(f"main li[data-id={name}]")).to_be_in_viewport()  # the dialog can have it, too


@pytest.mark.parametrize("name", ["landscapes", "elements"])
def test_a_list_has_a_small_picture_at_the_side_of_each_title(open_page, name):
    page = open_page(f"/?strip={name}&layout=list")
    Strip(page, name, nth=0).arrive()
    must_have_a_small_picture_at_the_side_of_a_title(page)


def must_have_a_small_picture_at_the_side_of_a_title(page):
    card = page.locator("carousel-strip > ul > li[data-index]:has(> .picture)").first
    row, picture, title = (part.bounding_box() for part in [card, card.locator(".picture"), card.locator(".title")])
    assert row["height"] == 64 and picture["width"] == picture["height"] < 64
    padding = card.locator(".title").evaluate("(title) => parseFloat(getComputedStyle(title).paddingInlineStart)")
    assert picture["x"] + picture["width"] < title["x"] + padding


def must_show_a_square_cover_whole_above_its_price(page):
    card = page.locator("[layout=grid] li[data-index='0']")
    box = card.locator(".picture").bounding_box()
    assert abs(box["width"] - box["height"]) <= 3
    expect(card.locator(".price")).to_contain_text("€")


def test_the_groups_of_a_sort_by_price_have_a_currency(open_page):
    page = open_page("/?strip=albums&sort=price")
    for part in ("[part=titles] span span", "[part=bubble]", ".group"):
        expect(page.locator(part).first).to_have_text("€17.50")
    page.route("**/js/**", lambda route: held.append(route))
    held = []
    page.goto("/?strip=moons&layout=grid", wait_until="commit")
    page.locator("[name=q]").fill("a")
    page.locator("[name=sort]").select_option("diameter")
    page.unroute("**/js/**")  # what is typed and chosen before the script counts
    page.wait_for_function("() => { const { view } = document.querySelector('carousel-strip').meta ?? {}; return view?.q === 'a' && view.sort === 'diameter'; }")
    expect(page.locator("[part=heading]:visible")).to_have_count(0)
    page.goto("/?strip=moons&layout=grid")
    expect(page.locator("[part=heading]:visible").first).to_have_text("Earth")


def test_the_number_of_an_element_is_above_its_symbol_and_a_group_has_one_heading(open_page):
    page = open_page("/?strip=elements&layout=grid")
    Strip(page, "elements", nth=0).arrive()
    number, symbol = (page.locator(f"li[data-id=H] {part}").evaluate("(text) => { const range = new Range(); range.selectNodeContents(text); return range.getBoundingClientRect().toJSON(); }") for part in (".number", ".symbol"))
    assert number["bottom"] <= symbol["top"]
    found = page.get_by_text("Period 1", exact=True).and_(page.locator(":not([part=titles] *)"))  # the scrubber names it too
    expect(found.filter(visible=True)).to_have_count(1)


def test_a_drawing_is_whole_in_the_viewer(open_page):
    page = open_page("/?strip=landscapes&layout=rows", viewport={"width": 390, "height": 844})
    Strip(page, "landscapes", nth=0).arrive()
    page.locator("carousel-strip li[data-index='1']").click()
    drawing = page.get_by_role("dialog").locator("li[data-index='1'] .picture svg").first
    expect(drawing).to_have_attribute("preserveAspectRatio", "xMidYMid meet")
    expect(drawing).to_have_attribute("viewBox", re.compile(r"^0 0 \d\d 16$"))  # the shape of the item
    page.get_by_role("button", name="Details").click()
    expect(page.get_by_role("dialog").locator("dt")).to_have_text(["Year", "Place", "Time", "Price"])


def test_a_page_that_cannot_be_has_links(open_page):
    page = open_page("/?strip=billion&layout=rows", complains=True, viewport={"width": 390, "height": 844})
    expect(page.get_by_role("link", name="Documentation")).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name="carousel")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="Show the strip without these settings")).to_have_attribute("href", "/?strip=billion")


def test_a_page_of_a_strip_that_is_not_there_says_so_in_a_sentence(open_page):
    main = open_page("/?strip=nope", complains=True).get_by_role("main")
    expect(main.get_by_role("paragraph").first).to_have_text('There is no strip "nope".')


def test_the_page_opens_on_a_wall_the_wheel_scrolls_the_page_and_its_figures_count_the_nodes_and_the_items_in_view(first):
    page = first()
    box, title = (page.locator(part).bounding_box() for part in ["#wall", "h1"])
    assert box["x"] == title["x"] and box["x"] + box["width"] <= 1280
    assert page.locator("#wall li:not([hidden])").count() >= 10
    expect(page.get_by_role("slider").first).to_be_visible()
    expect(page.locator(".heading-line .count")).to_contain_text("cards in the browser")
    expect(page.get_by_text("The browser holds only these few cards")).to_be_visible()
    must_scroll_the_page_over_the_shop_and_the_wall_until_its_scrubber_is_used(page)
    wall = Strip(page, "landscapes", nth=0)
    wall.settle()
    for place in ("start", "middle", "end"):
        if place != "start":
            wall.scroll_to(index=34_000 if place == "middle" else 69_201)
        assert number(page.locator("[data-for=wall]").inner_text()) == nodes_of(page, "wall") < 200
    expect(page.locator("h1")).to_have_text("Everything you have, on one page")
    expect(page.locator(".heading-line .count")).to_contain_text("69,202 pictures")
    page.locator("#billion").scroll_into_view_if_needed()
    billion = Strip(page, "billion", nth=3)
    billion.arrive()
    billion.scroll_to(index=500_000_000)
    said, first_item, last = page.evaluate("""() => {
      const strip = document.getElementById("billion");
      const inView = strip.items.filter(({ start, size }) => start + size > strip.offset && start < strip.offset + strip.viewportSize);
      return [document.querySelector("[data-for=billion][data-figure=view]").textContent, inView[0].index + 1, inView.at(-1).index + 1];
    }""")
    assert [number(one) for one in said.split("–")] == [first_item, last]


def test_the_page_shows_slots_filters_and_sorts_its_shop_and_leads_to_the_end_of_a_billion(first):
    page = first()
    page.get_by_role("checkbox", name="X-ray").check()
    assert page.locator("carousel-strip[data-xray]").count() == len(SECTIONS)
    labels = "(node) => [getComputedStyle(node, '::after').content, node.dataset.slot, node.style.getPropertyValue('--slot')]"
    content, slot, color = page.locator("#wall li:not([hidden])").first.evaluate(labels)
    assert slot in content and slot.endswith(f"-{color}")
    page.get_by_role("checkbox", name="X-ray").uncheck()
    assert page.locator("carousel-strip[data-xray]").count() == 0
    page.locator("#shop").scroll_into_view_if_needed()
    page.get_by_role("combobox", name="Sort").select_option("price")
    expect(page.locator("#shop li[data-index='0'] .price")).to_have_text("€19.00")
    page.get_by_role("combobox", name="Sort").select_option("-year")
    newest = page.request.get("/window?strip=landscapes&sort=-year").json()["items"][0]["id"]
    expect(page.locator("#shop li[data-index='0']")).to_have_attribute("data-id", newest)
    page.get_by_role("searchbox").fill("zzzz")
    expect(page.get_by_role("link", name="All prints")).to_be_hidden()
    page.get_by_role("searchbox").fill("dunes by moonlight")
    expect(page.locator("#shop li[data-index='0'] .title")).to_have_text("Dunes by moonlight")
    page.locator("#billion").scroll_into_view_if_needed()
    Strip(page, "billion", nth=3).arrive()
    page.get_by_role("link", name="To the end").click()
    expect(page.locator("#billion li[data-index='999999999']")).to_be_in_viewport()
    expect(page.locator("[data-for=billion][data-figure=view]")).to_contain_text("1,000,000,000")


def test_the_html_of_each_part_works_in_an_empty_page(open_page):
    texts = open_page("/", java_script_enabled=False).locator(".tour pre").all_inner_texts()
    page = open_page("about:blank", complains=True)  # titles of other places are missing
    for name in SECTIONS:
        with case(name):
            code = next(one for one in texts if f'id="{name}"' in one)
            show(page, f"<main>{code}</main>")
            strip = Strip(page, None, nth=0)
            strip.arrive()
            query = strip.evaluate("(strip) => Object.fromEntries(['strip', 'sort'].map((name) => [name, strip.getAttribute(name) ?? '']))")
            wanted = page.request.get("/window", params=query).json()["items"][0]["id"]
            expect(page.locator("carousel-strip li[data-index='0']")).to_have_attribute("data-id", wanted)


@pytest.mark.parametrize("width", [390, 1440])
def test_without_scripts_each_part_has_its_cards_and_nothing_is_wider_than_the_page(open_page, width):
    page = open_page("/", java_script_enabled=False, viewport={"width": width, "height": 900})
    for name in SECTIONS:
        card = page.locator(f"#{name} li[data-index]").first
        expect(card).to_be_visible()
        assert card.bounding_box()["height"] > 50
    assert page.locator("#xray-switch").is_hidden()
    assert page.locator("html").evaluate("(html) => html.scrollWidth") <= width
    with page.expect_navigation():
        page.get_by_role("link", name="To the end").click()
    expect(page.locator("li[data-index='999999999']")).to_have_count(1)


@pytest.mark.parametrize("width", [320, 2560])  # those below are loaded in others
def test_nothing_shifts_and_nothing_is_wider_than_the_page(first, width):
    page = first(viewport={"width": width, "height": 900})
    page.wait_for_load_state("networkidle")
    must_not_shift(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    # A shop below the window has cards before it is scrolled to.
    assert page.locator("#shop").evaluate("(shop) => [...shop.querySelectorAll('li')].filter((card) => card.checkVisibility() && card.offsetHeight > 100).length") >= 4


def test_the_page_of_a_strip_switches_its_layout_and_keeps_the_view(open_strip):
    page = open_strip("albums").page
    page.get_by_role("searchbox").fill("the")
    page.wait_for_function("() => new URL(location).searchParams.get('q') === 'the'")
    for layout in ["list", "grid", "rows", "strip"]:
        with case(layout):
            switch = page.get_by_role("navigation", name="Layout").get_by_role("link", name=layout.capitalize())
            with page.expect_navigation():
                switch.click()
            strip = Strip(page, "albums", nth=0)
            strip.arrive()
            assert strip.evaluate("(strip) => [strip.getAttribute('layout') ?? 'strip', strip.getAttribute('q')]") == [layout, "the"]
            expect(switch).to_have_attribute("aria-current", "true")
            if layout == "list":
                must_have_a_small_picture_at_the_side_of_a_title(page)
            if layout == "grid":
                must_show_a_square_cover_whole_above_its_price(page)


def test_a_landscape_is_drawn_and_its_details_have_labels_and_no_data_of_the_drawing(open_strip):
    strip = open_strip("landscapes")
    card = strip.card(strip.visible()[0]["index"])
    assert card.locator("path").count() == 5  # three layers of the far hill, two of the near one
    assert card.locator("path").last.get_attribute("d").startswith("M0 ")
    strip.card(strip.visible()[0]["index"]).click()
    labels = strip.page.locator("#details dt")
    expect(labels).to_have_text(["Year", "Place", "Time", "Price"])
    strip.page.reload()  # the address has the item
    expect(labels).to_have_count(4)
    strip.page.locator("#details").get_by_role("button", name="Close").click()
    expect(strip.page.locator("#details")).to_be_hidden()
    assert "selected" not in strip.page.url


# MARK: before the script


IN_VIEW = """(cards) => [...document.querySelectorAll(cards)].map((card) => card.getBoundingClientRect())
  .filter(({ top, bottom, width }) => width && top < innerHeight && bottom > 0).map(({ x, y, width, height }) => ({ x, y, width, height }))"""

STYLED = """() => document.readyState === "interactive" && [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet)"""

PLACES = [("/", 390), ("/", 1440), ("/?strip=landscapes&layout=rows", 390), ("/?strip=albums&layout=grid", 390), ("/?strip=elements&layout=grid", 1440), ("/?strip=moons&layout=list", 390), ("/?strip=moons&layout=grid", 1440)]


@pytest.mark.parametrize(("path", "width"), PLACES)
def test_cards_are_in_view_before_the_script_and_give_way_to_its_own(open_page, path, width):
    page, held = open_page("about:blank", viewport={"width": width, "height": 800}), []
    page.route("**/js/**", lambda route: held.append(route))
    page.goto(path, wait_until="commit")
    poll(lambda: page.evaluate(STYLED) and held, lambda: "no script is requested")
    poll(lambda: len(page.evaluate(IN_VIEW, ".before li")) >= 4, lambda: page.evaluate(IN_VIEW, ".before li"))
    places = page.evaluate(IN_VIEW, ".before li")
    assert all(one["x"] >= 0 and one["x"] + one["width"] <= width for one in places)
    for one, other in zip(places, places[1:]):
        assert other["y"] >= one["y"] + one["height"] - 0.5 or other["x"] >= one["x"] + one["width"] - 0.5
    page.unroute("**/js/**")  # it continues them
    Strip(page, None, nth=0).arrive()
    expect(page.locator("carousel-strip").first.locator(".before")).to_have_count(0)
    if "rows" not in path and path != "/":
        assert [pytest.approx(one, abs=1) for one in places] == sorted(page.evaluate(IN_VIEW, "carousel-strip > ul > li:not([hidden])"), key=lambda one: (one["y"], one["x"]))
    must_not_shift(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
