"""The group of an item in events."""

import json

import pytest

TOLD = ["willdisplay", "willselect", "select", "settle", "deselect"]

# Lists what events tell of item 2 and item 3.
LISTEN = """(strip, types) => {
  window.told = {};
  const note = (type, item) => { if (item?.index === 2 || item?.index === 3) (window.told[type] ??= []).push([item.index, item.group]) };
  for (const type of types) strip.addEventListener(type, ({ detail }) => note(type, detail?.item ?? detail));
  strip.kind(strip.items[0].kind, { fill: (card, item) => note("fill", item), select: (item) => note("handler", item) });
}"""


@pytest.fixture
def open_grouped(open_page):
    """Opens a strip whose even items are in groups."""

    def open_grouped():
        page = open_page("about:blank")

        def answer(route):
            found = route.fetch()
            body = found.json()
            for item in body.get("items", []):
                item.pop("group", None)
                if item["index"] % 2 == 0:
                    item["group"] = {"title": f"Group {item['index'] // 10}", "index": item["index"] // 2}
            route.fulfill(response=found, body=json.dumps(body))

        page.route("**/window?*", answer)
        page.goto("/?strip=albums")
        strip = page.locator("carousel-strip").first
        page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.group")  # not those of the server
        return page, strip

    return open_grouped


def select(page, strip, index):
    strip.evaluate("(strip, index) => { strip.select(index) }", index)
    page.wait_for_function("(index) => window.told.select?.some(([one]) => one === index)", arg=index)


def test_events_have_the_group_of_an_item(open_grouped):
    page, strip = open_grouped()
    strip.evaluate(LISTEN, TOLD)
    for index in [3, 2]:
        select(page, strip, index)
    strip.evaluate("(strip) => strip.deselect()")
    told = page.evaluate("() => window.told")
    group = {"title": "Group 0", "index": 1}
    for type in ["fill", "willselect", "select", "handler"]:
        assert sorted(told[type]) == [[2, group], [3, None]], type
    assert told["deselect"] == [[3, None], [2, group]]
