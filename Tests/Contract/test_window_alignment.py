"""`clamp`, `wrap` and the ladder of pools. `test_windows_at_random` compares positions with the model, and `LayoutQueryTests` has alignment."""

import pytest

# Positions follow from the layout, which is the same in every store.
pytestmark = pytest.mark.one_store


@pytest.mark.parametrize("asked", [{}, {"layout": "list"}, {"layout": "grid"}, {"layout": "rows"}, {"q": ""}])
@pytest.mark.parametrize("index, nearest", [("60", "49"), ("50", "49"), ("-1", "0"), ("7", "7"), ("-1e300", "0")])
def test_a_clamped_index_outside_of_a_strip_is_the_nearest_one(built_in, asked, index, nearest):
    strip = {**asked, "strip": "albums", "width": "300", "align": "center"}
    clamped = built_in.window(strip, index=index, clamp="true")
    assert clamped.status == 200, f"{clamped}"
    plain = built_in.window(strip, index=nearest)
    assert (clamped.body, clamped.fields["etag"]) == (plain.body, plain.fields["etag"])


def test_a_clamped_index_of_a_view_is_the_nearest_one_of_the_view(built_in):
    view = {"strip": "albums", "where": "year 1959 TO 1965", "sort": "-year", "width": "300"}
    last = str(built_in.window(view).json()["count"] - 1)
    clamped = built_in.window(view, index="49", clamp="true")
    assert clamped.body == built_in.window(view, index=last).body


@pytest.mark.parametrize("asked", [{}, {"wrap": "true"}, {"layout": "list"}, {"layout": "grid"}, {"layout": "rows"}, {"q": ""}])
def test_a_clamped_item_that_a_strip_lacks_stands_for_the_offset(built_in, asked):
    strip = {**asked, "strip": "albums", "width": "300", "offset": "700"}
    clamped = built_in.window(strip, item="none", align="center", clamp="true")
    plain = built_in.window(strip)
    assert (clamped.body, clamped.fields["etag"]) == (plain.body, plain.fields["etag"])
    assert built_in.window(strip, item="a7", clamp="true").body == built_in.window(strip, item="a7").body


def test_with_wrap_a_clamped_index_is_exactly_that_index(server):
    asked = {"strip": "ring", "width": "50"}
    for index in ("12", "-1"):
        assert server.window(asked, index=index, clamp="true").body == server.window(asked, index=index).body


def test_a_clamped_index_of_an_empty_strip_has_an_empty_window(server):
    for asked in ({}, {"wrap": "true"}, {"layout": "list"}, {"layout": "grid"}, {"layout": "rows"}):
        window = server.window(asked, strip="empty", index="3", clamp="true", offset="500").json()
        assert (window["offset"], window["count"], window["items"]) == (0, 0, [])


def test_wrap_overrides_the_loop_of_the_strip(server):
    straight = server.window(strip="ring", wrap="false").json()
    assert (straight["wrap"], straight["extent"]) == (False, 30 + 100 + 4 * 8 + 30)
    assert straight["items"][0]["start"] == 30
    bent = server.window(strip="tens", wrap="true", offset="-15", width="20").json()
    assert [item["id"] for item in bent["items"]] == ["t8", "t9", "t0"]
    assert [item["index"] for item in bent["items"]] == [-2, -1, 0]


def test_a_pool_is_rounded_up_to_the_ladder(server):
    for pool, rung in [(1, 8), (8, 8), (8.015625, 9), (15, 15), (15.5, 16), (17, 18), (800, 832)]:
        window = server.window(strip="tens", width="1", pool=repr(pool)).json()
        assert window["pool"] == rung
    assert server.window(strip="tens", width="800").json()["pool"] == 832
    assert server.window(strip="tens", width="800", overscan="48").json()["pool"] == 896
