#!/usr/bin/env python3
"""Draws the sample that the project ships: a cabinet of plane curves.

Writes Samples/curves.csv and a picture for each row below Public/samples/curves. Everything is
computed from formulas, so that running it again writes the same bytes:

    python3 Samples/curves.py
"""

import csv
import math
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "Public" / "samples" / "curves"
TAU = 2 * math.pi
HEIGHT = 240
MARGIN = 22

# Family: who studied it and when, paper, ink.
FAMILIES = {
    "Spirals": ("Archimedes, 3rd century BC", "#f3ead7", "#8a5a1f"),
    "Star polygons": ("Thomas Bradwardine, 14th century", "#eef0e2", "#4f6b2d"),
    "Limaçons": ("Albrecht Dürer, 1525", "#f6e8e2", "#a3452c"),
    "Trochoids": ("Galileo Galilei, 1599", "#e6eef2", "#2d617a"),
    "Epicycloids": ("Ole Rømer, 1674", "#ece8f3", "#5b4693"),
    "Hypocycloids": ("Ole Rømer, 1674", "#f3e6ee", "#93386b"),
    "Cassini ovals": ("Giovanni Domenico Cassini, 1680", "#e3efe9", "#1f6b56"),
    "Roses": ("Guido Grandi, 1723", "#f7e5e8", "#a82c4c"),
    "Lissajous figures": ("Nathaniel Bowditch, 1815", "#e4ebf5", "#2c4f93"),
    "Superellipses": ("Gabriel Lamé, 1818", "#f0ece0", "#6b5a24"),
    "Hypotrochoids": ("Bruno Abakanowicz, 19th century", "#e5f0f0", "#1f6670"),
    "Maurer roses": ("Peter Maurer, 1987", "#efe6f2", "#6f3a86"),
}


# Curves that somebody else studied than the rest of their family.
STUDIED = {
    "Fermat's spiral": "Pierre de Fermat, 1636",
    "Logarithmic spiral": "René Descartes, 1638",
    "Hyperbolic spiral": "Pierre Varignon, 1704",
    "Lituus": "Roger Cotes, 1722",
    "Galilean spiral": "Galileo Galilei, 17th century",
    "Lemniscate of Bernoulli": "Jakob Bernoulli, 1694",
}


def smooth(point, start, end, pieces):
    """The curve of `point` as cubic pieces: each has the curve's own tangents at its ends."""
    step = (end - start) / pieces
    nudge = step * 1e-4
    path = []
    for piece in range(pieces + 1):
        t = start + piece * step
        x, y = point(t)
        (ax, ay), (bx, by) = point(t - nudge), point(t + nudge)
        path.append((x, y, (bx - ax) / (2 * nudge) * step / 3, (by - ay) / (2 * nudge) * step / 3))
    return path


def corners(points):
    """The lines from point to point, as pieces without a tangent."""
    return [(x, y, None, None) for x, y in points]


def polar(radius):
    return lambda t: (radius(t) * math.cos(t), radius(t) * math.sin(t))


def coprime(a, b):
    return math.gcd(a, b) == 1


def number(value):
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def joined(values):
    """Numbers as short as a path allows: a minus sign parts two as well as a space."""
    return "".join(v if v.startswith("-") or i == 0 else " " + v for i, v in enumerate(map(number, values)))


def drawing(path, width, paper, ink, stretched, filled, stroke):
    """An SVG picture of a path, fitted into the paper; stretched in both directions if asked."""
    xs, ys = [p[0] for p in path], [p[1] for p in path]
    spans = max(max(xs) - min(xs), 1e-9), max(max(ys) - min(ys), 1e-9)
    scales = (width - 2 * MARGIN) / spans[0], (HEIGHT - 2 * MARGIN) / spans[1]
    if not stretched:
        scales = (min(scales),) * 2
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    at = lambda x, y: (width / 2 + (x - middle[0]) * scales[0], HEIGHT / 2 - (y - middle[1]) * scales[1])
    x, y = (round(v, 1) for v in at(*path[0][:2]))
    data = "M" + joined((x, y))
    for before, piece in zip(path, path[1:]):
        end = at(*piece[:2])
        if piece[2] is None:
            data += "l" + joined((end[0] - x, end[1] - y))
        else:
            start = at(*before[:2])
            first = start[0] + before[2] * scales[0] - x, start[1] - before[3] * scales[1] - y
            second = end[0] - piece[2] * scales[0] - x, end[1] + piece[3] * scales[1] - y
            data += "c" + joined((*first, *second, end[0] - x, end[1] - y))
        # What is rounded away here is made up for by the next piece.
        x, y = x + round(end[0] - x, 1), y + round(end[1] - y, 1)
    fill = f'fill="{ink}" fill-opacity=".16" fill-rule="evenodd"' if filled else 'fill="none"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}">'
        f'<path fill="{paper}" d="M0 0h{width}v{HEIGHT}H0z"/>'
        f'<path {fill} stroke="{ink}" stroke-width="{stroke}" stroke-linejoin="round" d="{data}"/></svg>\n'
    )


