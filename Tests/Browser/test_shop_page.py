"""The page of a shop: filters, cards without pictures, and the details of a product."""

import pytest
from playwright.sync_api import expect

from cases import case
from conftest import run, serving
from strip import Strip

BRANDS = ["Nord", "Oki", "Terra Nova", "Muller", "Nordic House", "Atlantic", "Brass", "Linen", "Walnut", "Steel", "Glass", "Wool", "Leather", "Cork"]
STOCK = [0, 1, 2, 3, 5, 8, "", 20, 12]
TABLE = "id,name,brand,room,price,was,stock,rating,colour,image\n" + "".join(
    f"p{k},Bowl {k}{' of a set whose title takes two lines on every page' * (k == 2)},{BRANDS[k % 14]},{['Kitchen', 'Bedroom', 'Hall'][k % 3]},{k + 12}.50,{99 if k == 3 else ''},{STOCK[k % 9]},{1 + k * 7 % 5},{['Red', 'Blue'][k % 2]},"
    f"{'' if k % 4 == 1 else '/favicon.svg'}\n"
    for k in range(120)
)
GRID = "/?strip=bowls&layout=grid"


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    table = folder / "bowls.csv"
    table.write_text(TABLE)
    fields = '{"price":{"unit":"EUR","format":"currency"},"was":{"unit":"EUR","format":"currency"}}'
    run("import", table, "--database", folder / "shop.db", "--strip", "bowls", "--map", "title=name", "--map", "fields=*",
        "--filterable", "brand,room,price,stock,rating,colour", "--searchable", "title,brand", "--fields", fields)  # fmt: skip
    with serving("--database", folder / "shop.db") as address:
        yield address


@pytest.fixture
def open_shop(open_page, shop):
    """Opens the page of the shop, with its facets. A page with items is at rest."""

    def open_shop(more="", path=GRID, width=1440, height=900, has_items=True):
        page = open_page(path + more, base_url=shop, viewport={"width": width, "height": height})
        if has_items:
            Strip(page, "bowls", nth=0).arrive()
        page.wait_for_function("() => [...document.querySelectorAll('carousel-facets')].every((one) => one.matches(':state(loaded)'))")
        return page

    return open_shop


def facet(page, field):
    return page.locator(f"carousel-facets[field={field}]")


def test_the_first_screen_of_a_shop(open_shop):
    page = open_shop()
    # Few numbers are values in their order, and more are a range.
    expect(facet(page, "rating").locator("[part=value]")).to_have_text(["1", "2", "3", "4", "5"])
    expect(facet(page, "stock").get_by_role("spinbutton").first).to_be_visible()
    expect(facet(page, "stock").get_by_role("checkbox")).to_have_count(0)
    # The words of a card follow one another without a gap.
    one, two = (page.locator(f"li[data-id=p{k}]") for k in (0, 2))
    assert one.locator(".title").bounding_box()["height"] < two.locator(".title").bounding_box()["height"]
    assert one.locator(".picture").bounding_box()["y"] == two.locator(".picture").bounding_box()["y"]
    for card in (one, two):
        words = [card.locator(part).bounding_box() for part in (".title", ".line", ".price")]
        assert all(after["y"] - before["y"] - before["height"] < 2 for before, after in zip(words, words[1:]))
    # The price before a sale is struck out beside the price.
    expect(page.locator("li[data-id=p3] .price")).to_have_text("€15.50 €99.00", use_inner_text=True)
    expect(page.locator("li[data-id=p3] s")).to_be_visible()
    expect(page.locator("li[data-id=p4] s")).to_be_hidden()
    # Cards without a picture line up with the others.
    for part in [".picture", ".title", ".price"]:
        first, second = (page.locator(f"li[data-id=p{k}] {part}").bounding_box() for k in (0, 1))
        assert first["y"] == second["y"] and first["height"] == second["height"], part
    # The details have all fields and the id.
    page.locator("li[data-id=p4] .picture").click()
    labels = page.locator("#details dt")
    expect(labels).to_have_text(["Brand", "Room", "Price", "Stock", "Rating", "Colour", "ID"])
    expect(page.locator("#details dd").last).to_have_text("p4")
    assert page.locator("#details img").bounding_box()["width"] > page.locator("li[data-id=p4] .picture").bounding_box()["width"]
    page.keyboard.press("Escape")
    # The ground of a whole picture is white in the dark, too.
    page.emulate_media(color_scheme="dark")
    expect(page.locator("li[data-id=p0] .picture")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator("li[data-id=p1] .picture")).to_have_css("background-color", "rgb(43, 40, 36)")  # without a picture
    # Relevance is an order of a search.
    relevance, field = page.locator("option[value=relevance]"), page.locator(".filters [name=q]")
    for words, is_hidden in [("", True), ("bowl", False), ("", True)]:
        field.fill(words)
        page.wait_for_function("(words) => (document.querySelector('carousel-strip').getAttribute('q') ?? '') === words", arg=words)
        page.get_by_label("Sort").focus()
        expect(relevance).to_have_js_property("hidden", is_hidden)
        expect(page.get_by_label("Sort")).to_have_value("relevance" if words else "")


