"""Layouts that scroll down the page: a list, a grid, and justified rows.

A layout is a sequence of rows. Positions along the scroll axis are y; `start` and `size` of an item are
those of its row.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby

from . import lengths
from .strips import Strip

#: "Where a law would need a row taller than 2^20 px, 400 names the parameter."
TALLEST = 2**20 * lengths.PX
#: "An aspect is taken to 0.2 ... 5 for breaking and for drawing", in 1/65536.
NARROWEST, WIDEST = lengths.aspect("0.2"), lengths.aspect("5")


class Refused(Exception):
    """A valid value that this strip does not allow: 400, with the name of a parameter if the contract says which."""


@dataclass(frozen=True)
class Row:
    """Items side by side: their indices, and the y of the row's top and end."""

    indices: list[int]
    top: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.top


class VerticalLayout:
    """The rows of a strip at one width of the content box. A subclass is the law of one layout."""

    #: "They do not wrap."
    wraps = False

    def __init__(self, strip: Strip, query: dict[str, str]):
        self.strip = strip
        self.items = strip.items
        self.count = len(strip.items)
        self.width = lengths.px(query.get("width", "1024"))
        self.heading = lengths.px(query.get("heading", "0"))
        self.gap = lengths.px(strip.gap)
        self.inset = lengths.px(strip.inset)
        sizes = strip.sizes()
        self.aspects = [a for a, _ in sizes]
        # "Hidden items are in no layout."
        self.hidden = {i for i, (a, b) in enumerate(sizes) if a == b == 0}
        self.shown = [i for i in range(self.count) if i not in self.hidden]
        self.prepare(query)
        self.rows = list(self.stacked())
        self.row_of = {index: row for row in self.rows for index in row.indices}
        if any(row.size > TALLEST for row in self.rows):
            raise Refused("a row taller than 2^20 px")

    # The laws of the layouts

    def prepare(self, query: dict[str, str]) -> None:
        """Takes the parameters of this layout."""

    def broken(self, run: list[int]) -> Iterator[tuple[list[int], int]]:
        """The rows of the items of a run that are not hidden: their indices and heights."""
        raise NotImplementedError

    def across(self, index: int) -> tuple[int, int]:
        """The x of an item, and its width."""
        raise NotImplementedError

    # What all have in common

    def neighbours(self) -> Iterator[tuple[str | None, list[int]]]:
        """The runs of items with the same group, and those without one, in order. "group: a run of
        neighbouring items with the same `group`": neighbours in the strip, hidden or not.
        """
        for title, run in groupby(range(self.count), key=lambda index: self.items[index].group):
            yield title, list(run)

    def stacked(self) -> Iterator[Row]:
        """ "with `heading=px` (default 0), the first row of a group (not of a run without one) has that
        many px above it, between the gap and the row, and ... a group begins a new row, and so does a
        run of items without one. With `heading` 0 groups change no position". The inset is "above the
        first and below the last".
        """
        top = self.inset
        runs = self.neighbours() if self.heading else [(None, range(self.count))]
        for title, neighbours in runs:
            run = [index for index in neighbours if index not in self.hidden]
            if title is not None and run:
                top += self.heading
            for indices, height in self.broken(run):
                yield Row(indices, top, top + height)
                top += height + self.gap

    @property
    def extent(self) -> int:
        """ "the exact height of everything at this width"."""
        return self.rows[-1].end + self.inset if self.rows else 2 * self.inset

    def contains(self, index: int) -> bool:
        return 0 <= index < self.count

    def turn(self, index: int) -> tuple[int, int]:
        return 0, index

    def start(self, index: int) -> int:
        """The top of an item's row; for a hidden item that of the next one shown, else the last end."""
        while index in self.hidden:
            index += 1
        return self.row_of[index].top if index < self.count else self.extent - self.inset

    def size(self, index: int) -> int:
        return self.row_of[index].size if index in self.row_of else 0

    def end(self, index: int) -> int:
        return self.start(index) + self.size(index)

    def meeting(self, top: int, bottom: int) -> list[int]:
        """The items of the rows that meet a stretch of y: "The window holds whole rows"."""
        met = [row for row in self.rows if row.top < bottom and row.end > top and row.size != 0]
        return [index for row in met for index in row.indices]

    def window(self, top: int, bottom: int) -> tuple[int, int]:
        """ "`first` is the first item of the first row that meets the viewport", "`end` one past the
        last. When there is none, both are the index of the first item that ends after the window's"
        top "edge (n if there is none)".
        """
        met = self.meeting(top, bottom)
        if met:
            return met[0], met[-1] + 1
        index = next((row.indices[0] for row in self.rows if row.end > top), self.count)
        return index, index

    def group(self, index: int) -> tuple[str, int, int, int] | None:
        """The run of an item: title, first, end, and the start of its first item, below the heading."""
        return self.run_of.get(index)

    @cached_property
    def run_of(self) -> dict[int, tuple[str, int, int, int]]:
        return {index: run for run in self.runs() for index in range(run[1], run[2])}

    def runs(self) -> list[tuple[str, int, int, int]]:
        """All runs of items with a group, in order."""
        return [
            (title, run[0], run[-1] + 1, self.start(run[0]))
            for title, run in self.neighbours()
            if title is not None
        ]


