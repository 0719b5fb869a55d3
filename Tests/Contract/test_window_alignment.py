"""The position of a viewport: examples from react-window and from the contract."""

import pytest

# Positions follow from the layout, which is the same in every store.
pytestmark = pytest.mark.one_store

#: (align, index, current offset, new offset) for 10 items of 10 px and a width of 50 px.
#: Source: react-window, lib/core/getOffsetForIndex.test.ts.
ALIGNED = [
    ("start", 0, 0, 0), ("start", 4, 0, 40), ("start", 5, 0, 50), ("start", 6, 0, 50), ("start", 9, 0, 50),
    ("end", 0, 0, 0), ("end", 4, 0, 0), ("end", 5, 0, 10), ("end", 9, 0, 50), ("center", 0, 0, 0),
    ("center", 2, 0, 0), ("center", 3, 0, 10), ("center", 4, 0, 20), ("center", 9, 0, 50), ("nearest", 0, 0, 0),
    ("nearest", 4, 0, 0), ("nearest", 5, 0, 10), ("nearest", 9, 0, 50), ("nearest", 0, 50, 0), ("nearest", 4, 50, 40),
    ("nearest", 7, 50, 50), ("nearest", 3, 25, 25), ("nearest", 2, 25, 20), ("nearest", 7, 25, 30),
]

#: (offset, width, first, end) for 10 items of 10 px, and the half-open edges of the contract.
#: Source: react-window, lib/core/getStartStopIndices.test.ts.
MET = [
    (0, 100, 0, 10), (0, 40, 0, 4), (40, 40, 4, 8), (60, 40, 6, 10), (80, 40, 8, 10), (-20, 40, 0, 2),
    (-100, 100, 0, 0), (-100, 100.015625, 0, 1), (100, 50, 10, 10), (99.984375, 50, 9, 10), (10, 1, 1, 2),
    (9.984375, 1, 0, 2), (1000, 50, 10, 10),
]


@pytest.mark.parametrize("align, index, current, offset", ALIGNED)
def test_an_item_is_aligned_within_the_strip(server, align, index, current, offset):
    asked = {"strip": "tens", "width": "50", "align": align, "offset": str(current)}
    by_index = server.window(asked, index=str(index)).json()
    by_item = server.window(asked, item=f"t{index}").json()
    assert by_index["offset"] == offset
    assert by_index == by_item


@pytest.mark.parametrize("offset, width, first, end", MET)
def test_a_window_has_the_items_that_meet_it(server, offset, width, first, end):
    window = server.window(strip="tens", offset=repr(offset), width=repr(width)).json()
    assert (window["first"], window["end"]) == (first, end)
    assert [item["index"] for item in window["items"]] == list(range(first, end))


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


def test_start_is_the_default_alignment(server):
    for place in ({"index": "3"}, {"item": "t3"}):
        assert server.window(place, strip="tens", width="50").json()["offset"] == 30


def test_at_puts_an_item_at_an_offset_in_the_viewport(server):
    asked = {"strip": "tens", "width": "50", "index": "4"}
    for at, offset in [("0", 40), ("15.5", 24.5), ("40", 0), ("45", 0), ("-5", 45), ("-50", 50)]:
        assert server.window(asked, at=at).json()["offset"] == offset


def test_an_item_longer_than_the_viewport_is_aligned_by_the_same_rules(server):
    """`center` and `end` put the viewport inside the item; `nearest` aligns the starts."""
    asked = {"strip": "tens", "width": "5", "index": "4"}
    for align, offset in [("start", 40), ("end", 45), ("center", 42.5)]:
        assert server.window(asked, align=align).json()["offset"] == offset
    for current in ("0", "42", "90"):
        near = server.window(asked, align="nearest", offset=current).json()
        assert near["offset"] == 40


def test_center_is_rounded_down_to_a_sixty_fourth(server):
    asked = {"strip": "tens", "index": "4", "align": "center"}
    assert server.window(asked, width="5.015625").json()["offset"] == 42.484375
    assert server.window(asked, width="20.015625").json()["offset"] == 34.984375


def test_nearest_moves_the_shortest_distance(server):
    """t4 is at 40 to 50 px. A viewport of 12 px at 39 contains it. From 0 its end is nearer, from 90
    its start. A viewport of 8 px moves to its start.
    """
    asked = {"strip": "tens", "index": "4", "align": "nearest"}
    for width, current, offset in [
        ("12", "39", 39), ("12", "40", 40), ("12", "38", 38), ("12", "37.984375", 38), ("12", "40.015625", 40),
        ("12", "0", 38), ("12", "90", 40), ("8", "41", 40), ("10", "90", 40),
    ]:
        assert server.window(asked, width=width, offset=current).json()["offset"] == offset


def test_a_strip_shorter_than_the_viewport_is_at_0(server):
    for align in ("start", "center", "end", "nearest"):
        window = server.window(strip="tens", width="500", index="9", align=align).json()
        assert window["offset"] == 0


