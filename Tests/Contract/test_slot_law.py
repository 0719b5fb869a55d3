"""The fourth consequence of the slot law: windows depend on nothing that was asked before.

`SlotTests` in Swift has all five. The windows at random have the slots of the model.
"""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

import at_random
from command import imported
from model.strips import Item, Strip
from server import Server

# Slots follow from the layout, which is the same in every store.
pytestmark = pytest.mark.one_store


def crowd(name: str, seed: int, loop: bool) -> Strip:
    """A strip of 60 items of three kinds, some hidden, none of size 0."""
    rng = Random(seed)
    items = []
    for index in range(60):
        wide, width = rng.choice([("0.5", None), ("1", "3.5"), (None, "44.25"), (None, "120"), ("2", None)])
        if rng.random() < 0.1:
            wide, width = "0", None
        items.append(Item(f"i{index}", rng.choice(["album", "heading", "note"]), wide, width))
    return Strip(name, tuple(items), gap=rng.choice(["0", "10", "0.015625"]), loop=loop)


STRIPS = [crowd("road", 1, False), crowd("ring", 2, True), crowd("track", 3, False), crowd("wheel", 4, True)]


@pytest.fixture(scope="module")
def crowd_database(store, tmp_path_factory):
    return imported(store(tmp_path_factory.mktemp("slots")), *STRIPS)


@pytest.fixture(scope="module")
def crowded(crowd_database):
    with Server("--database", crowd_database) as running:
        yield running


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
