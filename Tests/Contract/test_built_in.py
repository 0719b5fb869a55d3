"""The built-in strips, which a server without a database shows."""

import itertools

import pytest

from server import Server
from test_strips import listed, member, name


@pytest.fixture(scope="module")
def strips(built_in):
    return {name(strip): strip for strip in listed(built_in.get("/strips").json(), "strips")}


def test_albums_come_first_and_are_50(built_in, strips):
    assert next(iter(strips)) == "albums"
    assert strips["albums"]["count"] == 50
    assert built_in.window().json()["strip"] == "albums"


def test_a_built_in_strip_has_groups_and_several_kinds(built_in, strips):
    assert len(strips) >= 3
    grouped = [
        strip
        for strip in strips
        if strip != "billion"
        and len(strips[strip]["kinds"]) > 1
        and listed(built_in.get(f"/strips/{strip}/groups").json(), "groups")
    ]
    assert grouped


def test_each_album_has_a_cover_that_exists(built_in):
    items = built_in.window(strip="albums", width="20000").json()["items"]
    assert len(items) == 50
    for item in items:
        assert item["fields"]["title"]
        picture = built_in.get(item["fields"]["image"].replace("{w}", "180"))
        assert (picture.status, picture.type) == (200, "image/svg+xml"), f"{picture}"


def test_the_strip_billion_has_a_billion_items(built_in, strips):
    assert strips["billion"]["count"] == 10**9


def test_the_last_of_a_billion_items_ends_exactly_at_the_extent(built_in):
    for height in ("180", "97.5", "1000"):
        asked = {"strip": "billion", "height": height, "width": "1000"}
        window = built_in.window(asked, index=str(10**9 - 1), align="end").json()
        last = window["items"][-1]
        assert last["index"] == 10**9 - 1
        inset = member(built_in.get("/strips/billion").json(), "inset")
        if not window["wrap"]:
            assert last["start"] + last["size"] == window["extent"] - inset
            assert window["offset"] == window["extent"] - 1000
        assert window["end"] == 10**9


def test_a_billion_items_tile_without_drift(built_in, strips):
    gap = member(built_in.get("/strips/billion").json(), "gap")
    extent = strips["billion"]["extent"]
    for part in range(0, 41):
        offset = int(extent * part / 41)
        items = built_in.window(strip="billion", offset=str(offset), width="3000").json()["items"]
        assert items
        for one, next_one in itertools.pairwise(items):
            if next_one["index"] == one["index"] + 1:
                assert one["start"] + one["size"] + gap == next_one["start"]


def test_an_item_of_billion_is_found_by_index_and_by_id(built_in):
    asked = {"strip": "billion", "width": "500", "wrap": "false"}
    for index in (0, 1, 65535, 65536, 123_456_789, 999_999_000):
        by_index = built_in.window(asked, index=str(index)).json()
        item = by_index["items"][0]
        assert item["index"] == index
        assert item["start"] == by_index["offset"]
        assert built_in.window(asked, item=item["id"]).json() == by_index
        alone = built_in.get(f"/strips/billion/items/{item['id']}").json()
        assert (alone["index"], alone["fields"]) == (index, item["fields"])


def test_items_of_billion_have_different_sizes(built_in):
    items = built_in.window(strip="billion", width="20000").json()["items"]
    assert len({item["size"] for item in items}) > 10
    assert len({item["id"] for item in items}) == len(items)


def test_two_servers_give_the_same_windows_of_built_in_strips(built_in, strips):
    """ "A built-in strip's revision follows from its rule and the program's version"."""
    with Server() as other:
        for strip in strips:
            for asked in ({}, {"offset": "12345.5", "width": "777", "overscan": "100"}):
                assert (
                    other.window(asked, strip=strip).body
                    == built_in.window(asked, strip=strip).body
                )


def test_a_server_with_a_database_has_no_built_in_strips(server):
    server.window(strip="albums").rejected(404, "strip")


@pytest.mark.parametrize("strip", ["albums", "billion"])
def test_built_in_strips_have_pages(built_in, strip):
    reply = built_in.get(f"/?strip={strip}")
    assert (reply.status, reply.type) == (200, "text/html")
    assert "data-index" in reply.text


@pytest.mark.parametrize(
    "target, parameter",
    [
        ("/window?strip=billion&where=kind=wide", "where"),
        ("/window?strip=billion&sort=width", "sort"),
        ("/strips/billion/facets?field=kind", "field"),
    ],
)
def test_a_billion_items_are_too_many_for_a_view_and_the_error_says_so(built_in, target, parameter):
    reply = built_in.get(target)
    reply.rejected(400, parameter)
    assert b"1000000000" in reply.body, f"{reply}"
