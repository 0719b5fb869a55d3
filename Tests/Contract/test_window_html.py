"""`format=html`: the same items as `<li>` elements ready to stand in the page."""

import pytest

import shelf
from command import import_lines
from markup import cards, facts, read
from model.strips import Item, Strip


def both(server, **asked):
    """The items of a window in JSON, and its cards in HTML."""
    listed = server.window(asked).json()["items"]
    reply = server.window(asked, format="html")
    assert (reply.status, reply.type) == (200, "text/html"), f"{reply}"
    return listed, cards(read(reply.text))


@pytest.mark.parametrize("strip", [s.name for s in shelf.STRIPS if s.name != "many"])
def test_html_shows_the_items_of_the_json_in_their_slots(server, strip):
    listed, shown = both(server, strip=strip, width="500")
    assert [facts(card) for card in shown] == [(i["index"], i["id"], i["slot"]) for i in listed]
    assert {card.tag for card in shown} <= {"li"}


def test_html_has_nothing_beside_its_items(server):
    tree = read(server.window(strip="mixed", format="html").text)
    assert {element.tag for element in tree.within} == {"li"}
    assert read(server.window(strip="empty", format="html").text).within == []


def test_html_says_the_title_of_each_item(server):
    listed, shown = both(server, strip="mixed", width="2000")
    for item, card in zip(listed, shown):
        assert item["fields"].get("title", "") in card.whole_text()


def test_html_lacks_what_the_caller_holds(server):
    revision = str(server.revision("mixed"))
    listed, shown = both(server, strip="mixed", width="900", revision=revision, have="0..2")
    assert [facts(card)[0] for card in shown] == [item["index"] for item in listed]
    assert facts(shown[0])[0] > 1


def test_html_runs_on_past_the_ends_of_a_ring(server):
    listed, shown = both(server, strip="ring", offset="-300", width="200")
    assert [facts(card)[0] for card in shown] == [item["index"] for item in listed]
    assert facts(shown[0])[0] < 0


def test_text_is_text_in_html(server):
    reply = server.window(strip="hostile", format="html")
    tree = read(reply.text)
    assert not [element for element in tree.all() if element.tag in ("script", "b")]
    hostile, plain = cards(tree)
    assert hostile.attributes["data-id"] == shelf.HOSTILE.items[0].id
    assert "<script>alert(1)</script>" in hostile.whole_text()
    assert 'a & b " c' in hostile.whole_text()
    assert "{subtitle}" in plain.whole_text()
    assert "{{title}}" in plain.whole_text()


@pytest.mark.parametrize(
    "name, value",
    [
        ("href", "javascript:alert(1)"),
        ("href", "JAVASCRIPT:alert(1)"),
        ("href", " javascript:alert(1)"),
        ("href", "java\\tscript:alert(1)"),
        ("href", "data:text/html,x"),
        ("href", "vbscript:x"),
        ("image", "javascript:alert(1)"),
        ("image", "data:image/svg+xml,x"),
        ("image", "mailto:a@b"),
    ],
)
def test_a_link_goes_only_where_the_contract_lets_it(name, value, database, serving):
    """Such an item is refused, or its card has no such address."""
    item = Item("x", width="100", fields=f'{{"title":"x","{name}":"{value}"}}')
    run = import_lines(database, Strip("links", (item,)))
    if run.returncode == 65:
        assert b"links.jsonl:1:" in run.stderr
        return
    page = serving("--database", database).window(format="html")
    for element in read(page.text).all():
        for attribute in ("href", "src", "srcset", "action", "xlink:href"):
            address = (element.attributes.get(attribute) or "").strip().lower()
            assert not address.replace("\t", "").startswith(("javascript:", "data:", "vbscript:"))
            assert not (attribute == "src" and address.startswith("mailto:"))


@pytest.mark.parametrize(
    "href",
    [
        "https://example.org/a?b=1&c=2",
        "http://example.org/",
        "mailto:a@example.org",
        "/there",
        "there",
        "?strip=x",
    ],
)
def test_a_link_that_is_allowed_is_kept(href, database, serving):
    item = Item("x", width="100", fields=f'{{"title":"x","href":"{href}"}}')
    run = import_lines(database, Strip("links", (item,)))
    assert run.returncode == 0, run.stderr
    assert serving("--database", database).window().json()["items"][0]["fields"]["href"] == href
