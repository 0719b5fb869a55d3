"""The five consequences of the slot law in the contract."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

import at_random
from command import import_lines, imported
from model.layouts import Layout
from model.lengths import decimal, px
from model.slots import Slots
from model.strips import Item, Strip
from server import Server

# Slots follow from the layout, which is the same in every store.
pytestmark = pytest.mark.one_store


def crowd(name: str, seed: int, loop: bool) -> Strip:
    """A strip of 60 items of three kinds, some hidden, none of size 0."""
    rng = Random(seed)
    items = []
    for index in range(60):
        wide, width = rng.choice(
            [("0.5", None), ("1", "3.5"), (None, "44.25"), (None, "120"), ("2", None)]
        )
        if rng.random() < 0.1:
            wide, width = "0", None
        items.append(Item(f"i{index}", rng.choice(["album", "heading", "note"]), wide, width))
    return Strip(name, tuple(items), gap=rng.choice(["0", "10", "0.015625"]), loop=loop)


STRIPS = [
    crowd("road", 1, False),
    crowd("ring", 2, True),
    crowd("track", 3, False),
    crowd("wheel", 4, True),
]


@pytest.fixture(scope="module")
def crowd_database(store, tmp_path_factory):
    return imported(store(tmp_path_factory.mktemp("slots")), *STRIPS)


@pytest.fixture(scope="module")
def crowded(crowd_database):
    with Server("--database", crowd_database) as running:
        yield running


def sweep(server, strip: Strip, width: str, pool: str, overscan: str = "0", steps: int = 120):
    """Windows of one pool, at offsets from before the strip to after it, or over six periods."""
    layout = Layout(strip, px(strip.height), strip.loop)
    low, high = (-3 * layout.period, 3 * layout.period) if strip.loop else (-6400, layout.extent)
    for step in range(steps):
        offset = decimal(low + (high - low) * step // steps)
        yield server.window(
            strip=strip.name, offset=offset, width=width, pool=pool, overscan=overscan
        ).json()


@pytest.mark.parametrize("strip", STRIPS, ids=lambda strip: strip.name)
@pytest.mark.parametrize(
    "width, overscan", [("300", "0"), ("100.5", "77"), ("1000", "0"), ("8", "0")]
)
def test_1_no_two_items_in_one_window_share_a_slot(crowded, strip, width, overscan):
    least = decimal(px(width) + 2 * px(overscan))
    for window in sweep(crowded, strip, width, least, overscan, steps=60):
        slots = [item["slot"] for item in window["items"]]
        assert len(set(slots)) == len(slots), window
        for item in window["items"]:
            kind, _, number = item["slot"].rpartition("-")
            assert kind == item["kind"]
            assert 0 <= int(number) < window["pools"][kind]


@pytest.mark.parametrize("strip", STRIPS, ids=lambda strip: strip.name)
def test_2_an_item_keeps_its_slot_while_a_viewport_moves_over_it(crowded, strip):
    seen: dict[int, str] = {}
    for width, overscan in [("300", "0"), ("200", "50"), ("37", "1")]:
        for window in sweep(crowded, strip, width, "300", overscan, steps=80):
            for item in window["items"]:
                assert seen.setdefault(item["index"], item["slot"]) == item["slot"], item
    assert len(seen) >= 50


@pytest.mark.parametrize("strip", STRIPS, ids=lambda strip: strip.name)
def test_3_each_pool_is_needed_somewhere(crowded, strip):
    """At a stretch and height of the ladder, some window needs all slots of a pool.

    The window is 2/64 px longer than the stretch.
    """
    height, stretch = "176", "416"
    window = crowded.window(strip=strip.name, height=height, width=stretch).json()
    assert window["pool"] == 416
    layout = Layout(strip, px(height), strip.loop)
    slots = Slots(strip, px(height), px(stretch), strip.loop)
    for kind, pool in window["pools"].items():
        widest = 0
        for rank in range(len(slots.shown[kind])):
            first = slots.of_rank(kind, rank)
            shown = crowded.window(
                strip=strip.name,
                height=height,
                offset=decimal(layout.end(first) - 1),
                width=decimal(px(stretch) + 2),
                pool="1000",
            ).json()
            of_kind = [item["index"] for item in shown["items"] if item["kind"] == kind]
            assert of_kind[0] == first
            widest = max(widest, len(of_kind))
        assert pool <= widest <= pool + 1, kind


def test_4_any_server_asked_anything_in_any_order_gives_the_same_answer(crowded, crowd_database):
    strip = STRIPS[1]
    asked = at_random.queries(strip, 4, 60)
    first = [crowded.window(one, strip=strip.name).body for one in asked]
    with Server("--database", crowd_database) as other:
        order = list(range(len(asked)))
        Random(5).shuffle(order)
        for place in order:
            assert other.window(asked[place], strip=strip.name).body == first[place]


def test_4_several_threads_at_once_get_equal_bytes(crowded):
    strip = STRIPS[3]
    asked = at_random.queries(strip, 6, 40)
    alone = [crowded.window(one, strip=strip.name).body for one in asked]

    def ask_all(seed: int) -> list[bytes]:
        order = list(range(len(asked)))
        Random(seed).shuffle(order)
        got = {place: crowded.window(asked[place], strip=strip.name).body for place in order}
        return [got[place] for place in range(len(asked))]

    with ThreadPoolExecutor(8) as threads:
        for answers in threads.map(ask_all, range(8)):
            assert answers == alone


def test_5_an_edit_changes_a_pool_only_through_the_items_around_it(database, serving):
    """Items appended at a distance above the stretch do not change the other pools."""
    strip = STRIPS[0]
    imported(database, strip)
    before = serving("--database", database).window(strip=strip.name).json()["pools"]
    tail = [Item("far", "space", width="90000"), Item("end", "album", width="50")]
    run = import_lines(database, strip.with_items(tail), "--append")
    assert run.returncode == 0, run.stderr
    after = serving("--database", database).window(strip=strip.name).json()["pools"]
    assert after == {**before, "space": 1}
