"""The search field, the facets and the sort menu of the page, and their state in the address."""

import re
from urllib.parse import parse_qs, quote, urlparse

import pytest
from playwright.sync_api import expect

from test_design import SHIFTS

NOBLE = 'category = "Noble gas"'


def query_of(page):
    query = parse_qs(urlparse(page.url).query)
    return {name: query[name][0] for name in ("where", "q", "sort") if name in query}


def search(page):
    return page.get_by_role("searchbox")


def chip(page, value):
    return page.locator("carousel-facets").get_by_role("button", name=re.compile(f"^{value} "))


def await_count(page, count):
    page.wait_for_function("(count) => document.querySelector('carousel-strip').meta?.count === count", arg=count)


def test_a_search_a_chip_and_a_sort_narrow_the_strip_and_its_address(open_strip):
    page = open_strip("elements").page
    whole = page.evaluate("() => document.querySelector('carousel-strip').meta.count")
    chip(page, "Noble gas").click()
    await_count(page, 6)
    expect(page.locator(".count")).to_have_text("6 items")
    expect(chip(page, "Noble gas")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => new URL(location).searchParams.get('where') === 'category = \"Noble gas\"'")
    page.get_by_role("combobox", name="Sort").select_option("-number")
    page.wait_for_function("() => new URL(location).searchParams.get('sort') === '-number'")
    search(page).fill("xen")
    await_count(page, 1)
    page.wait_for_function("() => new URL(location).searchParams.get('q') === 'xen'")
    assert query_of(page) == {"where": NOBLE, "sort": "-number", "q": "xen"}
    for count in (6, 6, whole):
        page.go_back()
        await_count(page, count)
    page.wait_for_function("() => !document.querySelector('carousel-strip').hasAttribute('sort')")
    assert search(page).input_value() == ""
    expect(chip(page, "Noble gas")).to_have_attribute("aria-pressed", "false")
    page.go_forward()
    await_count(page, 6)
    assert query_of(page) == {"where": NOBLE}


def test_facets_filters_and_sorts_have_the_names_of_fields_in_the_language_of_the_reader(open_strip):
    page = open_strip("albums", "&lang=de&where=" + quote('subtitle = "Joni Mitchell" AND year >= 1970')).page
    expect(page.locator(".field")).to_have_text(["Genre", "Jahr", "Preis", "Label", "Interpret"])
    expect(page.locator("carousel-facets[field=label]").get_by_role("group", name="Label")).to_be_visible()
    active = page.locator("carousel-filters").get_by_role("button")
    expect(active).to_have_text(["Interpret: Joni Mitchell ×", "Jahr ≥ 1970 ×", "Filter entfernen"])
    expect(search(page)).to_have_attribute("aria-label", "In Titel, Interpret suchen")
    expect(page.get_by_role("combobox", name="Sortieren").locator("option[value=subtitle]")).to_have_text("Interpret, A bis Z")
    expect(page.get_by_role("combobox", name="Sortieren").locator("option[value=relevance]")).to_have_text("Relevanz")
    page.locator("carousel-strip li[data-id=a6]").click()
    expect(page.locator("#details dt")).to_have_text(["Jahr", "Label", "Genre", "Preis", "Vorrätig"])


def test_facets_and_filters_have_units(open_page):
    page = open_page("about:blank")

    def with_unit(route):
        answer = route.fetch()
        fields = {"number": {"label": {"en": "Price"}, "unit": "EUR", "format": "currency"}}
        route.fulfill(response=answer, json={**answer.json(), "fields": fields})

    page.route(re.compile(r"/strips/elements\?"), with_unit)
    page.goto("/?strip=elements&where=" + quote("number 10 TO 1000"))
    expect(page.locator("carousel-filters").get_by_role("button")).to_have_text(["Price: €10.00 – €1,000.00 ×"])
    range = page.locator("carousel-facets[field=number]").get_by_role("group", name="Price")
    expect(range).to_contain_text("€")


def test_a_corrected_search_says_so_beside_the_title(open_strip):
    page = open_strip("albums", "&q=beatels&sort=relevance").page
    expect(page.locator(".count")).to_have_text("Showing results for beatles. 1 item")
    expect(page.get_by_role("combobox", name="Sort").locator("option:checked")).to_have_text("Relevance")
    search(page).fill("")
    expect(page.locator(".count")).to_have_text("50 items")
    page.wait_for_function("() => !new URL(location).searchParams.has('q')")
    assert query_of(page) == {}  # without a search there is no relevance
    page.reload()
    for words, least in [("", "1959"), ("love", "1965"), ("zzzz", "1965")]:  # a range of years keeps its kind, and has its limits while nothing is found
        search(page).fill(words)
        expect(page.locator("carousel-facets[field=year] [part=limit][type=number]").first).to_have_attribute("placeholder", least)
    expect(page.locator("carousel-facets[field=year]").get_by_role("slider").first).to_be_visible()


def test_loading_the_facets_shifts_nothing(open_strip):
    page = open_strip("elements", f"&where={quote(NOBLE)}").page
    expect(chip(page, "Noble gas")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(SHIFTS) == []


def test_a_strip_without_declared_fields_has_no_filters(open_page):
    page = open_page("/?strip=billion")
    expect(page.locator("carousel-search, carousel-facets")).to_have_count(0)


@pytest.fixture
def plain(open_page):
    return open_page("/?strip=elements", java_script_enabled=False)


def titles(page):
    return page.locator("carousel-strip li .title").all_text_contents()


def test_without_scripts_a_form_filters_searches_and_sorts(plain):
    plain.get_by_role("combobox", name="Filter").fill(NOBLE)
    plain.get_by_role("combobox", name="Sort").select_option("-number")
    plain.get_by_role("button", name="Show").click()
    assert titles(plain) == ["Radon", "Xenon", "Krypton", "Argon", "Neon", "Helium"]
    expect(plain.get_by_role("combobox", name="Sort")).to_have_value("-number")
    search(plain).fill("xen")
    plain.get_by_role("button", name="Show").click()
    assert titles(plain) == ["Xenon"]
    plain.get_by_role("link", name="Clear filters").click()
    assert titles(plain)[0] == "Hydrogen"


def test_without_scripts_an_empty_result_says_so(plain):
    search(plain).fill("no such element")
    plain.get_by_role("button", name="Show").click()
    expect(plain.get_by_text("No items match.")).to_be_visible()
    plain.get_by_role("link", name="Clear filters").click()
    assert titles(plain)[0] == "Hydrogen"


def test_without_scripts_a_jump_stays_in_the_view(open_page):
    page = open_page(f"/?strip=elements&where={quote(NOBLE)}&width=320", java_script_enabled=False)
    page.get_by_label("Go to item").fill("5")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("carousel-strip li[data-index='5'] .title")).to_have_text("Radon")


def test_a_wrong_filter_is_named_and_can_be_cleared(open_strip):
    strip = open_strip("elements", complains=True)
    page, whole = strip.page, strip.evaluate("(strip) => strip.meta.count")
    clear = page.get_by_role("button", name="Clear filters")
    expect(clear).to_be_hidden()
    strip.evaluate("(strip) => (strip.where = 'colour = red')")
    expect(page.locator("[part=notice]")).to_have_text('where: the field "colour" is not filterable')
    clear.click()
    strip.settle()
    expect(page.locator("[part=notice]")).to_be_empty()
    expect(clear).to_be_hidden()
    assert strip.evaluate("(strip) => [strip.where, strip.meta.count]") == [None, whole]


def test_a_wide_page_shows_two_lines_of_many_facets_and_a_button_for_the_others(open_page):
    page = open_page("about:blank", viewport={"width": 1440, "height": 900})
    last = '<carousel-facets for="strip" field="subtitle">'

    def with_one_more(route):
        answer = route.fetch()
        more = '<carousel-facets for="strip" field="genre"><span class="field">Style</span></carousel-facets>'
        route.fulfill(response=answer, body=answer.text().replace(last, more + last))

    page.route(re.compile(r"/\?strip=albums$"), with_one_more)
    page.goto("/?strip=albums")
    shown = page.locator(".facets > carousel-facets").filter(visible=True)
    button = page.get_by_role("button", name="All filters", exact=True)
    expect(button).to_be_visible()
    expect(shown).to_have_count(4)
    button.click()
    expect(shown).to_have_count(6)


def test_the_sort_menu_has_no_field_that_no_item_has(open_strip):
    page = open_strip("moons", "&where=" + quote("planet = Earth")).page
    menu, newest = page.get_by_role("combobox", name="Sort"), page.locator("option[value='-discovered']")
    page.wait_for_function("() => document.querySelector('carousel-facets[field=discovered]').matches(':state(none)')")
    menu.focus()
    expect(newest).to_have_js_property("hidden", True)
    menu.blur()
    page.locator("carousel-filters [part=chip]").click()
    page.wait_for_function("() => !document.querySelector('carousel-facets[field=discovered]').matches(':state(none)')")
    menu.focus()
    expect(newest).to_have_js_property("hidden", False)
