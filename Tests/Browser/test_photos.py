"""The page of a folder while the folder is read."""

import ctypes.util
import os
import shutil
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from conftest import binary, serving

# Notes in each frame how far the cards that are in view now have moved.
WATCH_PLACES = """() => {
  const cards = () => [...document.querySelectorAll("#strip > ul > li[data-id]")];
  const places = new Map(cards().map((card) => [card.dataset.id, card.getBoundingClientRect()]).filter(([, { top, bottom }]) => top >= 0 && bottom <= innerHeight));
  window.moved = { px: 0, seen: places.size, frames: 0 };
  const look = () => {
    const now = new Map(cards().map((card) => [card.dataset.id, card.getBoundingClientRect()]));
    for (const [id, { left, top }] of places) {
      const { left: x, top: y } = now.get(id) ?? { left: Infinity, top: Infinity };
      const px = Math.max(Math.abs(x - left), Math.abs(y - top));
      if (px >= 0.5 && window.moved.px < 0.5) {
        const { offset, scrollTarget, isWaiting, meta } = document.querySelector("#strip");
        window.moved.first = { id, frame: window.moved.frames, x: x - left, y: y - top, offset, scrollTarget, isWaiting, count: meta.count };
      }
      window.moved.px = Math.max(window.moved.px, px);
    }
    window.moved.frames += 1;
    requestAnimationFrame(look);
  };
  look();
}"""
IN_VIEW = """(month) => {
  const shown = [...document.querySelectorAll("#strip > ul > li[data-id]")].filter((card) => card.getBoundingClientRect().top < innerHeight && card.getBoundingClientRect().bottom > 0);
  return shown.length > 5 && shown.every((card) => card.dataset.id.startsWith(month) && card.querySelector("img").complete);
}"""


def pictures(folder: Path, rng: Random, count: int, months: list[tuple[int, int]]):
    """Small pictures of random shapes in a folder."""
    folder.mkdir(parents=True)
    for k in range(count):
        exif = Image.Exif()
        year, month = rng.choice(months)
        exif.get_ifd(0x8769)[0x9003] = f"{year}:{month:02}:{rng.randrange(1, 29):02} 12:00:00"
        Image.new("RGB", (rng.randrange(40, 90), rng.randrange(40, 90)), rng.choice(["red", "navy", "teal"])).save(folder / f"{k}.jpg", exif=exif)


@pytest.mark.logic
def test_pictures_before_and_after_those_in_view_move_nothing(open_page, tmp_path):
    if not ctypes.util.find_library("vips") or not Path(binary()).with_name("carousel-pictures").is_file():
        pytest.skip("libvips42 is not installed, or carousel-pictures is not built")
    rng, folder, staged = Random(5), tmp_path / "pictures", tmp_path / "staged"
    others = [(year, month) for year in range(2008, 2024) for month in range(1, 13) if (year, month) != (2016, 6)]
    pictures(folder / "June", rng, 120, [(2016, 6)])
    pictures(folder / "others", rng, 150, others)
    for k in range(8):
        pictures(staged / f"{k}", rng, 50, others)
    with serving(folder, "--cache", tmp_path / "cache", command="photos") as address:
        # Pictures of a removed folder are missing. By default the page has headings if the pictures that are read have few short
        # groups. Without headings a group breaks no row, and an insertion before it moves its pictures from row to row.
        page = open_page(f"{address}/?strip=photos&heading=44", complains=True)
        counts = "(count) => document.querySelector('#strip').meta?.count === count"
        page.wait_for_function(counts, arg=270)
        page.evaluate("() => document.querySelector('#strip').scrollTo({ item: 'June/60.jpg', align: 'center' })")
        page.wait_for_function(IN_VIEW, arg="June/")
        page.evaluate(WATCH_PLACES)
        for k in range(8):
            os.rename(staged / f"{k}", folder / f"{k}")
            if k % 2:
                page.wait_for_function(counts, arg=320 + 50 * k)
        shutil.rmtree(folder / "3")
        page.wait_for_function(counts, arg=620)
        frames = page.evaluate("() => window.moved.frames")
        page.wait_for_function("(frames) => window.moved.frames > frames + 3", arg=frames)
        moved = page.evaluate("() => window.moved")
        assert moved["px"] < 0.5 and moved["seen"] > 5, moved
