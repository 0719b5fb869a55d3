"""The built-in strips, which a server without a database shows."""

import pytest

from server import Server
from test_strips import listed, name


@pytest.fixture(scope="module")
def strips(built_in):
    return {name(strip): strip for strip in listed(built_in.get("/strips").json(), "strips")}


def test_each_album_has_a_cover_that_exists(built_in):
    items = built_in.window(strip="albums", width="20000").json()["items"]
    assert len(items) == 50
    for item in items:
        assert item["fields"]["title"]
        picture = built_in.get(item["fields"]["image"].replace("{w}", "180"))
        assert (picture.status, picture.type) == (200, "image/svg+xml"), f"{picture}"


def test_two_servers_give_the_same_windows_of_built_in_strips(built_in, strips):
    """ "A built-in strip's revision follows from its rule and the program's version"."""
    with Server() as other:
        for strip in strips:
            for asked in ({}, {"offset": "12345.5", "width": "777", "overscan": "100"}):
                assert (other.window(asked, strip=strip).body == built_in.window(asked, strip=strip).body)


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
