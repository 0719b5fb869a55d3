"""Generates random strips and queries for the layouts list, grid and rows from a seed."""

from random import Random

import views_at_random
from at_random import FAR_PX, number
from model import lengths
from model.strips import Item, Strip
from model.vertical import LAWS, Refused, VerticalLayout
from model.windows import Window

#: Aspects at the limits of `rows`, and far beyond them.
EDGES = ["0.2", "0.19999", "0.2001", "5", "4.9999", "5.0001", "1000", "0.01", "0.002"]
KINDS = ["album", "b", "card", "heading", "k-9"]
COUNTS = [0, 1, 1, 2, 3, 5, 17, 60, 150, 400]
TITLES = [None, None, "A", "B", "\u00e9", "e\u0301"]


def item(rng: Random, id: str, profile: str, kinds: list[str], group: str | None) -> Item:
    """An item; one in ten is hidden."""
    match profile:
        case "squares":
            aspect, width = "1", None
        case "photographs":
            aspect, width = rng.choice(["1.5", "0.6667", "1.7778", number(rng, 0.4, 2.5)]), None
        case "rows of a table":
            aspect, width = None, rng.choice([None, "90"])
        case _:
            aspect = rng.choice([None, number(rng, 0.1, 3), number(rng, 0.1, 3), rng.choice(EDGES)])
            width = rng.choice([None, None, number(rng, 1, 300)])
    if rng.random() < 0.1:
        aspect, width = rng.choice([("0", "0"), ("0", None), (None, "0"), ("0.000001", None)])
    made = Item(id, rng.choice(kinds), aspect, width, group)
    return views_at_random.item(rng, made)


def items(rng: Random, prefix: str = "i", count: int | None = None) -> tuple[Item, ...]:
    """The items of a random strip, and as many as `count` says."""
    profile = rng.choice(["squares", "photographs", "rows of a table", "mixed", "mixed"])
    kinds = rng.sample(KINDS, rng.randrange(1, 5))
    often = rng.choice([0, 0.05, 0.3, 1])
    group, made = rng.choice(TITLES), []
    for index in range(rng.choice(COUNTS) if count is None else count):
        if rng.random() < often:
            group = rng.choice(TITLES)
        made.append(item(rng, f"{prefix}{index}", profile, kinds, group))
    return tuple(made)


def settings(rng: Random) -> dict:
    """Settings that layouts depend on, as attributes of the model's strip."""
    return dict(
        height=rng.choice(["16", "180", "180", "333.333", "1000"]),
        gap=rng.choice(["0", "0", "0.015625", "1", "8", "12.5", "33.34"]),
        inset=rng.choice(["0", "0", "0.5", "24"]),
        item_width=rng.choice(["160", "77.77", "300"]),
        layout=rng.choice(["strip", *LAWS]),
        item_height=rng.choice(["64", "0.5", "33.33", "0"]),
        item_heights=tuple((kind, rng.choice([None, None, "24", "0", "90.33"])) for kind in KINDS),
        cell_aspect=rng.choice(["1", "0.75", "1.3333", "0.1", "7"]),
        caption=rng.choice(["0", "0", "20", "48.5"]),
    )


def strip(seed: int, count: int | None = None) -> Strip:
    """The strip of a seed, which is in its name."""
    rng = Random(seed)
    made = items(rng, count=count)
    return Strip(f"seed-{seed}", made, **settings(rng), loop=rng.random() < 0.2)


def queries(strip: Strip, seed: int, count: int) -> list[dict[str, str]]:
    """Queries of a layout that the model answers."""
    rng = Random(seed)
    found: list[dict[str, str]] = []
    while len(found) < count:
        asked = query(strip, rng)
        if asked is not None and is_answerable(strip, asked):
            found.append(dict(rng.sample(list(asked.items()), len(asked))))
    return found


def query(strip: Strip, rng: Random) -> dict[str, str] | None:
    """A query, or None where the strip refuses its parameters."""
    asked = parameters(strip, rng)
    try:
        layout = LAWS[asked.get("layout", strip.layout)](strip, asked)
    except Refused:
        return None
    if rng.random() < 0.8:
        asked["offset"] = offset(layout, rng)
    if layout.count and rng.random() < 0.4:
        asked |= standing(layout, rng)
    if rng.random() < 0.1:
        absent = {"v", "have", "revision", "columns", "column", "row", "line", "cell", "caption", "heading"} - set(asked)
        asked[rng.choice(sorted(absent))] = ""
    return asked