def test_an_offset_alone_is_not_changed(server):
    for offset in (-500, 95, 5000):
        window = server.window(strip="tens", width="50", offset=str(offset)).json()
        assert window["offset"] == offset


def test_a_wrapped_strip_repeats_at_both_ends(server):
    """With wrap the inset is 0, and the period of the ring is 140 px."""
    home = server.window(strip="ring", width="140").json()
    assert (home["extent"], home["wrap"], home["first"], home["end"]) == (140, True, 0, 5)
    for turn in (-1000, -1, 1, 7, 10**9):
        away = server.window(strip="ring", width="140", offset=str(140 * turn)).json()
        assert (away["first"], away["end"]) == (5 * turn, 5 * turn + 5)
        for here, there in zip(home["items"], away["items"]):
            assert there["id"] == here["id"]
            assert there["start"] == here["start"] + 140 * turn


def test_with_wrap_an_index_is_exactly_that_index(server):
    for index, offset in [(0, 0), (5, 140), (-5, -140), (-1, -38), (12, 321)]:
        window = server.window(strip="ring", width="50", index=str(index)).json()
        assert window["offset"] == offset
        assert window["items"][0]["index"] == index


def test_with_wrap_an_item_is_its_nearest_copy_or_the_earlier_of_two(server):
    """r2 starts at 41 px; 111 px is halfway to its next copy."""
    asked = {"strip": "ring", "width": "50", "item": "r2"}
    for offset, start in [("0", 41), ("111", 41), ("111.015625", 181), ("-29", -99), ("-28.9", 41)]:
        assert server.window(asked, offset=offset).json()["offset"] == start
    at = server.window(asked, offset="1400", at="11").json()
    assert at["offset"] == 1430


def test_wrap_overrides_the_loop_of_the_strip(server):
    straight = server.window(strip="ring", wrap="false").json()
    assert (straight["wrap"], straight["extent"]) == (False, 30 + 100 + 4 * 8 + 30)
    assert straight["items"][0]["start"] == 30
    bent = server.window(strip="tens", wrap="true", offset="-15", width="20").json()
    assert [item["id"] for item in bent["items"]] == ["t8", "t9", "t0"]
    assert [item["index"] for item in bent["items"]] == [-2, -1, 0]


def test_an_empty_window_names_the_item_after_its_left_edge(server):
    """In `mixed` the gap before a1 is 114.5 to 124.5 px."""
    window = server.window(strip="mixed", offset="116", width="5").json()
    assert (window["first"], window["end"], window["items"]) == (1, 1, [])
    assert window["group"] is None


def test_an_empty_strip_has_an_empty_window(server):
    window = server.window(strip="empty").json()
    assert (window["first"], window["end"], window["count"], window["extent"]) == (0, 0, 0, 14)
    assert (window["pools"], window["group"], window["items"]) == ({}, None, [])


def test_the_group_is_that_of_the_first_item_in_the_viewport_without_overscan(server):
    def group(**asked):
        return server.window(asked, strip="mixed").json()["group"]

    assert group(offset="0", width="100") == {"title": "1970", "first": 0, "end": 5, "start": 24.5}
    far = server.window(strip="mixed", index="7", width="100").json()
    assert far["group"] == {"title": "1971", "first": 7, "end": 11, "start": far["offset"]}
    seen = group(offset=str(far["offset"] + 1), width="100", overscan="500")
    assert seen["first"] == 7
    loner = server.window(strip="mixed", item="p1", width="100").json()
    assert loner["items"][0]["id"] == "p1"
    assert loner["group"] is None


def test_groups_do_not_join_across_the_wraparound(server):
    """The groups of the ring are a, a, a, b, b."""
    for turn in (0, 3, -2):
        window = server.window(strip="ring", index=str(5 * turn + 4)).json()
        assert window["group"] == {
            "title": "b",
            "first": 5 * turn + 3,
            "end": 5 * turn + 5,
            "start": 140 * turn + 69,
        }


def test_an_item_has_its_group_and_its_index_in_it(server):
    """Hidden items count: x1 is the fourth item of 1970."""
    items = server.window(strip="mixed", width="2000").json()["items"]
    groups = {item["id"]: item.get("group") for item in items}
    assert groups["h1"] == {"title": "1970", "index": 0}
    assert groups["a3"] == {"title": "1970", "index": 4}
    assert groups["p1"] is None
    assert groups["a5"] == {"title": "1971", "index": 3}
    far = server.window(strip="ring", index="-1", width="10").json()["items"]
    assert far[0]["group"] == {"title": "b", "index": 1}


def test_a_pool_is_rounded_up_to_the_ladder(server):
    for pool, rung in [(1, 8), (8, 8), (8.015625, 9), (15, 15), (15.5, 16), (17, 18), (800, 832)]:
        window = server.window(strip="tens", width="1", pool=repr(pool)).json()
        assert window["pool"] == rung
    assert server.window(strip="tens", width="800").json()["pool"] == 832
    assert server.window(strip="tens", width="800", overscan="48").json()["pool"] == 896