def test_more_follows_the_last_value_of_the_line_and_less_ends_it(open_shop):
    page = open_shop(width=1120, path="/?strip=bowls&layout=strip")
    brand = facet(page, "brand")
    button = brand.locator("[part=more]")
    boxes = brand.locator("[part~=chip]").evaluate_all("(chips) => chips.map((chip) => chip.getBoundingClientRect().toJSON())")
    line = [box for box in boxes if box["top"] == boxes[0]["top"]]
    assert 0 < button.bounding_box()["x"] - line[-1]["right"] < 20
    while button.inner_text() == "More":
        button.click()
        expect(brand.locator("[part~=chip]")).to_have_count(14)
    expect(button).to_have_text("Less")
    button.click()
    expect(brand.locator("[part~=chip]")).to_have_count(10)
    expect(button).to_have_text("More")


@pytest.mark.parametrize(("width", "query"), [(390, "&q=zebra"), (1440, "&q=zebra&where=room%3DHall")])
def test_a_search_without_items_repeats_its_words_and_offers_to_show_all_items_once(open_shop, width, query):
    page = open_shop(query, width=width, has_items=False)
    clear = page.get_by_role("button", name="Show all items").filter(visible=True)
    expect(clear).to_have_count(1)
    expect(page.locator(".facets .field").filter(visible=True)).to_have_count(0)
    nothing = page.locator(".nothing")
    if "where" not in query:
        expect(nothing).to_contain_text("zebra")
        expect(page.locator("carousel-filters [part=chip]")).to_be_hidden()
    clear.click()
    expect(page.locator(".count")).to_have_text("120 items")
    expect(nothing).to_be_hidden()
    expect(page.locator(".filters [name=q]")).to_be_focused()


def test_on_a_telephone_the_filters_are_a_sheet_that_says_how_many_items_it_will_show(open_shop):
    page = open_shop(width=390, height=844)
    top = page.locator("carousel-strip").bounding_box()["y"]
    button = page.get_by_role("button", name="All filters", exact=True)
    button.click()
    sheet = page.locator(".facets")
    expect(sheet).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    assert page.locator("carousel-strip").bounding_box()["y"] == top
    box = sheet.bounding_box()
    assert box["y"] + box["height"] == 844
    values = facet(page, "brand").locator("[part=option]")
    assert all(0 <= box["x"] and box["x"] + box["width"] <= 390 for box in (value.bounding_box() for value in values.all()))
    facet(page, "room").get_by_role("checkbox", name="Hall").check()
    page.get_by_role("button", name="Show 40 items").click()
    expect(sheet).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(page.locator("carousel-filters [part=chip]")).to_be_visible()
    button.click()
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-expanded", "false")
    assert page.locator("carousel-strip").bounding_box()["y"] == top


@pytest.mark.parametrize(("lang", "widths"), [("de", [320]), ("en", [390, 768, 1440])])
def test_a_bar_with_the_count_the_filters_and_the_sort_stays_at_the_top(open_shop, lang, widths):
    page = open_shop(f"&where=stock%20%3E%200&lang={lang}", width=widths[0])
    strip = Strip(page, "bowls", nth=0)
    button = page.locator(".bar .all")
    for width in widths:
        with case(width):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate("scrollTo(0, 0)")
            strip.settle()
            must_say_whole_what_is_searched(page, "Suchen" if lang == "de" else "Search")
            if width < 400:
                must_have_two_columns(page, width)
            page.evaluate("scrollTo(0, 2000)")
            strip.settle()
            for place in (page.locator(".count"), *[button] * (width < 1024), page.locator(".bar select"), page.locator("carousel-filters [part=chip]")):
                place.scroll_into_view_if_needed()
                box = place.bounding_box()
                assert box["y"] >= 0 and box["y"] + box["height"] <= 57
            place.focus()
            assert page.evaluate("scrollY") == 2000
            bar = page.locator(".bar").bounding_box()
            assert bar["y"] + bar["height"] <= 57


