"""A strip of an imported table without pictures: its cards say what matters, in each layout."""

import pytest
from playwright.sync_api import expect

from conftest import run, serving
from strip import Strip

TABLE = """id,name,price,category,in_stock
p1,Oak bowl,12.50,Kitchen,4
p2,Wool blanket,89.00,Bedroom,0
p3,Steel kettle,45.90,Kitchen,12
p4,Glass lamp,,Bedroom,7
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """The address of a server of two strips: one declares fields, one does not."""
    folder = tmp_path_factory.mktemp("shop")
    table = folder / "table.csv"
    table.write_text(TABLE)
    columns = ["--map", "title=name", "--map", "fields=*", "--database", folder / "shop.db"]
    run("import", table, "--strip", "products", "--filterable", "price,category,in_stock", *columns)
    run("import", table, "--strip", "plain", *columns)
    with serving("--database", folder / "shop.db") as address:
        yield address


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("path", ["?strip=products", "?strip=products&layout=grid", "?strip=products&layout=list", ""])
def test_cards_have_the_fields_that_the_strip_filters_by(open_page, shop, path, scripts):
    page = open_page(f"{shop}/{path}", java_script_enabled=scripts, base_url=shop)
    fact = page.locator("li[data-id=p1] .fact")
    expect(fact).to_have_text(["Price 12.50", "Category Kitchen", "In stock 4"], use_inner_text=False)
    expect(fact.first).to_be_visible()
    expect(page.locator("li[data-id=p4] .fact").first).to_be_hidden()


def test_the_facts_of_a_card_stand_in_its_place_for_a_picture(open_page, shop):
    page = open_page(f"{shop}/?strip=products&layout=grid", base_url=shop)
    Strip(page, "products", nth=0).arrive()
    picture, title, fact = (page.locator(f"li[data-id=p1] {part}").first.bounding_box() for part in [".picture", ".mark", ".fact"])
    assert picture["y"] <= title["y"] and title["y"] + title["height"] <= fact["y"]
    assert fact["y"] + fact["height"] <= picture["y"] + picture["height"]


def test_a_sort_says_what_it_does_by_the_values_of_the_field(open_page, shop):
    page = open_page(f"{shop}/?strip=products", base_url=shop)
    expect(page.get_by_role("combobox", name="Sort").locator("option")).to_have_text(
        ["Sort", *(f"{field}, {order} first" if order in ("lowest", "highest") else f"{field}, {order}"
                   for field, orders in [("Price", ["lowest", "highest"]), ("Category", ["A to Z", "Z to A"]), ("In stock", ["lowest", "highest"])] for order in orders)]
    )


def test_fields_without_labels_have_the_same_names_everywhere(open_page, shop):
    page = open_page(f"{shop}/?strip=products&where=in_stock%20%3E%205", base_url=shop)
    Strip(page, "products", nth=0).arrive()
    expect(page.locator(".facets .field")).to_have_text(["Price", "Category", "In stock"])
    expect(page.locator("carousel-filters [part=chip]")).to_contain_text("In stock > 5")
    page.locator("li[data-id=p3]").click()
    expect(page.locator("#details dt")).to_have_text(["Price", "Category", "In stock"])


def test_pictures_are_needed_for_rows(open_page, shop):
    names = open_page(f"{shop}/?strip=products", base_url=shop).get_by_role("navigation", name="Layout").get_by_role("link")
    expect(names).to_have_text(["Strip", "List", "Grid"])
