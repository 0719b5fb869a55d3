"""A strip drawn at one height: the start and the end of each item, in each turn of a wrapped strip."""

from itertools import accumulate

from . import lengths
from .strips import Strip


class Layout:
    """The starts of a strip's items at `height`, computed with the contract's formula."""

    def __init__(self, strip: Strip, height: int, wraps: bool):
        self.items = strip.items
        self.height = height
        self.gap = lengths.px(strip.gap)
        self.inset = lengths.px(strip.inset)
        self.count = len(strip.items)
        sizes = strip.sizes()
        self.hidden = [a == 0 and b == 0 for a, b in sizes]
        self.aspects = [0, *accumulate(a for a, _ in sizes)]
        self.widths = [0, *accumulate(b for _, b in sizes)]
        self.wraps = wraps and self.period > 0
        if self.wraps:
            # "With `wrap`, ... the inset counts as 0."
            self.inset = 0

    @property
    def period(self) -> int:
        """ "period = floor(h * sum of a / 65536) + sum of b + n * g"."""
        return self.stretch(0, self.count) + self.count * self.gap

    def stretch(self, first: int, end: int) -> int:
        """floor(h * (a[first] + ... + a[end-1]) / 65536) + (b[first] + ... + b[end-1])."""
        aspects = self.aspects[end] - self.aspects[first]
        return self.height * aspects // 65536 + self.widths[end] - self.widths[first]

    def turn(self, index: int) -> tuple[int, int]:
        """ "index t * n + i": t and i."""
        return divmod(index, self.count) if self.wraps else (0, index)

    def start(self, index: int) -> int:
        """ "start(i) = s + floor(h * (a[0] + ... + a[i-1]) / 65536) + (b[0] + ... + b[i-1])
        + i * g"; "index t * n + i starts at t * period + start(i)".
        """
        t, i = self.turn(index)
        turns = t * self.period if t else 0
        return turns + self.inset + self.stretch(0, i) + i * self.gap

    def size(self, index: int) -> int:
        """ "Its size is start(i+1) - g - start(i): sizes tile without drift"."""
        _, i = self.turn(index)
        return self.stretch(0, i + 1) - self.stretch(0, i)

    def end(self, index: int) -> int:
        """The end of an item."""
        return self.start(index) + self.size(index)

    @property
    def extent(self) -> int:
        """ "extent = start(n) - g + s for n > 0 items; 2s for none"; "period ... (which is then
        also the `extent`)".
        """
        if self.wraps:
            return self.period
        if self.count == 0:
            return 2 * self.inset
        return self.start(self.count) - self.gap + self.inset

    def contains(self, index: int) -> bool:
        """Whether there is an item of this index."""
        return self.wraps or 0 <= index < self.count

    def indices_about(self, left: int, right: int) -> range:
        """The indices of items that can intersect a stretch: all items, or all items of the turns that
        intersect it."""
        if not self.wraps:
            return range(self.count)
        return range((left // self.period - 1) * self.count, (right // self.period + 2) * self.count)

    def meeting(self, left: int, right: int) -> list[int]:
        """ "Item i is in the window of [x, x + w) when start(i) < x + w and start(i) + size(i) > x
        and its size is not 0."
        """
        return [
            i
            for i in self.indices_about(left, right)
            if self.start(i) < right and self.end(i) > left and self.size(i) != 0
        ]

    def window(self, left: int, right: int) -> tuple[int, int]:
        """ "`first` is the index of the first item in the window, `end` one past the last. When
        there is none, both are the index of the first item that ends after the window's left
        edge (n if there is none)."
        """
        met = self.meeting(left, right)
        if met:
            return met[0], met[-1] + 1
        after = (i for i in self.indices_about(left, right) if self.end(i) > left)
        index = next(after, self.count)
        return index, index

    def group(self, index: int) -> tuple[str, int, int, int] | None:
        """ "a run of neighbouring items with the same `group`": title, first, end, start. "Runs do
        not join across the seam of a wrap; in a later turn its numbers are that turn's."
        """
        t, i = self.turn(index)
        title = self.items[i].group
        if title is None:
            return None
        first, end = i, i + 1
        while first > 0 and self.items[first - 1].group == title:
            first -= 1
        while end < self.count and self.items[end].group == title:
            end += 1
        first, end = first + t * self.count, end + t * self.count
        return title, first, end, self.start(first)

    def runs(self) -> list[tuple[str, int, int, int]]:
        """All runs of the strip, in order."""
        runs = []
        for index in range(self.count):
            run = self.group(index)
            if run is not None and run[1] == index:
                runs.append(run)
        return runs