@pytest.mark.parametrize("width", [390, 1440])
def test_no_card_that_keys_lead_to_is_behind_the_bar(open_shop, width):
    page = open_shop(width=width)
    strip = Strip(page, "bowls", nth=0)
    page.locator("li[data-id=p0]").focus()
    for key in ["End", *4 * ["ArrowUp"], "Home", *3 * ["ArrowDown"], *3 * ["ArrowUp"]]:
        page.keyboard.press(key)
        strip.settle()
        card, bar = page.locator("li:focus").bounding_box(), page.locator(".bar").bounding_box()
        assert card["y"] >= bar["y"] + bar["height"] - 1, key
        assert card["y"] + card["height"] <= page.viewport_size["height"] + 1, key


def test_below_the_facets_the_button_opens_them_in_a_sheet(open_shop):
    page = open_shop(width=1120, path="/?strip=bowls&layout=strip")
    button = page.get_by_role("button", name="All filters", exact=True)
    lines = facet(page, "colour")
    expect(lines).to_be_hidden()
    button.click()
    expect(lines).to_be_visible()
    button.click()
    expect(lines).to_be_hidden()


def must_have_two_columns(page, width):
    """A telephone has them in its middle, below two lines of controls."""
    boxes = page.locator("carousel-strip > ul > li:not([hidden])").evaluate_all("(cards) => cards.map((card) => card.getBoundingClientRect().toJSON())")
    row = [box for box in boxes if box["y"] == min(box["y"] for box in boxes)]
    assert len(row) == 2
    left, right = min(box["left"] for box in row), max(box["right"] for box in row)
    assert left == pytest.approx(width - right, abs=1)
    heading = page.locator("h1").bounding_box()
    assert row[0]["y"] - heading["y"] - heading["height"] <= 125


def must_say_whole_what_is_searched(page, text):
    """The field has room for it."""
    expect(page.locator(".filters [name=q]")).to_have_attribute("placeholder", text)
    room, width = page.locator(".filters [name=q]").evaluate("""(input) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(input);
      const context = Object.assign(document.createElement("canvas").getContext("2d"), { font });
      return [input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight), context.measureText(input.placeholder).width];
    }""")
    assert width <= room


@pytest.mark.parametrize("layout", ["grid", "list"])
def test_on_a_desktop_the_facets_are_a_column_beside_the_items_and_stay_in_view(open_shop, layout):
    page = open_shop(path=f"/?strip=bowls&layout={layout}")
    column, strip, bar = (page.locator(part) for part in (".facets-place", "carousel-strip", ".bar"))
    expect(page.locator(".facets carousel-facets").filter(visible=True)).to_have_count(6)
    expect(page.get_by_role("button", name="All filters", exact=True)).to_be_hidden()
    assert column.bounding_box()["x"] + column.bounding_box()["width"] <= strip.bounding_box()["x"]
    assert strip.bounding_box()["y"] == bar.bounding_box()["y"] + bar.bounding_box()["height"]
    handles = facet(page, "price").locator("[part=handle]")
    expect(handles.first).to_be_visible()
    limits = [one.bounding_box() for one in facet(page, "price").locator("[part=limit]").all()]
    assert limits[0]["y"] == limits[1]["y"] > handles.first.bounding_box()["y"]
    for part in [".picture", ".title", ".price"] if layout == "list" else []:  # with and without a picture
        first, second = (page.locator(f"li[data-id=p{k}] {part}").bounding_box() for k in (0, 1))
        assert first["x"] + first["width"] == pytest.approx(second["x"] + second["width"], abs=1), part
    page.evaluate("scrollTo(0, 2000)")
    Strip(page, "bowls", nth=0).settle()
    assert column.bounding_box()["y"] == pytest.approx(56, abs=1)


def test_above_a_strip_at_1024_px_one_facet_is_in_view_and_the_button_opens_the_others(open_shop):
    page = open_shop(width=1024, path="/?strip=bowls&layout=strip")
    shown = page.locator(".facets carousel-facets").filter(visible=True)
    expect(shown).to_have_count(1)
    page.get_by_role("button", name="All filters", exact=True).click()
    expect(shown).to_have_count(6)


def test_a_product_without_stock_is_sold_out(open_shop):
    page = open_shop("&lang=de")
    expect(page.locator("li[data-id=p6] .sold-out")).to_have_text("Ausverkauft")
    expect(page.locator("li[data-id=p4] .sold-out")).to_be_hidden()