def curves():
    """Each curve: family, title, equation, pieces, width of the paper, stretched?, filled?"""
    square = HEIGHT

    spirals = [
        ("Archimedean spiral", "r = θ", lambda t: t, 0, 6 * TAU),
        ("Fermat's spiral", "r² = θ", lambda t: math.sqrt(t), 0.02, 8 * TAU),
        ("Logarithmic spiral", "r = e^(θ/8)", lambda t: math.exp(t / 8), -1.5 * TAU, 3 * TAU),
        ("Hyperbolic spiral", "r = 1/θ", lambda t: 1 / t, 0.5, 6 * TAU),
        ("Lituus", "r² = 1/θ", lambda t: 1 / math.sqrt(t), 0.3, 8 * TAU),
        ("Galilean spiral", "r = θ²", lambda t: t * t, 0, 4 * TAU),
    ]
    for title, equation, radius, start, end in spirals:
        yield "Spirals", title, equation, smooth(polar(radius), start, end, 120), square, False, False

    for n in range(5, 21):
        for k in range(2, (n + 1) // 2):
            if coprime(n, k):
                points = [(math.sin(TAU * k * i / n), math.cos(TAU * k * i / n)) for i in range(n + 1)]
                equation = f"every {ordinal(k)} of {n} points"
                yield "Star polygons", f"{{{n}/{k}}}", equation, corners(points), square, False, True

    for a, name in [(0.5, ""), (0.75, ""), (1, "Cardioid"), (1.5, ""), (2, "Trisectrix"), (3, "")]:
        title = name or f"Limaçon {number(1 / a) if a < 1 else number(a)}{' dimpled' if a < 1 else ''}"
        radius = lambda t, a=a: 1 + a * math.cos(t)
        equation = f"r = 1 + {'' if a == 1 else a:g} cos θ".replace("  ", " ") if a != 1 else "r = 1 + cos θ"
        yield "Limaçons", title, equation, smooth(polar(radius), 0, TAU, 32), square, False, True

    for turns in (2, 3, 4):
        for name, b in [("Curtate cycloid", 0.5), ("Cycloid", 1), ("Prolate cycloid", 1.8)]:
            point = lambda t, b=b: (t - b * math.sin(t), 1 - b * math.cos(t))
            path = smooth(point, 0, turns * TAU, 16 * turns)
            equation = f"x = t − {'' if b == 1 else f'{b:g} '}sin t, y = 1 − {'' if b == 1 else f'{b:g} '}cos t"
            title = f"{name}, {turns} arches"
            yield "Trochoids", title, equation, path, 200 * turns, False, False

    for family, sign in [("Epicycloids", 1), ("Hypocycloids", -1)]:
        for q in range(1, 5):
            for p in range(1, 10):
                if not coprime(p, q) or sign < 0 and p <= 2 * q:
                    continue
                k = p / q
                point = lambda t, k=k: (
                    (k + sign) * math.cos(t) - sign * math.cos((k + sign) * t) if sign > 0
                    else (k - 1) * math.cos(t) + math.cos((k - 1) * t),
                    (k + sign) * math.sin(t) - math.sin((k + sign) * t) if sign > 0
                    else (k - 1) * math.sin(t) - math.sin((k - 1) * t),
                )
                names = {(1, 1, 1): "Cardioid", (1, 2, 1): "Nephroid", (1, 5, 1): "Ranunculoid",
                         (-1, 3, 1): "Deltoid", (-1, 4, 1): "Astroid"}
                title = names.get((sign, p, q), f"{family[:-1]} {ratio(p, q)}")
                where = "around" if sign > 0 else "within"
                equation = f"a circle rolls {where} one {ratio(p, q)} times as large"
                yield family, title, equation, smooth(point, 0, q * TAU, 12 * p + 4 * q), square, False, True

    lemniscate = lambda t: (
        math.cos(t) / (1 + math.sin(t) ** 2), math.sin(t) * math.cos(t) / (1 + math.sin(t) ** 2))
    ovals = [(1, "Lemniscate of Bernoulli", lemniscate)]
    for b, title in [(1.02, "Waisted oval"), (1.1, "Cassini's oval"), (1.2, "Shallow oval"), (2**0.5, "Convex oval")]:
        radius = lambda t, b=b: math.sqrt(math.sqrt(b**4 - math.sin(2 * t) ** 2) + math.cos(2 * t))
        ovals.append((b, title, polar(radius)))
    for b, title, point in ovals:
        equation = f"distances to two points, multiplied: {b * b:.3g}"
        yield "Cassini ovals", title, equation, smooth(point, 0, TAU, 64), 400, False, True

    for n in range(1, 9):
        for d in range(1, 8):
            if coprime(n, d) and (n, d) != (1, 1):
                k = n / d
                turns = d if n % 2 and d % 2 else 2 * d
                path = smooth(polar(lambda t, k=k: math.cos(k * t)), 0, turns * TAU / 2, 12 * max(n, d) + 4 * d)
                yield "Roses", f"Rose {ratio(n, d)}", f"r = cos {ratio(n, d)} θ", path, square, False, True

    for b in range(2, 9):
        for a in range(1, b):
            if coprime(a, b):
                for phase, name in [(0.5, ""), (0.25, ", shifted")]:
                    point = lambda t: (math.sin(b * t + phase * math.pi), math.sin(a * t))
                    width = min(max(HEIGHT * b // a, 300), 720) // 20 * 20
                    equation = f"x = sin({b}t + π/{round(1 / phase)}), y = sin {'' if a == 1 else a}t"
                    title = f"Lissajous {b} : {a}{name}"
                    path = smooth(point, 0, TAU, 10 * b)
                    yield "Lissajous figures", title, equation, path, width, True, False

    for exponent, name in [(0.5, ""), (2 / 3, ""), (1, ""), (1.5, ""), (2, ""), (2.5, ""), (4, ""), (8, "")]:
        for width, shape in [(square, ""), (360, "long ")]:
            special = {0.5: "star", 1: "rhombus", 2: "ellipse", 2.5: "Hein's superellipse", 4: "squircle"}
            power = lambda v, e=exponent: math.copysign(abs(v) ** (2 / e), v)
            points = [(power(math.cos(t * TAU / 180)), power(math.sin(t * TAU / 180))) for t in range(181)]
            label = "2/3" if exponent == 2 / 3 else f"{exponent:g}"
            what = special.get(exponent, f"superellipse {label}")
            title = (shape + what)[0].upper() + (shape + what)[1:]
            yield "Superellipses", title, f"|x|^{label} + |y|^{label} = 1", corners(points), width, True, True

    for large, small in [(5, 3), (7, 2), (7, 3), (8, 3), (8, 5), (9, 4), (10, 3), (11, 4), (12, 5), (13, 6)]:
        for pen in (0.4, 0.7, 1.3, 1.8):
            k = (large - small) / small
            point = lambda t: (
                (large - small) * math.cos(t) + pen * small * math.cos(k * t),
                (large - small) * math.sin(t) - pen * small * math.sin(k * t),
            )
            title = f"Wheel of {small} in a ring of {large}, pen at {pen:g}"
            path = smooth(point, 0, small * TAU, 14 * large)
            yield "Hypotrochoids", title, f"R = {large}, r = {small}, d = {pen * small:g}", path, square, False, True

    for n in range(2, 8):
        for d in (29, 31, 47, 71, 97):
            points = [
                (math.sin(math.radians(n * d * i)) * math.cos(math.radians(d * i)),
                 math.sin(math.radians(n * d * i)) * math.sin(math.radians(d * i)))
                for i in range(361)
            ]
            title = f"Maurer rose {n}, {d}°"
            yield "Maurer roses", title, f"r = sin {n}θ, every {d}°", corners(points), square, False, True


def ratio(p, q):
    return str(p) if q == 1 else f"{p}/{q}"


def ordinal(n):
    return {2: "2nd", 3: "3rd"}.get(n, f"{n}th")


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.svg"):
        old.unlink()
    rows = []
    for place, (family, title, equation, path, width, stretched, filled) in enumerate(curves(), start=1):
        studied, paper, ink = FAMILIES[family]
        name = f"c{place:03}"
        # A Maurer rose is 360 lines: as thin as hair.
        stroke = 0.5 if family == "Maurer roses" else 1.6
        (PICTURES / f"{name}.svg").write_text(drawing(path, width, paper, ink, stretched, filled, stroke))
        rows.append([name, title, equation, family, STUDIED.get(title, studied), width, HEIGHT, f"/samples/curves/{name}.svg",
                     f"{title}: {equation}", paper])
    order = {family: place for place, family in enumerate(FAMILIES)}
    rows.sort(key=lambda row: order[row[3]])
    with open(ROOT / "Samples" / "curves.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "title", "equation", "family", "studied", "width", "height", "picture", "alt", "color"])
        table.writerows(rows)
    print(f"{len(rows)} curves")


if __name__ == "__main__":
    main()
