"""Generates random strips and queries from a seed, often at the limits of the allowed values."""

from random import Random

from model import lengths
from model.layouts import Layout
from model.strips import Item, Strip, quoted
from model.windows import NotFound, Window

MOST_ITEMS = 4096
#: The largest offset: no item near it is beyond 2^47 px.
FAR_PX = 2**46


def number(rng: Random, low: float, high: float) -> str:
    """A number within bounds: an integer, a multiple of 1/64, another number, or a number with an
    exponent."""
    value = rng.uniform(low, high)
    match rng.randrange(5):
        case 0:
            spelled = str(round(value))
        case 1:
            spelled = lengths.decimal(round(value * 64))
        case 2:
            spelled = f"{value:.{rng.randrange(1, 10)}f}"
        case 3:
            spelled = f"{value:.{rng.randrange(1, 12)}{rng.choice('eE')}}"
        case _:
            # Halfway between two multiples of 1/64: tests rounding.
            spelled = repr((round(value * 64) + 0.5) / 64)
    return spelled if low <= float(spelled) <= high else lengths.decimal(round(low * 64))


def size(rng: Random, profile: str) -> tuple[str | None, str | None]:
    """The aspect and the width of an item."""
    match profile:
        case "grains":
            return rng.choice([(None, "0.015625"), (None, "0.02"), ("0.00001", None), ("0.0004", "0")])
        case "giants":
            return rng.choice([(None, "100000"), ("1000", "100000"), (None, "99999.99"), ("3", None)])
        case "covers":
            return number(rng, 0.25, 4), None
        case "bars":
            return None, number(rng, 20, 300)
        case "equal":
            return "1", None
    return rng.choice(
        [
            (number(rng, 0, 3), None),
            (None, number(rng, 0, 200)),
            (number(rng, 0.1, 2), number(rng, 0, 20)),
            (None, None),
            ("0", "0"),
            ("0.00002", None),
            (None, "0.0078124"),
        ]
    )


def fields(rng: Random, index: int) -> str:
    """A flat JSON object with members in random order."""
    members = [
        f'"title":{quoted(rng.choice(["Blue", "Größe", "日本", "a/b", ""]) + f" {index}")}',
        f'"year":{rng.choice(["1971", "1.50", "1e3", "-0"])}',
        f'"new":{rng.choice(["true", "false"])}',
        f'"image":"/covers/{index}.svg"',
    ]
    return "{" + ",".join(rng.sample(members, rng.randrange(len(members) + 1))) + "}"


def strip(seed: int) -> Strip:
    """The strip of a seed, which is in its name."""
    rng = Random(seed)
    profile = rng.choice(["grains", "giants", "covers", "bars", "equal", "mixed", "mixed"])
    kinds = rng.sample(["album", "b", "card", "heading", "k-9", "z"], rng.randrange(1, 7))
    count = rng.choice([0, 1, 2, 3, 7, 20, 60, 120])
    shown = 0 if rng.random() < 0.05 else 1
    titles = [None, "A", "B", "\u00e9", "e\u0301"]
    group = None
    items = []
    for index in range(count):
        if rng.random() < 0.3:
            group = rng.choice(titles)
        wide, width = size(rng, profile) if shown else ("0", None)
        items.append(Item(f"i{index}", rng.choice(kinds), wide, width, group, fields(rng, index)))
    return Strip(
        f"seed-{seed}",
        tuple(items),
        height=rng.choice(["16", "17.3", "180", "180", "333.333", "1000", "16384"]),
        gap=rng.choice(["0", "0", "0.015625", "1", "12.5", "33.34", "65536"]),
        inset=rng.choice(["0", "0", "0.5", "24", "65536"]),
        loop=rng.random() < 0.4,
        item_width=rng.choice(["160", "0.5", "77.77"]),
    )


def queries(strip: Strip, seed: int, count: int) -> list[dict[str, str]]:
    """Valid queries of a strip, each for at most 4096 items."""
    rng = Random(seed)
    found: list[dict[str, str]] = []
    while len(found) < count:
        asked = query(strip, rng)
        if asked is not None and answerable(strip, asked):
            found.append(dict(rng.sample(list(asked.items()), len(asked))))
    return found


