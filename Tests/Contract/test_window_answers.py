"""The JSON of a window: its order, its spelling, its bytes."""

import json

import pytest

import shelf
from command import imported
from model.strips import Item, Strip
from model.windows import answer

MEMBERS = [
    "strip",
    "revision",
    "height",
    "offset",
    "width",
    "overscan",
    "pool",
    "wrap",
    "count",
    "extent",
    "first",
    "end",
    "pools",
    "group",
    "leave",
    "items",
]


def test_members_stand_in_the_order_of_the_contract(server):
    window = server.window(strip="mixed", width="300").json()
    assert list(window) == MEMBERS
    assert list(window["group"]) == ["title", "first", "end", "start"]
    for item in window["items"]:
        assert list(item) == ["index", "id", "kind", "slot", "start", "size", "fields"]


def test_the_example_of_the_contract(database, serving):
    """50 albums and a heading now and then, 180 px high, 10 px apart: from 1200 px, 800 wide."""
    albums = tuple(
        Item(
            f"a{i}",
            "heading" if i in (4, 9) else "album",
            aspect="1",
            group=str(1970 + (i + 1) // 5),
            fields='{"title":"Blue","subtitle":"Joni Mitchell","image":"/covers/a6.svg"}'
            if i == 6
            else "{}",
        )
        for i in range(50)
    )
    with serving("--database", imported(database, Strip("albums", albums, gap="10"))) as server:
        reply = server.window(offset="1200", width="800")
        revision = reply.json()["revision"]
    assert reply.text.startswith(
        f'{{"strip":"albums","revision":{revision},"height":180,"offset":1200,"width":800,'
        '"overscan":0,"pool":832,"wrap":false,"count":50,"extent":9490,"first":6,"end":11,'
        '"pools":{"album":6,"heading":'
    )
    assert (
        '"group":{"title":"1971","first":4,"end":9,"start":760},"leave":[],'
        '"items":[{"index":6,"id":"a6","kind":"album","slot":"album-' in reply.text
    )
    assert (
        '"start":1140,"size":180,"fields":{"title":"Blue","subtitle":"Joni Mitchell",'
        '"image":"/covers/a6.svg"}}' in reply.text
    )


@pytest.mark.parametrize("strip", shelf.STRIPS, ids=lambda strip: strip.name)
def test_every_strip_of_the_shelf_is_answered_to_the_byte(server, strip):
    revision = server.revision(strip.name)
    for asked in ({}, {"height": "90.5"}, {"wrap": "true", "offset": "-333.3"}, {"width": "99"}):
        reply = server.window(asked, strip=strip.name)
        assert reply.text == answer(strip, revision, asked), reply.asked


def test_fields_keep_their_order_and_the_spelling_of_their_numbers(server):
    text = server.window(strip="spelled").text
    assert '"fields":{"zeta":1.50,"alpha":-0.0,"mid":1E+2,"title":"Z"}' in text
    assert '"fields":{"b":true,"a":false,"10":12345678901234567890,"2":0.1e-7}' in text
    assert '"fields":{}' in text


def test_strings_come_through_whatever_they_hold(database, serving):
    """Escapes may be spelled otherwise, but say the same."""
    texts = [
        "\\u00e9\\ud83c\\udfa0",
        '\\"\\\\\\/\\b\\f\\n\\r\\t',
        "\\u0001\\u001f\\u007f\\u2028",
        "é e\u0301 🎠 日本",
        "</script><!--",
    ]
    items = [
        Item(f"i{n}", width="20", fields=f'{{"title":"{text}","{text}":1}}')
        for n, text in enumerate(texts)
    ]
    with serving("--database", imported(database, Strip("texts", tuple(items)))) as server:
        got = [item["fields"] for item in server.window().json()["items"]]
    assert got == [json.loads(item.fields) for item in items]
    assert [list(one) for one in got] == [list(json.loads(item.fields)) for item in items]


def test_names_compare_as_bytes_of_utf_8_not_as_what_they_look_like(database, serving):
    """é and e with an accent are two ids, two groups, two members."""
    composed, combined = "\u00e9", "e\u0301"
    strip = Strip(
        "bytes",
        (
            Item(composed, width="10", group=composed, fields=f'{{"{composed}":1,"{combined}":2}}'),
            Item(combined, width="10", group=combined),
        ),
    )
    with serving("--database", imported(database, strip)) as server:
        revision = server.revision("bytes")
        for index, id in enumerate((composed, combined)):
            asked = {"item": id, "width": "10"}
            reply = server.window(asked)
            assert reply.text == answer(strip, revision, asked)
            assert reply.json()["group"]["first"] == index


def test_pools_stand_in_the_order_of_their_kinds_names(database, serving):
    kinds = ["z", "a-b", "a", "ab", "a0", "card"]
    strip = Strip("kinds", tuple(Item(kind, kind, width="5") for kind in kinds))
    with serving("--database", imported(database, strip)) as server:
        assert list(server.window().json()["pools"]) == ["a", "a-b", "a0", "ab", "card", "z"]


def test_a_kind_of_hidden_items_alone_has_no_pool(database, serving):
    strip = Strip("ghosts", (Item("a", "ghost", aspect="0"), Item("b", "album", width="9")))
    with serving("--database", imported(database, strip)) as server:
        assert server.window().json()["pools"] == {"album": 1}


def test_the_same_window_asked_in_other_words_has_the_same_bytes(server):
    one = server.get("/window?strip=mixed&offset=100&width=300")
    for other in ("width=3e2&offset=1e2&strip=mixed", "strip=%6dixed&offset=100.0&width=300&v=2"):
        assert server.get(f"/window?{other}").body == one.body
