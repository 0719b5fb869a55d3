"""`GET /window`: computes the bytes of the answer from the text of the parameters."""

from . import lengths
from .layouts import Layout
from .slots import Slots
from .strips import Strip, quoted
from .vertical import LAWS, VerticalSlots


class NotFound(Exception):
    """No such index or item."""


def answer(strip: Strip, revision: int, query: dict[str, str]) -> str:
    """The JSON that the contract promises for valid parameters; `NotFound` for its 404s."""
    return Window(strip, query).json(revision)


class Window:
    """One window of a strip, with all its numbers.

    The viewport is along the axis that scrolls: `width` of a strip, `height` of the other layouts.
    """

    def __init__(self, strip: Strip, query: dict[str, str]):
        query = {name: value for name, value in query.items() if value != ""}
        self.strip = strip
        self.height = lengths.px(query.get("height", strip.height))
        self.width = lengths.px(query.get("width", "1024"))
        self.overscan = lengths.px(query.get("overscan", "0"))
        self.law = query.get("layout", strip.layout)
        if self.law == "strip":
            self.viewport = self.width
            wraps = query["wrap"] == "true" if "wrap" in query else strip.loop
            self.layout = Layout(strip, self.height, wraps)
        else:
            self.viewport = self.height
            self.layout = LAWS[self.law](strip, query)
        pool = lengths.px(query["pool"]) if "pool" in query else self.viewport + 2 * self.overscan
        self.slots = self.remembered_slots(pool)
        self.offset = self.viewport_offset(query)
        self.first, self.end = self.layout.window(
            self.offset - self.overscan, self.offset + self.viewport + self.overscan
        )
        self.have = None
        if "have" in query:
            first, end = query["have"].split("..")
            self.have = range(int(first), int(end))

    def remembered_slots(self, pool: int) -> Slots | VerticalSlots:
        """The slots for this pool. The strip caches those of a strip, because they take long to compute
        and never change."""
        if self.law != "strip":
            return VerticalSlots(self.layout, pool)
        key = (lengths.rung_below(self.height), lengths.rung_above(pool), self.layout.wraps)
        if key not in self.strip.memory:
            self.strip.memory[key] = Slots(self.strip, self.height, pool, self.layout.wraps)
        return self.strip.memory[key]

    def viewport_offset(self, query: dict[str, str]) -> int:
        """ "`offset` is taken as given, even outside the strip. With `index` or `item` the offset
        is ...; and it is kept within [0, max(0, extent - width)] unless the strip wraps." With `clamp`,
        an index outside a strip that does not wrap is that of the nearest item; a strip without items
        is at 0. An unknown item stands for `offset`.
        """
        given = lengths.px(query.get("offset", "0"))
        if "index" in query:
            index = int(query["index"])
            if query.get("clamp") == "true" and not self.layout.wraps:
                if not self.layout.count:
                    return 0
                index = min(max(index, 0), self.layout.count - 1)
        elif "item" in query:
            try:
                index = self.copy(query["item"], given)
            except NotFound:
                if query.get("clamp") != "true":
                    raise
                return given
        else:
            return given
        if not self.layout.contains(index):
            raise NotFound("index")
        offset = self.aligned(index, query, given)
        if self.layout.wraps:
            return offset
        return min(max(offset, 0), max(0, self.layout.extent - self.viewport))

    def copy(self, id: str, given: int) -> int:
        """ "With `wrap`, ... `item` its copy whose start is nearest the given `offset` (the earlier
        of two)."
        """
        layout = self.layout
        index = next((i for i, item in enumerate(layout.items) if item.id == id), None)
        if index is None:
            raise NotFound("item")
        if not layout.wraps:
            return index
        turn = (given - layout.start(index)) // layout.period
        copies = [index + t * layout.count for t in range(turn - 1, turn + 3)]
        return min(copies, key=lambda copy: (abs(layout.start(copy) - given), copy))

    def aligned(self, index: int, query: dict[str, str], given: int) -> int:
        """ "the offset is start(i) for `start`, start(i) + size(i) - w for `end`, start(i) +
        floor((size(i) - w) / 2) for `center`, start(i) - at for `at`; for `nearest` it is the
        given `offset` where the item is wholly in view, else start(i) where the item is as long
        as the viewport or longer, else the nearer of start and end (start if equally near)".
        """
        start, size = self.layout.start(index), self.layout.size(index)
        if "at" in query:
            return start - lengths.px(query["at"])
        at_end = start + size - self.viewport
        match query.get("align", "start"):
            case "start":
                return start
            case "end":
                return at_end
            case "center":
                return start + (size - self.viewport) // 2
        if given <= start and start + size <= given + self.viewport:
            return given
        if size >= self.viewport:
            return start
        return min((start, at_end), key=lambda offset: abs(offset - given))

    def items(self) -> list[int]:
        """Every index of the window that is shown, in order."""
        return [i for i in range(self.first, self.end) if self.layout.size(i) != 0]

    def leaving(self) -> list[str]:
        """ "the slots of the items of `have` that no item of the window uses, each once, in the
        order of `have`".
        """
        used = {self.slots.slot(i) for i in self.items()}
        held = (self.slots.slot(i) for i in self.have or () if self.layout.contains(i))
        return list(dict.fromkeys(slot for slot in held if slot is not None and slot not in used))

    def group(self) -> tuple[str, int, int, int] | None:
        """ "the run that the first item meeting the viewport (without overscan) belongs to"."""
        met = self.layout.meeting(self.offset, self.offset + self.viewport)
        return self.layout.group(met[0]) if met else None

    def json(self, revision: int) -> str:
        """ "members in this order, px as exact decimals without exponent or trailing zeros"."""
        px = lengths.decimal
        pools = ",".join(f"{quoted(kind)}:{n}" for kind, n in self.slots.pools.items())
        items = ",".join(self.item(i) for i in self.items() if self.have is None or i not in self.have)
        leave = ",".join(quoted(slot) for slot in self.leaving())
        layout = "" if self.law == "strip" else f'"layout":{quoted(self.law)},'
        group = "null"
        if (run := self.group()) is not None:
            title, first, end, start = run
            group = f'{{"title":{quoted(title)},"first":{first},"end":{end},"start":{px(start)}}}'
        return (
            f'{{"strip":{quoted(self.strip.name)},"revision":{revision},{layout}'
            f'"height":{px(self.height)},"offset":{px(self.offset)},"width":{px(self.width)},'
            f'"overscan":{px(self.overscan)},"pool":{px(self.slots.stretch)},'
            f'"wrap":{"true" if self.layout.wraps else "false"},"count":{self.layout.count},'
            f'"extent":{px(self.layout.extent)},"first":{self.first},"end":{self.end},'
            f'"pools":{{{pools}}},"group":{group},"leave":[{leave}],"items":[{items}]}}'
        )

    def item(self, index: int) -> str:
        """One item of the answer; "`fields` keep their order and the spelling of their numbers". `group`
        has the title of its run, and its index in it.
        """
        _, i = self.layout.turn(index)
        item = self.layout.items[i]
        px = lengths.decimal
        across = ""
        if self.law != "strip":
            x, width = self.layout.across(index)
            across = f'"x":{px(x)},"width":{px(width)},'
        group = ""
        if (run := self.layout.group(index)) is not None:
            group = f'"group":{{"title":{quoted(run[0])},"index":{index - run[1]}}},'
        return (
            f'{{"index":{index},"id":{quoted(item.id)},"kind":{quoted(item.kind)},'
            f'"slot":{quoted(self.slots.slot(index))},"start":{px(self.layout.start(index))},'
            f'"size":{px(self.layout.size(index))},{across}{group}"fields":{item.fields}}}'
        )