def test_a_line_of_a_list_says_words_alone_and_names_a_bare_number(open_shop):
    page = open_shop(width=390)
    page.get_by_role("link", name="List").click()
    expect(page.locator("carousel-strip[layout=list]")).to_be_visible()
    expect(page.locator("li[data-id=p3] .line .fact").nth(0)).to_have_text("Muller", use_inner_text=True)
    expect(page.locator("li[data-id=p3] .line .fact").nth(1)).to_have_text("Kitchen", use_inner_text=True)
    expect(page.locator("li[data-id=p3] .fact.bare").first).to_have_text("Stock 3", use_inner_text=False)


@pytest.mark.parametrize("scrolled", [0, 900])
def test_the_card_whose_details_are_open_stays_where_it_is(open_shop, scrolled):
    page = open_shop(height=1000)
    strip = Strip(page, "bowls", nth=0)
    page.evaluate(f"scrollTo(0, {scrolled})")
    strip.settle()
    cards = page.locator("carousel-strip > ul > li").evaluate_all("(cards) => cards.map((card) => [card.getBoundingClientRect().y, card.dataset.id]).filter(([y]) => y > 100).sort((a, b) => a[0] - b[0])")
    card = page.locator(f"li[data-id={cards[5][1]}]")
    before = card.bounding_box()
    card.locator(".picture").click()
    expect(page.locator("#details h2")).to_be_visible()
    page.wait_for_function("(width) => Math.abs(document.querySelector('li[data-selected]').offsetWidth - width) > 1", arg=before["width"])
    strip.settle()
    open = card.bounding_box()
    assert scrolled == 0 or open["y"] == pytest.approx(min(before["y"], 1000 - open["height"]), abs=1)  # at its top, the page cannot scroll up
    assert open["x"] + open["width"] <= page.locator("#details").bounding_box()["x"]
    page.locator("#details .close").click()
    page.wait_for_function("([id, width]) => Math.abs(document.querySelector(`li[data-id=${id}]`).offsetWidth - width) < 1", arg=[cards[5][1], before["width"]])
    strip.settle()
    assert card.bounding_box()["y"] == pytest.approx(min(open["y"], 1000 - before["height"]), abs=1)


def test_on_a_telephone_the_card_stands_above_its_details_and_returns(open_shop):
    page = open_shop(width=390, height=844)
    strip = Strip(page, "bowls", nth=0)
    card = page.locator("li[data-id=p2]")
    before = card.bounding_box()["y"]
    card.locator(".picture").click()
    expect(page.locator("#details h2")).to_be_visible()
    strip.settle()
    page.wait_for_function("""() => {
      const [card, details] = ["li[data-id=p2]", "#details"].map((name) => document.querySelector(name).getBoundingClientRect());
      return card.top >= 0 && card.bottom <= details.top + 1;
    }""")
    page.locator("#details .close").click()
    page.wait_for_function("(y) => Math.abs(document.querySelector('li[data-id=p2]').getBoundingClientRect().y - y) < 1", arg=before)


NOTE_TRANSITIONS = """
window.moved = [];
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) {
  const root = attach.call(this, options);
  root.addEventListener("transitionrun", ({ propertyName, target }) => window.moved.push(`${target.part}: ${propertyName}`));
  return root;
};
"""


def test_values_come_as_they_are(open_page, shop):
    page = open_page("about:blank", base_url=shop)
    page.add_init_script(NOTE_TRANSITIONS)
    page.goto(GRID + "&where=brand%3DNord")
    Strip(page, "bowls", nth=0).arrive()
    expect(facet(page, "room").get_by_role("checkbox")).to_have_count(3)
    assert [one for one in page.evaluate("() => window.moved") if "chip" in one or "option" in one] == []


@pytest.mark.parametrize("path", [GRID, "/?strip=bowls&layout=list"])
def test_arrows_show_the_details_of_the_card_that_they_lead_to_beside_the_details(open_shop, path):
    page = open_shop(path=path)
    page.locator("li[data-id=p3]").click()
    title = page.locator("#details h2")
    expect(title).to_have_text("Bowl 3")
    strip = Strip(page, "bowls", nth=0)
    strip.settle()
    for k in (4, 5, 6, 7, 8, 9):
        page.keyboard.press("ArrowRight")
        expect(title).to_have_text(f"Bowl {k}")
        strip.settle()
        card, details = page.locator(f"li[data-id=p{k}]").bounding_box(), page.locator("#details").bounding_box()
        assert card["x"] + card["width"] <= details["x"]
    page.keyboard.press("Escape")
    expect(page.locator("#details")).to_be_hidden()
