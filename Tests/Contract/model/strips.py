"""A strip before its import: items and settings, with numbers as text."""

import json
from dataclasses import dataclass, field, replace

from . import lengths


@dataclass(frozen=True)
class Item:
    """ "`id`, `kind`, `aspect`, `width`, optional `group`, `fields`"; `fields` is JSON text."""

    id: str
    kind: str = "card"
    aspect: str | None = None
    width: str | None = None
    group: str | None = None
    fields: str = "{}"

    def line(self) -> str:
        """The item as a line of JSON Lines, without absent members."""
        members = [f'"id":{quoted(self.id)}', f'"kind":{quoted(self.kind)}']
        if self.aspect is not None:
            members.append(f'"aspect":{self.aspect}')
        if self.width is not None:
            members.append(f'"width":{self.width}')
        if self.group is not None:
            members.append(f'"group":{quoted(self.group)}')
        return "{" + ",".join([*members, f'"fields":{self.fields}']) + "}"


@dataclass(frozen=True)
class Strip:
    """ "one named, ordered, horizontal sequence of items, with settings"."""

    name: str
    items: tuple[Item, ...] = ()
    height: str = "180"
    gap: str = "8"
    inset: str = "0"
    loop: bool = False
    item_width: str = "160"
    layout: str = "strip"
    item_height: str = "64"
    #: Kinds and their heights; None for one that has no height of its own.
    item_heights: tuple[tuple[str, str | None], ...] = ()
    cell_aspect: str = "1"
    caption: str = "0"
    memory: dict = field(default_factory=dict, compare=False, repr=False)

    def with_items(self, items) -> "Strip":
        """A strip with the same settings and other items."""
        return replace(self, items=tuple(items), memory={})

    def sizes(self) -> list[tuple[int, int]]:
        """Each item's aspect in 65536ths and width in sixty-fourths: "An item may have either or
        both; what is absent counts 0. With neither, its width is the strip's `itemWidth`."
        """
        kept = []
        for item in self.items:
            if item.aspect is None and item.width is None:
                kept.append((0, lengths.px(self.item_width)))
            else:
                kept.append((lengths.aspect(item.aspect or "0"), lengths.px(item.width or "0")))
        return kept

    def lines(self) -> str:
        """The items as JSON Lines."""
        return "".join(item.line() + "\n" for item in self.items)


def quoted(text: str) -> str:
    """A JSON string with only the escapes that JSON requires."""
    return json.dumps(text, ensure_ascii=False)
