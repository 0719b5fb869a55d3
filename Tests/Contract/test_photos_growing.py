"""The strip of a folder while it is read: each window is that of a naive model."""

import json
import os
import shutil
from decimal import Decimal
from random import Random

import pytest

from at_random import number
from model.strips import Item, Strip
from model.windows import Window
from photos import Wall, needs_libvips, picture

SEEDS = range(1, 4)
FOLDERS = 6


def made(rng: Random, staged) -> list[Item]:
    """Writes pictures of random dates and shapes; returns what the contract says of them, in its order."""
    pictures = []
    for k in range(20 * FOLDERS):
        size = (rng.randrange(8, 60), rng.randrange(8, 60))
        taken = f"{rng.randrange(2015, 2018)}:{rng.randrange(1, 13):02}:{rng.randrange(1, 29):02} {rng.randrange(24):02}:00:00"
        name = f"{k % FOLDERS}/{rng.randrange(10**9)}.jpg"
        picture(staged / name, size, taken=taken)
        aspect = str(Decimal(size[0]) / Decimal(size[1]))
        pictures.append((taken, Item(name, aspect=aspect, group=taken[:7].replace(":", "-"))))
    pictures.sort(key=lambda one: one[1].id)
    pictures.sort(key=lambda one: one[0], reverse=True)
    return [item for _, item in pictures]


@pytest.mark.parametrize("seed", SEEDS)
def test_each_window_of_a_folder_that_is_read_is_that_of_the_model(tmp_path, seed):
    needs_libvips()
    rng, folder, staged = Random(seed), tmp_path / "pictures", tmp_path / "staged"
    folder.mkdir()
    model = made(rng, staged)
    with Wall(folder, tmp_path / "cache") as wall:
        for k in range(FOLDERS):
            os.rename(staged / str(k), folder / str(k))
            matches(wall, model, rng, seed)
        wall.wait(lambda: matches(wall, model, rng, seed) == len(model))
        shutil.rmtree(folder / "1")
        kept = [item for item in model if not item.id.startswith("1/")]
        wall.wait(lambda: matches(wall, model, rng, seed) == len(kept))
        assert list(wall.items()) == [item.id for item in kept]


def matches(wall: Wall, model: list[Item], rng: Random, seed: int) -> int:
    """Compares random windows with those of the model, for the items that the strip has now. Returns their number."""
    all_items = wall.items()
    items = [item for item in model if item.id in all_items]
    assert list(all_items) == [item.id for item in items], seed
    strip = Strip("photos", tuple(items), layout="rows", gap="4")
    for _ in range(5):
        asked = {"width": number(rng, 100, 1500), "height": number(rng, 100, 1200), "heading": rng.choice(["0", "44"])}
        asked["offset"] = number(rng, -100, 16000)
        answer = wall.window(strip="photos", **asked).json()
        if answer["count"] == len(items):
            expected = json.loads(Window(strip, asked).json(answer["revision"]))
            assert without_fields(answer) == without_fields(expected), (seed, asked)
    return len(items)


def without_fields(window: dict) -> dict:
    return {**window, "items": [{**item, "fields": None} for item in window["items"]]}