def query(strip: Strip, rng: Random) -> dict[str, str] | None:
    """A query, which may select too many items."""
    asked = {"width": number(rng, 1, rng.choice([2, 100, 1000, 1000, 65536]))}
    if rng.random() < 0.5:
        asked["height"] = rng.choice(["16", "176", "191.98", "16384", number(rng, 16, 400)])
    if rng.random() < 0.4:
        asked["overscan"] = number(rng, 0, rng.choice([1, 300, 300, 65536]))
    if rng.random() < 0.4:
        asked["wrap"] = rng.choice(["true", "false"])
    if rng.random() < 0.4:
        least = float(asked["width"]) + 2 * float(asked.get("overscan", "0"))
        asked["pool"] = number(rng, least + 0.1, min(262144, 4 * least + 1))
    layout = Layout(
        strip,
        lengths.px(asked.get("height", strip.height)),
        asked["wrap"] == "true" if "wrap" in asked else strip.loop,
    )
    if rng.random() < 0.8:
        asked["offset"] = offset(layout, rng)
    if layout.count and rng.random() < 0.4:
        turns = 0 if not layout.wraps else rng.choice([0, 0, 1, -1, 5, -1000])
        index = rng.randrange(layout.count)
        if rng.random() < 0.5:
            if rng.random() < 0.3:
                asked["clamp"] = rng.choice(["true", "true", "false"])
            if asked.get("clamp") == "true":
                index = rng.choice([index, -1, -(2**62), layout.count, 10**30])
            asked["index"] = str(index + turns * layout.count)
        else:
            asked["item"] = strip.items[index].id
            if rng.random() < 0.3:
                asked["clamp"] = rng.choice(["true", "false"])
                if asked["clamp"] == "true":
                    asked["item"] = rng.choice([asked["item"], "none"])
        match rng.randrange(6):
            case 0:
                asked["at"] = number(rng, -500, 1500)
            case 1:
                pass
            case _:
                asked["align"] = rng.choice(["start", "center", "end", "nearest", "nearest"])
    if rng.random() < 0.1:
        asked[rng.choice(["v", "align", "index", "item", "at", "have", "revision"])] = ""
    if not asked.get("index") and not asked.get("item"):
        asked.pop("clamp", None)
        asked.pop("align", None)
        asked.pop("at", None)
    return asked


def offset(layout: Layout, rng: Random) -> str:
    """An offset: anywhere, far away, or within 2/64 px of an item's edge."""
    where = rng.randrange(10)
    if where == 0:
        return rng.choice([str(FAR_PX), str(-FAR_PX), number(rng, -FAR_PX, FAR_PX)])
    if where < 6 and layout.count:
        index = rng.randrange(layout.count)
        if layout.wraps and rng.random() < 0.5:
            index += layout.count * rng.randrange(-7, 8)
        edge = rng.choice([layout.start, layout.end])(index) + rng.randrange(-2, 3)
        if abs(edge) <= FAR_PX * 64:
            return lengths.decimal(edge)
    extent = layout.extent / 64
    return number(rng, -extent - 1000, 2 * extent + 1000)


def answerable(strip: Strip, asked: dict[str, str]) -> bool:
    """Whether a query is valid: at most 4096 items, finite pools, and an item that exists."""
    height = lengths.px(asked.get("height", strip.height))
    wraps = asked["wrap"] == "true" if asked.get("wrap") else strip.loop
    layout = Layout(strip, height, wraps)
    stretch = lengths.px(asked["width"]) + 2 * lengths.px(asked.get("overscan") or "0")
    if lengths.px(asked.get("pool") or "262144") < stretch:
        return False
    if layout.wraps:
        if not Layout(strip, lengths.rung_below(height), True).wraps:
            return False
        if (stretch // layout.period + 2) * layout.count > MOST_ITEMS:
            return False
    try:
        window = Window(strip, asked)
    except NotFound:
        return False
    return window.end - window.first <= MOST_ITEMS and abs(window.offset) <= FAR_PX * 64
