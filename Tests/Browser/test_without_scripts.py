"""The page without JavaScript: items in flow, links to the next and previous page, and a form."""

import html
import json
import re
from urllib.parse import parse_qs, urlencode, urljoin, urlparse
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect


@pytest.fixture
def open_plain(open_page):
    def open_plain(path="/?strip=albums", **options):
        return open_page(path, java_script_enabled=False, **options)

    return open_plain


def server_window(page, **query):
    return page.request.get("/window", params={"width": 2560, **query}).json()


def offset_of(link):
    return float(parse_qs(urlparse(link.get_attribute("href")).query)["offset"][0])


def must_stand_in_flow(page, window):
    """Asserts that the items of the window have the right width and position."""
    cards = page.locator("carousel-strip li")
    expect(cards).to_have_count(len(window["items"]))
    start = page.locator("h1").bounding_box()["x"]
    for number, item in enumerate(window["items"]):
        card = cards.nth(number)
        expect(card).to_have_attribute("data-id", item["id"])
        expect(card).to_have_attribute("data-slot", item["slot"])
        expect(card.locator(".title, .banner")).to_have_text(item["fields"]["title"])
        place = card.bounding_box()
        assert abs(place["width"] - item["size"]) <= 1 / 16
        assert abs(place["x"] - start - (item["start"] - window["offset"])) <= 1


@pytest.mark.parametrize("name", ["albums", "billion", "elements"])
def test_the_first_window_is_in_flow(open_plain, name):
    page = open_plain(f"/?strip={name}")
    must_stand_in_flow(page, server_window(page, strip=name))


def test_next_starts_at_the_first_cut_item_and_previous_goes_back(open_plain):
    page = open_plain("/?strip=albums&width=1000", viewport={"width": 1000, "height": 700})
    window = server_window(page, strip="albums", width=1000)
    cut = next(item for item in window["items"] if item["start"] + item["size"] > 1000)
    following = page.get_by_role("link", name="Next")
    assert offset_of(following) == cut["start"]
    expect(page.get_by_role("link", name="Previous")).to_have_count(0)
    with page.expect_navigation():
        following.click()
    must_stand_in_flow(page, server_window(page, strip="albums", width=1000, offset=cut["start"]))
    back = page.get_by_role("link", name="Previous")
    assert offset_of(back) == max(0, cut["start"] - 1000)


def test_the_strips_are_links(open_plain):
    page = open_plain("/?strip=albums")
    page.get_by_role("navigation").get_by_role("link", name="Elements").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Elements")
    expect(page.get_by_role("link", name="Elements")).to_have_attribute("aria-current", "page")


def test_the_jump_is_a_form(open_plain):
    page = open_plain("/?strip=billion")
    page.get_by_label("Go to item").fill("999999999")
    page.get_by_role("button", name="Go").click()
    expect(page.locator("li[data-index='999999999']")).to_have_count(1)


def test_controls_that_need_scripts_are_hidden_and_titles_are_no_markup(open_plain):
    page = open_plain("/?strip=albums")
    assert page.locator("carousel-strip li .title *").count() == 0
    expect(page.locator("#scrubber")).to_be_hidden()
    expect(page.locator("#xray-switch")).to_be_hidden()
    expect(page.locator("#details")).to_be_hidden()


def test_the_page_starts_at_the_item_or_offset_of_the_address(open_plain):
    page = open_plain("/?strip=albums&offset=3000&width=800")
    must_stand_in_flow(page, server_window(page, strip="albums", offset=3000, width=800))
    item = server_window(page, strip="albums", index=30)["items"][0]
    page = open_plain(f"/?strip=albums&width=800&item={item['id']}")
    expect(page.locator("carousel-strip li").first).to_have_attribute("data-id", item["id"])


# The pages of layouts, at widths for which the server did not arrange them.
LAYOUTS = ["/?strip=landscapes&layout=rows&row=160", "/?strip=albums&layout=grid&column=500&sort=width", "/?strip=moons&layout=list"]


@pytest.mark.parametrize("width", [320, 1440])
@pytest.mark.parametrize("path", LAYOUTS)
def test_the_items_of_a_layout_stand_in_flow(open_plain, path, width):
    page = open_plain(path, viewport={"width": width, "height": 800})
    cards = page.locator("carousel-strip li[data-index]")
    assert cards.count() >= 10
    boxes = cards.evaluate_all("(cards) => cards.map((card) => card.getBoundingClientRect().toJSON())")
    for box in boxes:
        assert box["left"] >= 0 and box["right"] <= width and box["height"] > 0
    for one, other in zip(boxes, boxes[1:]):
        assert other["top"] >= one["bottom"] - 0.5 or other["left"] >= one["right"] - 0.5


@pytest.mark.parametrize("path", ["/?strip=elements", LAYOUTS[1], LAYOUTS[2], "/?strip=landscapes&layout=rows&where=year+<+1840&row=160"])
def test_next_links_visit_all_items_and_keep_the_parameters(address, path):
    """Without a browser, which takes seconds for these pages."""
    url, seen, visited = address + path.replace("<", "%3C"), set(), 0
    query = parse_qs(urlparse(url).query)
    while url:
        visited += 1
        assert visited < 100
        found = parse_qs(urlparse(url).query)
        assert {name: found[name] for name in query} == query
        with urlopen(url) as answer:
            page = answer.read().decode()
        seen |= set(re.findall(r'<li [^>]*data-id="([^"]+)"', page))
        following = re.search(r'rel="next" href="([^"]+)"', page)
        url = following and urljoin(url, html.unescape(following[1]))
    assert visited > 2
    window = {name: values[0] for name, values in query.items() if name in ("strip", "where", "sort")}
    with urlopen(f"{address}/window?{urlencode(window)}") as answer:
        assert len(seen) == json.load(answer)["count"]
    assert re.search('rel="prev" href="', page)


@pytest.mark.parametrize("query", [{"width": 960}, {"layout": "grid", "width": 960, "height": 700}, {"layout": "list", "width": 360, "height": 700}])
def test_the_links_that_the_documentation_describes_visit_all_items(open_page, query):
    page = open_page("about:blank")
    length, offset, seen = query.get("height", query["width"]), 0, set()
    for _ in range(100):
        answer = page.request.get("/window", params={"strip": "albums", "format": "element", "offset": offset, **query}).text()
        window = json.loads(html.unescape(re.search("data-window='([^']*)'", answer)[1]))
        seen |= {item["id"] for item in window["items"]}
        cut = [item["start"] for item in window["items"] if item["start"] + item["size"] > offset + length and item["start"] > offset]
        if not cut and offset + length >= window["extent"]:
            break
        offset = cut[0] if cut else offset + length
    assert len(seen) == window["count"]
