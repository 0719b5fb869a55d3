"""`GET /` without parameters: a tour of the built-in strips, or a shelf for each strip of a database."""

import base64
import hashlib
import re

import pytest

import samples
from command import ROOT, imported
from markup import Element, cards, facts, read
from model.strips import Item, Strip
from model.windows import Window
from test_page import page

# The page follows from its first windows, which are the same in every store.
pytestmark = pytest.mark.one_store

#: The most shelves. More strips are in the menu.
SHELVES = 12


def strips(tree: Element) -> list[Element]:
    return [element for element in tree.shown() if element.tag == "carousel-strip"]


def text(element: Element, tag: str) -> str:
    return next(" ".join(one.whole_text().split()) for one in element.all() if one.tag == tag)


@pytest.fixture(scope="module")
def tour(built_in) -> Element:
    return page(built_in)


def test_each_strip_of_a_database_has_a_shelf_with_its_title_and_all(server):
    tree = page(server)
    listed = server.get("/strips").json()["strips"][:SHELVES]
    shelves = [element for element in tree.shown() if element.attributes.get("class") == "own-shelf"]
    assert len(shelves) == len(listed)
    for shelf, strip in zip(shelves, listed):
        name = strip.get("strip") or strip["name"]
        assert text(shelf, "h2") == strip["title"]
        links = {element.attributes["href"] for element in shelf.all() if element.tag == "a" and "href" in element.attributes}
        assert f"/?strip={name}" in links
        assert server.get(f"/?strip={name}").status == 200
        assert [element.attributes["strip"] for element in strips(shelf)] == [name]


def test_each_shelf_has_its_first_window(server):
    by_name = {strip.name: strip for strip in samples.STRIPS}
    shelves = strips(page(server))
    assert len(shelves) > 2
    for shelf in shelves:
        strip = by_name[shelf.attributes["strip"]]
        window = Window(strip, {"width": "2560"})
        expected = [(i, strip.items[i % len(strip.items)].id) for i in window.items()]
        got = [facts(card)[:2] for card in cards(shelf)]
        assert [item for item in got if item in expected] == expected, strip.name


def test_a_shelf_whose_strip_cannot_be_shown_is_empty_and_the_others_are_shown(database, serving):
    """2,560 px of items of half a pixel are more items than a window may have."""
    tiny = Strip("tiny", [Item(f"t{n}", width="0.5") for n in range(6000)], gap="0")
    imported(database, samples.MIXED, tiny, samples.RING)
    server = serving("--database", database)
    server.window(strip="tiny", width="2560").rejected(400)
    shown = {shelf.attributes["strip"]: len(cards(shelf)) for shelf in strips(page(server))}
    assert shown.pop("tiny") == 0
    assert len(shown) == 2 and all(shown.values())


def test_the_first_page_of_one_strip_is_the_page_of_that_strip(database, serving):
    strip = Strip("only", tuple(Item(f"i{n}", width="100") for n in range(9)))
    server = serving("--database", imported(database, strip))
    assert server.get("/").text == server.get("/?strip=only").text


def test_a_parameter_of_a_strip_asks_for_the_page_of_the_first_strip(built_in):
    assert [element.attributes["strip"] for element in strips(page(built_in, "/?offset=0"))] == ["albums"]


def test_the_numbers_of_the_tour_are_those_of_its_strips(built_in, tour):
    counts = {name: built_in.get(f"/strips/{name}").json()["count"] for name in ("landscapes", "billion")}
    titles = [element.text.strip() for element in tour.shown() if element.tag in ("h1", "h2")]
    lines = [element.text for element in tour.shown() if element.attributes.get("class") == "count"]
    assert lines[0].startswith(f"{counts['landscapes']:,} pictures")
    assert f"{counts['billion']:,} items" in titles


def test_each_part_of_the_tour_shows_the_html_that_runs(tour):
    samples = [read(element.text) for pre in tour.shown() if pre.tag == "pre" for element in pre.within]
    shown = [sample for sample in samples if strips(sample)]
    assert len(shown) == len(strips(tour)) == 4
    for sample, live in zip(shown, [element for element in tour.shown() if element.attributes.get("class") == "live"]):
        wanted = [element for element in sample.all() if element.tag not in ("", "svg")]  # a drawing stands without its parts
        # The server adds the first window, and nothing else.
        for element in wanted:
            twins = [one for one in live.all() if one.tag == element.tag and element.attributes.items() <= one.attributes.items()]
            assert twins, element
            assert all(set(one.attributes) - set(element.attributes) <= {"data-version", "data-window", "data-before"} for one in twins[:1])
        scripts = [element.attributes["src"] for element in live.all() if element.tag == "script"]
        assert scripts == [element.attributes["src"] for element in wanted if element.tag == "script"]


def test_each_part_of_the_tour_has_cards_before_and_without_scripts(tour):
    for element in strips(tour):
        shown = cards(element)
        assert len(shown) >= 10, element.attributes["strip"]
        # A wall and a grid stand in flow. Their widths depend on the page.
        in_flow = any(one.attributes.get("class") == "before" for one in element.all())
        assert in_flow == ("layout" in element.attributes) == ("data-window" not in element.attributes)


def test_the_links_of_the_tour_lead_to_pages_of_the_documentation(tour):
    links = {element.attributes.get("href") or "" for element in tour.shown() if element.tag == "a"}
    documents = {link.removeprefix("/docs/").removesuffix(".html").removesuffix("#start") for link in links if link.startswith("/docs/")} - {""}
    assert len(documents) >= 5
    assert [name for name in documents if not (ROOT / f"Documentation/site/{name}.md").exists()] == []


def test_the_policy_allows_the_style_of_the_first_windows_by_its_hash(built_in):
    reply = built_in.get("/")
    style = re.search("<style>(.*?)</style>", reply.text)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}'" in reply.fields["content-security-policy"]
    assert "unsafe" not in reply.fields["content-security-policy"]
    # The rules of a strip hold for its own cards only.
    names = [element.attributes["id"] for element in strips(read(reply.text))]
    assert set(re.findall(r"(?:^|})([^{]*?)(?: \[| \.flow| \.before|\{)", style)) == {f":where(#{name})" for name in names}


def test_the_first_page_is_in_each_language(built_in):
    for language in ("ar", "de", "en", "es", "fr", "ja"):
        tree = page(built_in, f"/?lang={language}")
        html = next(element for element in tree.all() if element.tag == "html")
        assert html.attributes["lang"] == language
        inside = {element.attributes["href"] for element in tree.shown() if element.tag == "a" and element.attributes.get("href", "").startswith("/?strip=")}
        assert inside and all(f"lang={language}" in address for address in inside)


@pytest.mark.parametrize(("strip", "has_headings"), [("albums", False), ("landscapes", True), ("landscapes&sort=-year", True), ("landscapes&sort=price", False)])
def test_many_short_groups_have_no_headings_in_a_grid(built_in, strip, has_headings):
    """Each heading begins a new row: a grid of albums by year would have one album in most rows. A sort by price has other groups."""
    tree = page(built_in, f"/?strip={strip}&layout=grid")
    assert ("heading" in strips(tree)[0].attributes) == has_headings
    assert any(element.attributes.get("class") == "group" for element in strips(tree)[0].all()) == has_headings
    asked = page(built_in, f"/?strip={strip}&layout=grid&heading=30")
    assert strips(asked)[0].attributes["heading"] == "30"
