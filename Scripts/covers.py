#!/usr/bin/env python3
"""Draws the covers of the built-in albums: Public/covers/a0.svg ... a49.svg.

The covers are abstract and distinct. A cover depends only on its number, so each run draws the same
covers. The repository contains the drawings, so no other script runs this one.
"""

from math import cos, pi, sin
from pathlib import Path
from random import Random

SIDE = 360  # user units of a cover's side
COUNT = 50
PALETTES = [  # ground, then three inks
    ("#f2e8d5", "#d1495b", "#edae49", "#30638e"),
    ("#1d2b3a", "#f4d35e", "#ee964b", "#f95738"),
    ("#e8ece4", "#2f4b3c", "#86a873", "#d9a05b"),
    ("#2b2238", "#e56b6f", "#eaac8b", "#6d597a"),
    ("#f7f3ee", "#1f1f24", "#c8553d", "#8d99ae"),
    ("#0f3d3e", "#e2dcc8", "#f1a208", "#5fa8a0"),
    ("#fbe9d0", "#244855", "#e64833", "#90aead"),
    ("#33312e", "#d8cfc0", "#a86f4b", "#7d8f69"),
    ("#dfe7ef", "#13315c", "#ef8354", "#8da9c4"),
    ("#45132b", "#f6bd60", "#f28482", "#84a59d"),
]


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def circle(x, y, r, ink, more=""):
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{ink}"{more}/>'


def box(x, y, width, height, ink, more=""):
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect {place} fill="{ink}"{more}/>'


def path(d, ink, more=""):
    return f'<path d="{d}" fill="{ink}"{more}/>'


def points(pairs):
    return "L".join(f"{number(x)} {number(y)}" for x, y in pairs)


def horizon(dice, inks):
    level = dice.uniform(190, 260)
    yield circle(dice.uniform(110, 250), level - dice.uniform(10, 70), dice.uniform(55, 85), inks[1])
    for step in range(4):
        y = level + step * (SIDE - level) / 4
        yield box(0, y, SIDE, SIDE - y, inks[0 if step % 2 else 2], f' opacity="{number(0.55 + step * 0.15)}"')


def rings(dice, inks):
    x, y = dice.uniform(80, 280), dice.uniform(80, 280)
    for step in range(8, 0, -1):
        yield circle(x, y, step * dice.uniform(25, 29), inks[step % 3])


def quarters(dice, inks):
    cells = dice.choice([3, 4])
    side = SIDE / cells
    for row in range(cells):
        for column in range(cells):
            turn = dice.randrange(4) * 90
            x, y, r = column * side, row * side, number(side)
            at = f"{number(x + side / 2)} {number(y + side / 2)}"
            d = f"M{number(x)} {number(y)}h{r}a{r} {r} 0 0 1 -{r} {r}z"
            if dice.random() < 0.85:
                yield path(d, dice.choice(inks), f' transform="rotate({turn} {at})"')


def ridges(dice, inks):
    yield circle(dice.uniform(70, 290), dice.uniform(70, 120), dice.uniform(25, 45), inks[1])
    for step, ink in enumerate((inks[2], inks[0], inks[1], inks[2])):
        base = 150 + step * 52
        tops = [(x * 60, base + dice.uniform(-34, 34)) for x in range(7)]
        yield path(f"M0 360L{points(tops)}L360 360z", ink, ' opacity="0.9"')


def stripes(dice, inks):
    lean = dice.choice([-38, -20, 24, 45])
    yield f'<g transform="rotate({lean} 180 180)">'
    x = -120.0
    while x < 480:
        width = dice.choice([8, 14, 24, 40, 56])
        yield box(x, -120, width, 600, dice.choice(inks))
        x += width + dice.choice([6, 12, 26])
    yield "</g>"


def dots(dice, inks):
    cx, cy = dice.uniform(60, 300), dice.uniform(60, 300)
    for row in range(9):
        for column in range(9):
            x, y = 20 + column * 40, 20 + row * 40
            far = ((x - cx) ** 2 + (y - cy) ** 2) ** 0.5
            yield circle(x, y, max(2, 18 - far / 18), inks[0 if far < 130 else 1])


def waves(dice, inks):
    length = dice.choice([60, 90, 120])
    for step in range(7):
        y = 40 + step * 48
        rise = dice.uniform(14, 34)
        half = number(length / 2)
        d = f"M-{length} {number(y)}" + f"q{number(length / 4)} -{number(rise)} {half} 0t{half} 0" * 1
        d += f"t{half} 0" * int(2 * (SIDE + length) / length)
        yield path(f"{d}V360H-{length}z", inks[step % 3], ' opacity="0.85"')


def petals(dice, inks):
    count = dice.choice([6, 8, 10, 12])
    for step in range(count):
        turn = number(360 / count * step)
        yield (
            f'<ellipse cx="180" cy="105" rx="{number(dice.uniform(24, 36))}" ry="78" '
            f'fill="{inks[step % 2]}" opacity="0.8" transform="rotate({turn} 180 180)"/>'
        )
    yield circle(180, 180, dice.uniform(22, 38), inks[2])


def arcs(dice, inks):
    side = dice.choice([0, 360])
    for step in range(6):
        r = 320 - step * 48
        yield circle(side, 360, r, inks[step % 3])
    yield circle(360 - side + (60 if side == 0 else -60) * -1, dice.uniform(60, 110), 34, inks[0])


def facets(dice, inks):
    hub = (dice.uniform(120, 240), dice.uniform(120, 240))
    rim = [(180 + 300 * cos(a * pi / 5), 180 + 300 * sin(a * pi / 5)) for a in range(10)]
    for step in range(10):
        triangle = points([hub, rim[step], rim[(step + 1) % 10]])
        yield path(f"M{triangle}z", inks[step % 3], f' opacity="{number(dice.choice([0.4, 0.6, 0.8, 1]))}"')


DRAWINGS = [horizon, rings, quarters, ridges, stripes, dots, waves, petals, arcs, facets]


def cover(index):
    dice = Random(index * 7919 + 17)
    ground, *inks = PALETTES[(index * 3 + index // 10) % len(PALETTES)]
    turn = index // 10 % 3
    inks = inks[turn:] + inks[:turn]
    shapes = "".join(DRAWINGS[index % len(DRAWINGS)](dice, inks))
    frame = f'viewBox="0 0 {SIDE} {SIDE}" width="{SIDE}" height="{SIDE}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>'
        f"{box(0, 0, SIDE, SIDE, ground)}{shapes}</svg>\n"
    )


if __name__ == "__main__":
    folder = Path(__file__).resolve().parent.parent / "Public" / "covers"
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(COUNT):
        (folder / f"a{index}.svg").write_text(cover(index), encoding="utf-8")
