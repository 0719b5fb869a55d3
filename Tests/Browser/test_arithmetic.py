"""The cards of the page are at the positions that the server computes."""

from itertools import product

import pytest

pytestmark = pytest.mark.alone

BILLION = 1_000_000_000


def test_slots_are_those_of_the_servers_window(open_strip):
    strip = open_strip("billion")
    strip.scroll(3)
    pool = strip.figures["pool"]
    window = strip.window(offset=strip.offset, width=strip.width, pool=pool)
    named = {item["id"]: item["slot"] for item in window["items"]}
    for card in strip.visible():
        assert card["slot"] == named[card["id"]]
    slots = strip.evaluate("(strip) => [...strip.querySelectorAll('li:not([hidden])')].map((node) => node.dataset.slot)")
    assert len(set(slots)) == len(slots)


def test_a_jump_ends_at_the_servers_offset(open_strip):
    strip = open_strip("billion")
    for align, index in product(["start", "center", "end", "nearest"], [0, BILLION - 1, 1, 5_000, 499_999_999, BILLION - 2]):
        place = strip.window(index=index, align=align, offset=strip.offset, width=strip.width)
        strip.scroll_to(index=index, align=align)
        assert abs(strip.offset - place["offset"]) <= 1, (align, index)
        strip.must_be_right()


def test_the_scrubber_reaches_every_place(open_strip):
    strip = open_strip("billion")
    greatest = strip.evaluate("(strip) => strip.maxOffset")
    strip.page.locator("#scrubber").fill("0.25")
    strip.settle()
    assert strip.offset == pytest.approx(greatest / 4, abs=1)
    strip.must_be_right()


def test_the_jump_field_counts_items_from_1(open_strip):
    strip = open_strip("billion", "&xray")
    strip.page.get_by_label("Go to item").fill("987654322")
    strip.page.get_by_role("button", name="Go").click()
    strip.page.wait_for_selector("li[data-index='987654321']")
    strip.settle()
    strip.must_be_right()
