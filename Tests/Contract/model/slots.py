"""Pools and slots, which follow from a rule: "a law, not a memory"."""

from . import lengths
from .layouts import Layout
from .strips import Strip


class Slots:
    """The slots of a strip for one stretch, height and wrap."""

    def __init__(self, strip: Strip, height: int, pool: int, wraps: bool):
        self.stretch = lengths.rung_above(pool)
        self.wraps = wraps
        self.layout = Layout(strip, lengths.rung_below(height), wraps)
        self.shown: dict[str, list[int]] = {}
        self.ranks: dict[int, int] = {}
        for index, item in enumerate(strip.items):
            if not self.layout.hidden[index]:
                of_kind = self.shown.setdefault(item.kind, [])
                self.ranks[index] = len(of_kind)
                of_kind.append(index)
        self.pools = {kind: self.pool(kind) for kind in sorted(self.shown, key=str.encode)}

    def apart(self, i: int, j: int) -> int:
        """ "apart(i, j) = floor(h * (a[i+1] + ... + a[j-1]) / 65536) + (b[i+1] + ... + b[j-1])
        + (j - i) * g". "Where i and j are in different turns, `apart` is the sum over i to the end
        of its turn, the whole turns between (a period each), and the start of j's turn to j, each
        rounded by itself."
        """
        layout = self.layout
        count = layout.count
        (t, i0), (u, j0) = divmod(i, count), divmod(j, count)
        gaps = (j - i) * layout.gap
        if t == u:
            return layout.stretch(i0 + 1, j0) + gaps
        between = (u - t - 1) * layout.stretch(0, count)
        return layout.stretch(i0 + 1, count) + between + layout.stretch(0, j0) + gaps

    def of_rank(self, kind: str, rank: int) -> int:
        """The index of the item of a kind that has this rank: "rank t * (items of its kind that
        are not hidden) + r".
        """
        turn, rank = divmod(rank, len(self.shown[kind]))
        return turn * self.layout.count + self.shown[kind][rank]

    def pool(self, kind: str) -> int:
        """ "P(k) is then the largest rank(j) - rank(i) + 1 over items i < j of kind k, not hidden,
        with apart(i, j) <= pool - 2 (in 1/64 px), and at least 1 where the strip has such an
        item." `apart` grows with j, so the farthest j is found by bisection.
        """
        reach = self.stretch - 2
        ranks = len(self.shown[kind])
        most = 1
        for rank in range(ranks):
            i = self.of_rank(kind, rank)

            def near(other: int, i: int = i) -> bool:
                return self.apart(i, self.of_rank(kind, other)) <= reach

            if self.wraps:
                near_enough, too_far = rank, rank + 1
                while near(too_far):
                    near_enough, too_far = too_far, rank + 2 * (too_far - rank)
            else:
                near_enough, too_far = rank, ranks
            while too_far - near_enough > 1:
                middle = (near_enough + too_far) // 2
                near_enough, too_far = (middle, too_far) if near(middle) else (near_enough, middle)
            most = max(most, near_enough - rank + 1)
        return most

    def slot(self, index: int) -> str | None:
        """ "The slot of the item with rank r is `k-(r mod P(k))`"; a hidden item has none."""
        turn, i = divmod(index, self.layout.count)
        if i not in self.ranks:
            return None
        kind = self.layout.items[i].kind
        rank = turn * len(self.shown[kind]) + self.ranks[i]
        return f"{kind}-{rank % self.pools[kind]}"
