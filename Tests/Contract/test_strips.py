"""`/strips`, groups and items: what a strip is, without a window."""

import json
from urllib.parse import quote

import pytest

import shelf
from command import imported
from model import lengths
from model.layouts import Layout
from model.strips import Item, Strip

SHOWN = [strip for strip in shelf.STRIPS if not strip.loop]


def listed(document, name: str) -> list:
    """The list in a page of a listing."""
    return document if isinstance(document, list) else document[name]


def said(strip: dict, name: str):
    """A member of a strip's description; settings may stand together."""
    return strip[name] if name in strip else strip["settings"][name]


def name(strip: dict) -> str:
    return strip.get("strip") or strip["name"]


def layout(strip: Strip) -> Layout:
    return Layout(strip, lengths.px(strip.height), strip.loop)


@pytest.mark.parametrize("strip", SHOWN, ids=lambda strip: strip.name)
def test_a_strip_says_its_settings_count_extent_revision_and_kinds(server, strip):
    told = server.get(f"/strips/{strip.name}").json()
    assert name(told) == strip.name
    assert said(told, "title") == strip.name
    assert said(told, "height") == float(strip.height)
    assert said(told, "gap") == float(strip.gap)
    assert said(told, "inset") == float(strip.inset)
    assert said(told, "loop") is strip.loop
    assert said(told, "snap") == "none"
    assert said(told, "itemWidth") == float(strip.item_width)
    assert told["count"] == len(strip.items)
    assert told["extent"] == layout(strip).extent / 64
    assert told["revision"] == server.revision(strip.name)
    assert set(told["kinds"]) >= {
        item.kind for item in strip.items if item.aspect != "0" and item.width != "0"
    }


def test_a_ring_says_that_it_loops(server):
    told = server.get("/strips/ring").json()
    assert said(told, "loop") is True
    assert said(told, "inset") == 30


def test_settings_are_kept_in_sixty_fourths(database, serving):
    strip = Strip("odd", height="99.99", gap="0.01", inset="1e1", item_width="33.3")
    told = serving("--database", imported(database, strip)).get("/strips/odd")
    assert '"height":99.984375' in told.text
    assert '"gap":0.015625' in told.text
    assert '"inset":10' in told.text
    assert '"itemWidth":33.296875' in told.text


def test_strips_are_listed_in_the_order_of_their_making(server):
    document = server.get("/strips").json()
    assert [name(strip) for strip in listed(document, "strips")] == [s.name for s in shelf.STRIPS]


def test_each_in_the_list_says_what_it_says_alone(server):
    for strip in listed(server.get("/strips").json(), "strips"):
        alone = server.get(f"/strips/{name(strip)}").json()
        assert strip == {key: alone[key] for key in strip}


def test_the_list_comes_in_pages(server):
    found: list[str] = []
    for _ in range(len(shelf.STRIPS) + 1):
        after = f"&after={found[-1]}" if found else ""
        page = listed(server.get(f"/strips?limit=2{after}").json(), "strips")
        assert len(page) <= 2
        if not page:
            break
        found += [name(strip) for strip in page]
    assert found == [strip.name for strip in shelf.STRIPS]


@pytest.mark.parametrize("limit", ["0", "-1", "1.5", "x", "+1", "01", "1e400"])
@pytest.mark.parametrize("path", ["/strips", "/strips/mixed/groups"])
def test_a_limit_that_is_none_is_400_and_named(server, path, limit):
    server.get(f"{path}?limit={quote(limit)}").refused(400, "limit")


def test_after_a_strip_that_is_not_there_is_refused(server):
    server.get("/strips?after=none").refused((400, 404), "after")


@pytest.mark.parametrize("strip", SHOWN, ids=lambda strip: strip.name)
def test_groups_are_the_runs_in_their_order(server, strip):
    document = server.get(f"/strips/{strip.name}/groups").json()
    told = [(g["title"], g["first"], g["end"], g["start"]) for g in listed(document, "groups")]
    assert told == [
        (title, first, end, start / 64) for title, first, end, start in layout(strip).runs()
    ]


def test_groups_come_in_pages(database, serving):
    items = tuple(Item(f"i{n}", width="10", group=f"{n // 3 % 7}") for n in range(60))
    strip = Strip("runs", items)
    server = serving("--database", imported(database, strip))
    found: list[dict] = []
    for _ in range(25):
        after = f"&after={found[-1]['first']}" if found else ""
        page = listed(server.get(f"/strips/runs/groups?limit=3{after}").json(), "groups")
        assert len(page) <= 3
        if not page:
            break
        found += page
    assert [(g["title"], g["first"], g["end"]) for g in found] == [
        run[:3] for run in layout(strip).runs()
    ]


@pytest.mark.parametrize("after", ["-1", "-9223372036854775808", "-1e30"])
def test_a_page_of_groups_after_what_is_before_the_strip_is_the_first(server, after):
    told = server.get(f"/strips/mixed/groups?after={after}").json()
    assert told == server.get("/strips/mixed/groups").json()


@pytest.mark.parametrize("past", [0, 1, 10**6, 2**63 - 1, 2**63, 10**30])
def test_a_page_of_groups_after_the_end_of_a_strip_that_has_become_shorter_is_empty(server, past):
    after = past if past > 2**62 else len(shelf.MIXED.items) + past
    told = server.get(f"/strips/mixed/groups?after={after}").json()
    assert (told["groups"], told["next"]) == ([], None)


@pytest.mark.parametrize("strip", [shelf.MIXED, shelf.TENS, shelf.SPELLED], ids=lambda s: s.name)
def test_an_item_is_told_whole_with_its_place(server, strip):
    places = layout(strip)
    for index, item in enumerate(strip.items):
        reply = server.get(f"/strips/{strip.name}/items/{quote(item.id, safe='')}")
        told = reply.json()
        assert (told["id"], told["kind"], told["index"]) == (item.id, item.kind, index)
        assert (told["start"], told["size"]) == (places.start(index) / 64, places.size(index) / 64)
        assert told.get("group") == item.group
        assert f'"fields":{item.fields}' in reply.text
        for member, spelled, unit in [
            ("aspect", item.aspect, lengths.RATIO),
            ("width", item.width, lengths.PX),
        ]:
            if spelled is None:
                assert told.get(member) is None
            else:
                assert lengths.whole(str(told[member]), unit) == lengths.whole(spelled, unit)


def test_members_of_every_answer_have_one_value(server):
    """No document repeats a member."""

    def once(pairs):
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names), names
        return dict(pairs)

    for path in ("/strips", "/strips/mixed", "/strips/mixed/groups", "/strips/mixed/items/a1"):
        json.loads(server.get(path).body, object_pairs_hook=once)
