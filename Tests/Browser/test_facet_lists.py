"""<carousel-facets display="list">: a column of check boxes, and a range with two handles."""

import json

import pytest
from playwright.sync_api import expect

from conftest import run, serving
from strip import serve

#: Fields whose names have characters with a meaning in the parameters, and those of keywords.
ODD = ["size, cm", "-on sale", "NOT", 'a "b"']
#: Folders that are named by years.
ALBUMS = {"album": {"format": "text", "label": "Album"}}

PAGE = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Facets</title>
<link rel="stylesheet" href="/css/strip.css"><script type="module" src="/js/embed.js"></script>
<script type="module" src="/js/filters/search.js"></script><script type="module" src="/js/filters/facets.js"></script>
<script type="module" src="/js/filters/filters.js"></script>
<style>body { margin: 0 } aside { width: 260px } aside input[name=q] { width: 100%% }</style>
<aside>%s</aside><carousel-filters for="s"></carousel-filters>
<carousel-strip id="s" strip="%s" aria-label="Items"></carousel-strip>"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """The address of a server of a strip `shop` of 3,000 items."""
    folder = tmp_path_factory.mktemp("shop")
    items = []
    for n in range(3000):
        fields = {"maker": f"Maker {n % 1500:04}", "price": n % 400 + 0.5, "colour": ["red", "#0a7"][n % 2], "album": f"{2000 + n % 12}", "rating": n % 5 + 1, "none": None}
        fields |= {name: f"{name} {n % 3}" for name in ODD}
        items.append({"id": f"i{n}", "width": 100, "fields": {k: v for k, v in fields.items() if v is not None}})
    items[1700]["fields"]["maker"] = "Zürich & Söhne"
    file = folder / "shop.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    run("import", file, "--database", folder / "shop.db", "--strip", "shop")
    names = ["maker", "price", "colour", "album", "rating", "none", *ODD]
    token = run("token", "create", "--database", folder / "shop.db", "--strip", "shop").stdout.split()[-1]
    with serving("--database", folder / "shop.db") as address:
        from urllib.request import Request, urlopen

        body = json.dumps({"filterable": names, "fields": ALBUMS}).encode()
        fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        urlopen(Request(f"{address}/strips/shop", body, fields, method="PUT")).close()
        yield address


@pytest.fixture
def open_facets(open_page):
    """Opens a page with facets for a strip, and waits for their values."""

    def open_facets(facets, address=None, name="elements", **options):
        page = open_page("about:blank", **({"base_url": address} if address else {}), **options)
        serve(page, "/facets.html", PAGE % (facets, name))
        page.goto(f"{address}/facets.html" if address else "/facets.html")
        page.wait_for_function("() => document.querySelectorAll('carousel-facets').length === document.querySelectorAll('carousel-facets:state(loaded)').length")
        return page

    return open_facets


def where(page):
    return page.evaluate("() => document.querySelector('carousel-strip').getAttribute('where')")


def test_values_are_check_boxes_below_one_another(open_facets):
    page = open_facets('<carousel-facets for="s" field="category" display="list" limit="3"><h2>Kind</h2></carousel-facets>')
    boxes = page.get_by_role("group", name="Category").get_by_role("checkbox")
    expect(boxes).to_have_count(3)
    lines = [boxes.nth(k).bounding_box() for k in range(3)]
    assert len({round(line["x"]) for line in lines}) == 1 and lines[0]["y"] < lines[1]["y"] < lines[2]["y"]
    boxes.nth(1).check()
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.view?.where")
    expect(boxes.nth(1)).to_be_checked()
    page.evaluate("() => (document.querySelector('carousel-strip').where = null)")
    expect(boxes.nth(1)).not_to_be_checked()


def test_every_value_is_found_among_thousands(open_facets, shop):
    page = open_facets('<carousel-facets for="s" field="maker" display="list"></carousel-facets>', shop, "shop")
    options = page.locator("[part=option]")
    expect(options).to_have_count(10)
    expect(page.get_by_role("searchbox")).to_have_count(0)
    page.get_by_role("button", name="More").click()
    expect(options).to_have_count(50)
    find = page.get_by_role("searchbox", name="Search: maker")
    find.fill("zurich so")
    expect(options).to_have_text(["Zürich & Söhne 1"])
    options.get_by_role("checkbox").check()
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 1")
    assert where(page) == 'maker = "Zürich & Söhne"'
    find.fill("no such maker")
    expect(options).to_have_count(0)
    expect(find).to_be_visible()
    find.fill("")
    expect(options).to_have_count(51)
    expect(options.get_by_role("checkbox", checked=True)).to_have_count(1)


def test_a_finger_hits_each_value(open_facets):
    facets = '<carousel-facets for="s" field="category" display="list"></carousel-facets><carousel-facets for="s" field="category"></carousel-facets>'
    page = open_facets(facets, has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    for part in ("option", "chip"):
        expect(page.locator(f"[part~={part}]").first).to_be_visible()  # the style sheet is loaded
        heights = page.evaluate("(part) => [...document.querySelectorAll('carousel-facets')].flatMap((one) => [...one.shadowRoot.querySelectorAll(`[part~=${part}]`)]).map((one) => one.offsetHeight)", part)
        assert heights and min(heights) >= 44, (part, heights)


def test_a_range_has_two_handles_and_fields_that_agree(open_facets, shop):
    page = open_facets('<carousel-facets for="s" field="price" display="list"></carousel-facets>', shop, "shop")
    least, greatest = page.locator("[part=handle]").nth(0), page.locator("[part=handle]").nth(1)
    fields = page.locator("[part=limit]")
    expect(fields.nth(0)).to_be_visible()  # until the style sheet is loaded, nothing takes the focus
    expect(least).to_have_value("0.5")
    expect(greatest).to_have_value("399.5")
    for _ in range(3):
        least.press("ArrowRight")
    expect(fields.nth(0)).to_have_value("3.5")
    page.wait_for_function("() => document.querySelector('carousel-strip').getAttribute('where') === 'price >= 3.5'")
    greatest.press("Home")
    expect(greatest).to_have_value("3.5")  # it stops at the other one
    page.wait_for_function("() => document.querySelector('carousel-strip').getAttribute('where') === 'price 3.5 TO 3.5'")
    greatest.press("End")
    expect(fields.nth(1)).to_have_value("")
    fields.nth(1).fill("20")
    fields.nth(1).press("Enter")
    expect(greatest).to_have_value("20.5")
    assert where(page) == "price 3.5 TO 20"


def test_a_template_stands_before_each_value(open_facets, shop):
    swatch = '<template><svg width="16" height="16"><rect width="16" height="16" fill="{value}" /></svg></template>'
    page = open_facets(f'<carousel-facets for="s" field="colour" display="list">{swatch}</carousel-facets>', shop, "shop")
    assert page.evaluate("() => [...document.querySelector('carousel-facets').shadowRoot.querySelectorAll('rect')].map((one) => one.getAttribute('fill'))") == ["#0a7", "red"]


def test_a_facet_without_values_takes_no_place_and_comes_back(open_facets, shop):
    facets = '<carousel-facets for="s" field="colour"></carousel-facets>' + "".join(
        f'<carousel-facets for="s" field="none" {display} style="display: block; margin: 20px"><h2>None</h2></carousel-facets>' for display in ("", 'display="list"')
    )
    page = open_facets(facets, shop, "shop")
    height = "(k) => document.querySelectorAll('carousel-facets')[k].getBoundingClientRect().height"
    page.wait_for_function(f"() => ({height})(1) === 0 && ({height})(2) === 0")
    page.evaluate("() => document.querySelectorAll('carousel-facets').forEach((one) => (one.getAttribute('field') === 'none') && one.setAttribute('field', 'colour'))")
    page.wait_for_function(f"() => ({height})(1) > 20 && ({height})(2) > 40")


def test_values_that_a_filter_left_out_come_back_without_it(open_facets, shop):
    page = open_facets('<carousel-facets for="s" field="maker" limit="2"></carousel-facets><carousel-facets for="s" field="rating"></carousel-facets>', shop, "shop")
    chips, ratings = (page.locator(f"[field={name}] [part~=chip]") for name in ("maker", "rating"))
    expect(chips.first).to_be_visible()
    page.evaluate("() => { const one = document.querySelector('carousel-facets'); one.setAttribute('limit', '3'); document.querySelector('carousel-strip').where = 'id IN [i1, i2, i3, i4, i5]' }")
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 5")
    page.evaluate("() => (document.querySelector('carousel-strip').where = null)")
    expect(chips).to_have_count(3)
    expect(chips.first).to_be_visible()
    for filtered, count in (("rating >= 3", 3), (None, 5)):
        page.evaluate("(filtered) => (document.querySelector('carousel-strip').where = filtered)", filtered)
        expect(ratings).to_have_count(count)


@pytest.mark.parametrize("name", ODD)
def test_a_field_of_any_name_filters(open_facets, shop, name):
    field = name.replace('"', "&quot;")
    page = open_facets(f'<carousel-facets for="s" field="{field}" display="list"></carousel-facets>', shop, "shop")
    page.locator("[part=check]").first.check()
    page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 1000")
    expect(page.locator("[part=check]").first).to_be_checked()
    expect(page.locator("carousel-filters [part=chip]")).to_have_count(1)


@pytest.mark.parametrize("form", ["", '<form slot="form"><input type="search" name="q" aria-label="Search"></form>'])
def test_in_a_narrow_column_the_result_stands_below_the_field(open_facets, form):
    page = open_facets(f'<carousel-search for="s">{form}</carousel-search>')
    for text, said in [("xenom", page.get_by_text("Showing results for xenon.")), ("no such element", page.get_by_role("button", name="Clear filters"))]:
        page.get_by_role("searchbox").fill(text)
        expect(said).to_be_visible()
        field, result, search = (one.bounding_box() for one in (page.get_by_role("searchbox"), said, page.locator("carousel-search")))
        assert field["width"] > 240 and result["y"] >= field["y"] + field["height"]
        assert result["x"] + result["width"] <= 260 and result["y"] + result["height"] <= search["y"] + search["height"]
