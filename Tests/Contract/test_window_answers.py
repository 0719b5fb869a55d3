"""The bytes of the JSON of a window."""

import json

import pytest

import samples
from command import imported
from model.strips import Item, Strip
from model.windows import answer


def test_the_example_of_the_contract_is_answered(database, serving):
    """48 albums and two headings, 180 px high, with a gap of 10 px: the window of 1200 to 2000 px."""
    blue = '{"title":"Blue","subtitle":"Joni Mitchell","image":"/covers/a6.svg"}'
    albums = tuple(
        Item(f"a{i}", "heading" if i in (4, 9) else "album", aspect="1", group=str(1970 + (i + 1) // 5), fields=blue if i == 6 else "{}")
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
        '"start":1140,"size":180,"group":{"title":"1971","index":2},'
        '"fields":{"title":"Blue","subtitle":"Joni Mitchell",'
        '"image":"/covers/a6.svg"}}' in reply.text
    )


@pytest.mark.parametrize("strip", samples.STRIPS, ids=lambda strip: strip.name)
def test_windows_of_all_samples_have_the_bytes_of_the_model(server, strip):
    revision = server.revision(strip.name)
    for asked in ({}, {"height": "90.5"}, {"wrap": "true", "offset": "-333.3"}, {"width": "99"}):
        reply = server.window(asked, strip=strip.name)
        assert reply.text == answer(strip, revision, asked), reply.request


def test_strings_keep_all_characters(database, serving):
    """Escapes may change, but the text does not."""
    texts = [
        "\\u00e9\\ud83c\\udfa0", '\\"\\\\\\/\\b\\f\\n\\r\\t', "\\u0001\\u001f\\u007f\\u2028", "é e\u0301 🎠 日本",
        "</script><!--",
    ]
    items = [Item(f"i{n}", width="20", fields=f'{{"title":"{text}","{text}":1}}') for n, text in enumerate(texts)]
    with serving("--database", imported(database, Strip("texts", tuple(items)))) as server:
        got = [item["fields"] for item in server.window().json()["items"]]
    assert got == [json.loads(item.fields) for item in items]
    assert [list(one) for one in got] == [list(json.loads(item.fields)) for item in items]


def test_names_compare_as_bytes_of_utf_8(database, serving):
    """é and e with a combining accent are different ids, groups and members."""
    composed, combined = "\u00e9", "e\u0301"
    items = [Item(composed, width="10", group=composed, fields=f'{{"{composed}":1,"{combined}":2}}'), Item(combined, width="10", group=combined)]
    strip = Strip("bytes", tuple(items))
    with serving("--database", imported(database, strip)) as server:
        revision = server.revision("bytes")
        for index, id in enumerate((composed, combined)):
            asked = {"item": id, "width": "10"}
            reply = server.window(asked)
            assert reply.text == answer(strip, revision, asked)
            assert reply.json()["group"]["first"] == index


def test_equivalent_queries_have_the_same_bytes(server):
    one = server.get("/window?strip=mixed&offset=100&width=300")
    for other in ("width=3e2&offset=1e2&strip=mixed", "strip=%6dixed&offset=100.0&width=300&v=2"):
        assert server.get(f"/window?{other}").body == one.body