class ListLayout(VerticalLayout):
    """ "one item a line"."""

    def prepare(self, query: dict[str, str]) -> None:
        """ "An item with aspect a > 0 counts r = floor(2^32 / a + 1/2) (its inverse, in 1/65536)". With `line=px`,
        no item counts its aspect, and `line` takes the place of `itemHeight`.
        """
        self.caption = lengths.px(query.get("caption") or self.strip.caption)
        line = query.get("line")
        if line:
            self.aspects = [0] * self.count
        heights = dict(self.strip.item_heights)
        self.item_heights = [
            lengths.px(heights.get(item.kind) or line or self.strip.item_height) for item in self.items
        ]
        inverses = ((2 * 2**32 + a) // (2 * a) if a else 0 for a in self.aspects)
        self.inverses = [0, *accumulate(inverses)]

    def broken(self, run: list[int]) -> Iterator[tuple[list[int], int]]:
        """ "y(i) = s + floor(W * (r[0] + ... + r[i-1]) / 65536) + the captions, item heights and
        headings before + i * g": the difference of two neighbours, without the gap and the heading. An
        item with an aspect counts "`caption` px ...; one without counts the height of its kind: the
        setting `itemHeights` ..., else `itemHeight`".
        """
        for index in run:
            before, after = (self.width * self.inverses[i] // 65536 for i in (index, index + 1))
            yield [index], after - before + (self.caption if self.aspects[index] else self.item_heights[index])

    def across(self, index: int) -> tuple[int, int]:
        return 0, self.width


class GridLayout(VerticalLayout):
    """Columns of equal width, and cells of equal height."""

    def prepare(self, query: dict[str, str]) -> None:
        """ "N columns: `columns=N`, else `column=px` (default the strip's `itemWidth`): N = max(1,
        floor((W + g) / (column + g)))". "All cells have the height floor(w(0) * 65536 / cell) +
        `caption` px".
        """
        column = lengths.px(query.get("column", self.strip.item_width))
        fitting = (self.width + self.gap) // (column + self.gap)
        self.columns = int(float(query["columns"])) if "columns" in query else max(1, fitting)
        _, width = self.column(0)
        if width <= 0:
            # No column is narrower than the first.
            raise Refused("columns")
        cell = lengths.aspect(query.get("cell") or self.strip.cell_aspect)
        self.cell_height = width * 65536 // cell + lengths.px(query.get("caption") or self.strip.caption)

    def column(self, c: int) -> tuple[int, int]:
        """ "Column c starts at floor(c * (W + g) / N) and ends at floor((c + 1) * (W + g) / N) - g":
        its x and its width.
        """
        x = c * (self.width + self.gap) // self.columns
        return x, (c + 1) * (self.width + self.gap) // self.columns - self.gap - x

    def broken(self, run: list[int]) -> Iterator[tuple[list[int], int]]:
        for at in range(0, len(run), self.columns):
            yield run[at : at + self.columns], self.cell_height

    def across(self, index: int) -> tuple[int, int]:
        return self.column(self.row_of[index].indices.index(index))


class RowsLayout(VerticalLayout):
    """ "justified rows of the target height `row=px` (default the strip's `height`)"."""

    def prepare(self, query: dict[str, str]) -> None:
        """ "An item without aspect counts with the setting `cellAspect`. An aspect is taken to 0.2 ...
        5 for breaking and for drawing."
        """
        self.target = lengths.px(query.get("row", self.strip.height))
        cell = lengths.aspect(self.strip.cell_aspect)
        self.drawn = [min(max(a or cell, NARROWEST), WIDEST) for a in self.aspects]

    def room(self, items: int) -> int:
        """The width without the gaps between this many items."""
        return self.width - (items - 1) * self.gap

    def is_full(self, indices: list[int]) -> bool:
        """ "a row is full when A * row >= (W - (k - 1) * g) * 65536"."""
        total = sum(self.drawn[i] for i in indices)
        return total * self.target >= self.room(len(indices)) * 65536

    def broken(self, run: list[int]) -> Iterator[tuple[list[int], int]]:
        """ "the item that reaches W is the row's last. The row's height is h = floor((W - (k - 1) * g)
        * 65536 / A)"; one whose gaps exceed the width has the height 0. "A row that ends before W ...
        has the height `row` and is not stretched."
        """
        row: list[int] = []
        for index in run:
            row = [*row, index]
            if self.is_full(row):
                yield row, max(0, self.room(len(row))) * 65536 // sum(self.drawn[i] for i in row)
                row = []
        if row:
            yield row, self.target

    def across(self, index: int) -> tuple[int, int]:
        """ "its items start at floor(h * (sum of aspects before) / 65536) + j * g, the last one ends at
        W"; "In a row that is not full an item ends where the next would start, less the gap."
        """
        row = self.row_of[index]
        j = row.indices.index(index)
        before, after = (sum(self.drawn[i] for i in row.indices[:k]) for k in (j, j + 1))
        x = row.size * before // 65536 + j * self.gap
        if j == len(row.indices) - 1 and self.is_full(row.indices):
            return x, self.width - x
        return x, row.size * after // 65536 + j * self.gap - x


LAWS = {"list": ListLayout, "grid": GridLayout, "rows": RowsLayout}


class VerticalSlots:
    """The slots of a layout for one stretch of y: "`pool` taken up to the ladder, the width as it is"."""

    def __init__(self, layout: VerticalLayout, pool: int):
        self.layout = layout
        self.stretch = lengths.rung_above(pool)
        #: For each row, and for the end of the last, how many items of each kind are before.
        self.before = [Counter[str]()]
        self.ranks: dict[int, int] = {}
        for row in layout.rows:
            count = self.before[-1].copy()
            for index in row.indices:
                kind = layout.items[index].kind
                self.ranks[index] = count[kind]
                count[kind] += 1
            self.before.append(count)
        kinds = sorted(self.before[-1], key=str.encode)
        self.pools = {kind: self.pool(kind) for kind in kinds}

    def pool(self, kind: str) -> int:
        """ "P(k) is the largest number of items of kind k in rows i ... j with (top of row j) - (end of
        row i) <= pool - 2 (in 1/64 px), ...; at least 1 where there is such an item." Tops ascend, so
        the last such row is found by bisection.
        """
        tops = [row.top for row in self.layout.rows]
        most = 1
        for i, row in enumerate(self.layout.rows):
            past = bisect_right(tops, row.end + self.stretch - 2)
            most = max(most, self.before[past][kind] - self.before[i][kind])
        return most

    def slot(self, index: int) -> str | None:
        """ "The slot of the item with rank r among its kind is `k-(r mod P(k))`"; a hidden item has none."""
        if index not in self.ranks:
            return None
        kind = self.layout.items[index].kind
        return f"{kind}-{self.ranks[index] % self.pools[kind]}"
