"""`format=html`: the items as `<li>` elements."""

import pytest

import samples
from markup import cards, facts, read

# Cards follow from the items, which are the same in every store.
pytestmark = pytest.mark.one_store


def both(server, **asked):
    """The items of a window as JSON, and its cards as HTML."""
    listed = server.window(asked).json()["items"]
    reply = server.window(asked, format="html")
    assert (reply.status, reply.type) == (200, "text/html"), f"{reply}"
    return listed, cards(read(reply.text))


@pytest.mark.parametrize("strip", [s.name for s in samples.STRIPS if s.name != "many"])
def test_html_has_the_items_and_slots_of_the_json(server, strip):
    listed, shown = both(server, strip=strip, width="500")
    assert [facts(card) for card in shown] == [(i["index"], i["id"], i["slot"]) for i in listed]
    assert {card.tag for card in shown} <= {"li"}


def test_html_has_only_the_items(server):
    tree = read(server.window(strip="mixed", format="html").text)
    assert {element.tag for element in tree.within} == {"li"}
    assert read(server.window(strip="empty", format="html").text).within == []


def test_html_has_the_title_of_each_item(server):
    listed, shown = both(server, strip="mixed", width="2000")
    for item, card in zip(listed, shown):
        assert item["fields"].get("title", "") in card.whole_text()


def test_html_has_the_group_of_each_item(server):
    listed, shown = both(server, strip="mixed", width="2000")
    for item, card in zip(listed, shown):
        group = item.get("group") or {}
        index = group.get("index")
        assert card.attributes.get("data-group-title") == group.get("title")
        assert card.attributes.get("data-group-index") == (None if index is None else str(index))


def test_html_lacks_the_items_of_have(server):
    revision = str(server.revision("mixed"))
    listed, shown = both(server, strip="mixed", width="900", revision=revision, have="0..2")
    assert [facts(card)[0] for card in shown] == [item["index"] for item in listed]
    assert facts(shown[0])[0] > 1


def test_html_wraps(server):
    listed, shown = both(server, strip="ring", offset="-300", width="200")
    assert [facts(card)[0] for card in shown] == [item["index"] for item in listed]
    assert facts(shown[0])[0] < 0


def test_text_is_escaped_in_html(server):
    reply = server.window(strip="hostile", format="html")
    tree = read(reply.text)
    assert not [element for element in tree.all() if element.tag in ("script", "b")]
    hostile, plain = cards(tree)
    assert hostile.attributes["data-id"] == samples.HOSTILE.items[0].id
    assert "<script>alert(1)</script>" in hostile.whole_text()
    assert 'a & b " c' in hostile.whole_text()
    assert "{subtitle}" in plain.whole_text()
    assert "{{title}}" in plain.whole_text()
