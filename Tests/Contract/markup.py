"""Parses HTML into a tree."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])


@dataclass
class Element:
    """An element: its tag, attributes, own text, and child elements."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    within: list["Element"] = field(default_factory=list)

    def all(self):
        """This element and its descendants, in document order."""
        yield self
        for element in self.within:
            yield from element.all()

    def shown(self):
        """The same without templates and their content."""
        if self.tag != "template":
            yield self
            for element in self.within:
                yield from element.shown()

    def whole_text(self) -> str:
        """The text of this element and its descendants, without scripts and styles."""
        return " ".join(e.text for e in self.all() if e.tag not in ("script", "style"))


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs))
        self.open[-1].within.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].within.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag):
        tags = [element.tag for element in self.open]
        if tag in tags[1:]:
            last = len(tags) - 1 - tags[::-1].index(tag)
            del self.open[last:]

    def handle_data(self, data):
        self.open[-1].text += data


def read(html: str) -> Element:
    """The tree of a page or a fragment."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.root


def cards(tree: Element) -> list[Element]:
    """The elements that show an item: each "carries `data-index`, `data-id` and `data-slot`"."""
    return [element for element in tree.shown() if "data-index" in element.attributes]


def facts(card: Element) -> tuple[int, str, str]:
    """A card's index, id and slot."""
    attributes = card.attributes
    return int(attributes["data-index"]), attributes["data-id"], attributes["data-slot"]