def parameters(strip: Strip, rng: Random) -> dict[str, str]:
    """The parameters that decide the layout, its viewport and its pools."""
    law = rng.choice(list(LAWS))
    asked = {} if law == strip.layout and rng.random() < 0.5 else {"layout": law}
    if rng.random() < 0.9:
        asked["width"] = number(rng, 1, rng.choice([3, 400, 1500, 1500, 65536]))
    if law == "grid" and rng.random() < 0.7:
        if rng.random() < 0.5:
            asked["columns"] = str(rng.choice([1, 2, 3, 4, 5, 7, 12, rng.randrange(1, 4097)]))
        else:
            asked["column"] = number(rng, 1, rng.choice([10, 300, 300, 65536]))
    if law == "list" and rng.random() < 0.3:
        asked["line"] = number(rng, 1, 65536)
    if law == "grid" and rng.random() < 0.3:
        asked["cell"] = rng.choice(["0.01", "0.75", "1.3333", "100"])
    if law in ("list", "grid") and rng.random() < 0.3:
        asked["caption"] = number(rng, 0, rng.choice([1, 80, 65536]))
    if law == "rows" and rng.random() < 0.8:
        asked["row"] = number(rng, 1, rng.choice([5, 300, 300, 65536]))
    if rng.random() < 0.4:
        asked["heading"] = number(rng, 0, rng.choice([1, 80, 80, 65536]))
    if rng.random() < 0.6:
        asked["height"] = rng.choice(["16", "16384", number(rng, 16, 1200), number(rng, 16, 1200)])
    if rng.random() < 0.4:
        asked["overscan"] = number(rng, 0, rng.choice([1, 300, 300, 65536]))
    if rng.random() < 0.4:
        least = float(asked.get("height", strip.height)) + 2 * float(asked.get("overscan", "0"))
        asked["pool"] = number(rng, least + 0.1, min(262144, 4 * least + 1))
    if rng.random() < 0.1:
        asked["wrap"] = "false"
    return asked


def offset(layout: VerticalLayout, rng: Random) -> str:
    """An offset: anywhere, far away, or within 2/64 px of a row's edge."""
    where = rng.randrange(10)
    if where == 0:
        return rng.choice([str(FAR_PX), str(-FAR_PX), number(rng, -FAR_PX, FAR_PX)])
    if where < 6 and layout.rows:
        row = rng.choice(layout.rows)
        return lengths.decimal(rng.choice([row.top, row.end]) + rng.randrange(-2, 3))
    extent = layout.extent / 64
    return number(rng, -extent - 1000, 2 * extent + 1000)


def standing(layout: VerticalLayout, rng: Random) -> dict[str, str]:
    """The parameters to stand at an item, which may be hidden."""
    index = rng.randrange(layout.count)
    asked = {"index": str(index)} if rng.random() < 0.5 else {"item": layout.items[index].id}
    if "index" in asked and rng.random() < 0.3:
        asked |= {"index": rng.choice([asked["index"], "-1", str(layout.count + 7)]), "clamp": "true"}
    match rng.randrange(6):
        case 0:
            asked["at"] = number(rng, -500, 1500)
        case 1:
            pass
        case _:
            asked["align"] = rng.choice(["start", "center", "end", "nearest", "nearest"])
    return asked


def is_answerable(strip: Strip, asked: dict[str, str]) -> bool:
    """Whether the pool is as long as the window, and the position is allowed."""
    window = Window(strip, asked)
    stretch = window.viewport + 2 * window.overscan
    return lengths.px(asked.get("pool") or "262144") >= stretch and abs(window.offset) <= FAR_PX * 64


def operation(rng: Random, strip: Strip, turn: int) -> dict:
    """A random edit that can be applied, as an operation of the model."""
    ids = [item.id for item in strip.items]
    some = rng.sample(ids, min(len(ids), rng.randrange(1, 6)))
    others = [id for id in ids if id not in some]
    match rng.choice(["insert", "insert", "update", "update", "move", "remove"]) if ids else "insert":
        case "insert":
            new = items(rng, f"t{turn}-")[:20]
            if new:
                return {"op": "insert", "before": rng.choice([None, *ids]), "items": new}
        case "update":
            change = rng.choice(
                [
                    {"aspect": number(rng, 0.1, 6)},
                    {"aspect": None},
                    {"width": rng.choice(["0", "44.5"])},
                    {"group": rng.choice(TITLES)},
                    {"kind": rng.choice(["album", "b"])},
                ]
            )
            return {"op": "update", "id": rng.choice(ids), "set": change}
        case "move":
            return {"op": "move", "ids": some, "before": rng.choice([None, *others])}
        case _:
            return {"op": "remove", "ids": some}
    return {"op": "insert", "after": None, "items": [Item(f"t{turn}", aspect="1.25", group="A")]}
