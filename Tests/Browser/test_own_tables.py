"""A strip of an imported table: its cards say what matters, in each layout, and show pictures whole."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

from conftest import ROOT, binary, run, serving
from strip import Strip, serve, show

TABLE = """id,name,price,category,in_stock
p1,Oak bowl,12.50,Kitchen,4
p2,Wool blanket,89.00,Bedroom,0
p3,Steel kettle,45.90,Kitchen,12
p4,Glass lamp,,Bedroom,7
"""

WEIGHED = "id,name,weight,price,wood,finish\nw1,Oak bowl,3,12.50,oak,oiled twice by hand and then waxed\n"

# A table as shops export it: no column is called title.
PICTURED = "id,name,brand,room,price,w,h,image\n" + "".join(
    f"q{k},Bowl of walnut that is wider than its card {k},Nord,Kitchen,{k + 12}.50,{600 if k else 900},800,/favicon.svg\n" for k in range(40)
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """The address of a server of two strips: one declares fields, one does not."""
    folder = tmp_path_factory.mktemp("shop")
    for name, text in {"table": TABLE, "weighed": WEIGHED, "pictured": PICTURED}.items():
        (folder / f"{name}.csv").write_text(text)
    columns = ["--map", "title=name", "--map", "fields=*", "--database", folder / "shop.db"]
    run("import", folder / "table.csv", "--strip", "products", "--filterable", "price,category,in_stock", *columns)
    run("import", folder / "table.csv", "--strip", "plain", *columns)
    run("import", folder / "weighed.csv", "--strip", "weighed", "--filterable", "weight,price,wood,finish", "--fields", '{"weight":{"unit":"kg"}}', *columns)
    columns = ["--map", "aspect=w/h", "--map", "brand=brand", "--map", "subtitle=brand", "--map", "fields=*", "--database", folder / "shop.db"]
    run("import", folder / "pictured.csv", "--strip", "pictured", "--filterable", "brand,room,price", "--fields", '{"price":{"unit":"EUR","format":"currency"}}', *columns)
    with serving("--database", folder / "shop.db") as address:
        yield address


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("path", ["?strip=products&layout=strip", "?strip=products&layout=grid", "?strip=products&layout=list", ""])
def test_cards_have_the_fields_that_the_strip_filters_by(open_page, shop, path, scripts):
    page = open_page(f"{shop}/{path}", java_script_enabled=scripts, base_url=shop)
    fact = page.locator("li[data-id=p1] .fact")
    expect(fact).to_have_text(["Category Kitchen", "In stock 4", "Price 12.50"], use_inner_text=False)
    expect(fact.first).to_be_visible()
    expect(page.locator("li[data-id=p4] .fact").last).to_be_hidden()


@pytest.mark.parametrize(("path", "layout"), [("?strip=products", "grid"), ("?strip=plain", None)])
def test_a_table_that_can_be_filtered_opens_as_a_grid(open_page, shop, path, layout):
    page = open_page(f"{shop}/{path}", base_url=shop)
    Strip(page, None, nth=0).arrive()
    assert page.locator("#strip").get_attribute("layout") == layout
    links = page.get_by_role("navigation", name="Layout")
    expect(links.locator("[aria-current]")).to_have_text(layout.title() if layout else "Strip")
    expect(links.get_by_role("link")).to_have_text(["Strip", "List", "Grid"])  # pictures are needed for rows
    if not layout:
        return
    # A sort says what it does by the values of the field.
    orders = ["Default order", *(f"{field}, {order} first" for field in ("Price", "In stock") for order in ("lowest", "highest"))]
    expect(page.get_by_role("combobox", name="Sort").locator("option")).to_have_text(orders)
    # The facts of a card stand in its place for a picture.
    picture, title, fact = (page.locator(f"li[data-id=p1] {part}").first.bounding_box() for part in [".picture", ".mark", ".fact"])
    assert picture["y"] <= title["y"] and title["y"] + title["height"] <= fact["y"]
    assert fact["y"] + fact["height"] <= picture["y"] + picture["height"]


def test_a_list_has_a_column_for_each_field_in_all_lines(open_page, shop):
    page = open_page(f"{shop}/?strip=products&layout=list", base_url=shop, viewport={"width": 2560, "height": 900})
    Strip(page, "products", nth=0).arrive()
    assert page.locator("#strip").bounding_box()["width"] > 2100  # beside the column of the facets
    for fact in range(2):
        assert len({page.locator(f"li[data-id={name}] .fact").nth(fact).bounding_box()["x"] for name in ["p1", "p2", "p4"]}) == 1


def test_the_commands_of_the_first_page_make_a_shop(open_page, address, tmp_path):
    code = open_page(f"{address}/").locator(".own pre").inner_text()
    (tmp_path / "products.csv").write_text("sku,name,price,category,brand\nS1,Oak bowl,12.5,Kitchen,Nord\nS2,Wool blanket,1089,Bedroom,Oki\n")
    line = code[code.index("carousel import"):code.index("carousel serve")].replace("carousel import", f"{binary()} import", 1)
    subprocess.run(["bash", "-ec", line], cwd=tmp_path, check=True)
    with serving("--database", tmp_path / "shop.db") as own:
        page = open_page(own, base_url=own)
        expect(page.locator("li[data-id=S2] .price")).to_have_text("Price €1,089.00", use_inner_text=False)
        expect(page.get_by_role("searchbox")).to_be_visible()
        expect(page.get_by_role("heading", name="Products")).to_be_visible()
        page.close()


def test_the_table_and_the_command_of_the_page_on_shops_make_a_shop(open_page, tmp_path):
    text = (ROOT / "Documentation/site/shop.md").read_text()
    (tmp_path / "products.csv").write_text(re.search(r"```csv\n(.*?)```", text, re.DOTALL)[1])
    line = re.search(r"```sh\n(carousel import.*?)carousel serve", text, re.DOTALL)[1].replace("carousel", binary(), 1)
    run = subprocess.run(["bash", "-ec", line], cwd=tmp_path, check=True, capture_output=True)
    assert run.stderr == b""
    element = re.search(r"<carousel-strip id=.*?</carousel-strip>", text, re.DOTALL)[0]
    with serving("--database", tmp_path / "shop.db") as own:
        page = open_page("about:blank", base_url=own)
        show(page, element, '<link rel="icon" href="data:,">')
        expect(page.locator("li[data-id=SKU-1] .price")).to_have_text("€129.00", use_inner_text=True)
        expect(page.locator("li[data-id=SKU-2] .price")).to_have_text("€349.50 Sold out", use_inner_text=True)
        page.close()


def test_the_lines_of_the_readme_make_a_page_with_whole_pictures(open_page, tmp_path):
    readme = (ROOT / "README.md").read_text()
    line = re.search(r"```sh\n(\.build/release/carousel import.*?)\.build/release/carousel serve", readme, re.DOTALL)[1]
    line = line.replace(".build/release/carousel", binary()).replace("shop.db", str(tmp_path / "shop.db"))
    subprocess.run(["bash", "-ec", line], cwd=ROOT, check=True)
    html = re.search(r"```html\n(.*?)```", readme, re.DOTALL)[1]
    with serving("--database", tmp_path / "shop.db") as own:
        page = open_page("about:blank", base_url=own)
        serve(page, "/own-page", html.replace("http://127.0.0.1:8081", own))
        page.goto(f"{own}/own-page")
        Strip(page, "records", nth=0).arrive()
        picture = page.locator("li[data-id] .picture").first
        shape = picture.locator("img").evaluate("async (image) => (await image.decode(), image.naturalWidth / image.naturalHeight)")
        box = picture.bounding_box()
        assert abs(box["width"] / box["height"] - shape) < 0.02
        page.goto(own)
        expect(page.get_by_role("heading", name="Records")).to_be_visible()
        expect(page.locator("li[data-id=r01] .price")).to_contain_text("Price €12.50")
        expect(page.locator("li[data-id=r01] .sold-out")).to_be_hidden()
        expect(page.locator("carousel-facets[field=price] [part=limit]").first).to_have_attribute("placeholder", "€12.50")
        page.close()


def test_cards_on_a_shelf_have_titles_and_facts_of_one_size(open_page, shop):
    page = open_page(f"{shop}/", base_url=shop)
    expect(page.locator("li[data-id=q1] .title")).to_have_text("Bowl of walnut that is wider than its card 1")
    expect(page.locator("li[data-id=q1] .subtitle > *")).to_have_text(["NordRoom Kitchen", "Price €13.50"])
    sizes = page.locator("#shelf-products li[data-id=p1] .fact > .label").evaluate_all("(all) => all.map((one) => getComputedStyle(one).fontSize)")
    assert len(sizes) == 3 and len(set(sizes)) == 1


def test_fields_without_labels_have_the_same_names_everywhere(open_page, shop):
    page = open_page(f"{shop}/?strip=products&where=in_stock%20%3E%205", base_url=shop)
    Strip(page, "products", nth=0).arrive()
    expect(page.locator(".facets .field")).to_have_text(["Price", "Category", "In stock"])
    expect(page.locator("carousel-filters [part=chip]")).to_contain_text("In stock > 5")
    page.locator("li[data-id=p3]").click()
    expect(page.locator("#details dt")).to_have_text(["Price", "Category", "In stock", "ID"])


@pytest.mark.parametrize("width", [390, 1280, 2560])
def test_a_grid_shows_all_facets_and_pictures_whole_above_all_of_the_words(open_page, shop, width):
    page = open_page(f"{shop}/?strip=pictured&layout=grid", base_url=shop, viewport={"width": width, "height": 800})
    Strip(page, "pictured", nth=0).arrive()
    first = page.locator("li[data-id=q0]").bounding_box()
    assert first["y"] + first["height"] < 800
    expect(page.get_by_label("Go to item")).to_be_hidden()
    boxes = page.locator("carousel-facets:not(:state(empty))").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
    assert boxes
    if width > 1024:
        assert all(0 <= box["left"] and box["right"] <= width for box in boxes)
    # A facet of prices shows the range as readers see it.
    limits = page.locator("carousel-facets[field=price] [part=limit]")
    expect(limits.first).to_have_attribute("placeholder", "€12.50")
    expect(limits.last).to_have_attribute("placeholder", "€51.50")
    card = page.locator("li[data-id=q1]")
    box, picture, price = (card.locator(part).first.bounding_box() for part in ["xpath=.", ".picture", ".price"])
    assert abs(picture["width"] / picture["height"] - 0.75) < 0.02
    assert picture["y"] + picture["height"] < price["y"] and price["y"] + price["height"] <= box["y"] + box["height"]
    expect(card.locator("img")).to_have_css("object-fit", "contain")
    expect(card.locator(".price")).to_have_text("Price €13.50")
    expect(card.locator(".subtitle > *")).to_have_text(["NordRoom Kitchen", "Price €13.50"])  # no fact repeats the subtitle
    # A table without titles has its first words as titles.
    expect(card.locator(".title")).to_have_text("Bowl of walnut that is wider than its card 1")
    if width == 1280:
        card.click()
        expect(page.locator("#details h2")).to_have_text("Bowl of walnut that is wider than its card 1")
        page.goto(f"{shop}/?strip=pictured&where=price%20%3E%3D%2020")
        expect(page.locator("carousel-facets[field=price] [part=unit]")).to_have_text("€")


def test_the_address_and_the_settings_of_a_strip_decide_the_height_of_cells(open_page, shop):
    page = open_page(f"{shop}/?strip=pictured&layout=grid&cell=2&caption=80&columns=4", base_url=shop)
    Strip(page, "pictured", nth=0).arrive()
    box = page.locator("li[data-id=q1]").bounding_box()
    assert abs(box["height"] - box["width"] / 2 - 80) < 1


def test_a_field_with_another_unit_than_money_is_not_the_price(open_page, shop):
    page = open_page(f"{shop}/?strip=weighed", base_url=shop)
    expect(page.locator("li[data-id=w1] .price")).to_have_text("Price 12.50")


def test_a_fact_that_is_too_long_ends_with_dots(open_page, shop):
    page = open_page(f"{shop}/?strip=weighed&layout=grid", base_url=shop, viewport={"width": 390, "height": 844})
    fact = page.locator("li[data-id=w1] .fact", has_text="Finish")
    expect(fact).to_have_css("text-overflow", "ellipsis")
    expect(fact).to_have_css("display", "block")  # in a flex container, text is cut
    expect(fact.locator(".label")).to_be_visible()
    expect(page.locator("li[data-id=w1] .fact", has_text="Wood")).to_have_count(0)  # the title says it


@pytest.mark.parametrize("layout", ["list", "grid", "rows"])
def test_a_list_and_a_grid_are_as_wide_as_the_page_beside_the_facets(open_page, layout):
    page = open_page(f"/?strip=landscapes&layout={layout}", viewport={"width": 2560, "height": 900})
    Strip(page, "landscapes", nth=0).arrive()
    assert page.locator("#strip").bounding_box()["width"] > (2350 if layout == "rows" else 2050)


def test_no_fact_of_a_card_repeats_a_subtitle_with_a_unit(open_page):
    page = open_page("/?strip=moons&layout=list")
    card = page.locator("li[data-id=phobos] .subtitle")
    expect(card).to_contain_text("22 km")
    expect(card).to_contain_text("Asaph Hall")
    expect(card).not_to_contain_text("Diameter")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_columns_of_a_list_are_beside_the_title(open_page, shop, language):
    page = open_page(f"{shop}/?strip=pictured&layout=list&lang={language}", base_url=shop, viewport={"width": 1440, "height": 900})
    Strip(page, "pictured", nth=0).arrive()
    card = page.locator("li[data-id=q1]")
    edges = [(box["x"], box["x"] + box["width"]) for box in (card.locator(part).bounding_box() for part in [".title", ".line > .fact", ".price"])]
    edges.sort(reverse=language == "ar")
    assert all(one[1] <= next[0] if language == "en" else next[1] <= one[0] for one, next in zip(edges, edges[1:])), edges
    assert edges[0] != edges[1] != edges[2]


def test_without_scripts_no_space_is_kept_for_facets(open_page, shop):
    page = open_page(f"{shop}/?strip=pictured&layout=grid", base_url=shop, java_script_enabled=False)
    expect(page.locator(".facets")).to_be_hidden()
