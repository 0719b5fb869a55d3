"""A strip of pictures by month, as a folder of pictures has, and its page with a viewer."""

import json
import socket
from contextlib import contextmanager

from anywhere import StripInEngine
from conftest import run, serving
from strip import AT_REST

COUNT = 300
HASH = "1QcSHQRnh493V4dIh4eXh1h4kJUI"
ASPECTS = [1.5, 0.667, 1.333, 1, 0.5625, 2.4]
FIELDS = {
    "group": {"label": {"en": "Month", "de": "Monat"}},
    "album": {"label": {"en": "album", "de": "Album"}},
    "type": {"label": {"en": "type", "de": "Typ"}},
    "taken": {"label": {"en": "Taken", "de": "Aufgenommen"}, "format": "date"},
}


def photos():
    for n in range(COUNT):
        month, day = divmod(n, 20)
        month = 24 * 12 + 2 - month  # back from March 2024
        group = f"20{month // 12:02}-{month % 12 + 1:02}"
        fields = {"title": f"Picture {n}", "alt": f"Picture {n}", "image": f"/covers/a{n % 50}.svg?{{w}}", "color": "#579"}
        fields |= {"taken": f"{group}-{28 - day:02}T09:30:00", "album": ["Garden", "<b>Sea", "Wedding"][n % 3], "type": "JPEG"}
        if n == 7:
            fields["pixels"] = "120 x 180"
        if n % 2:
            fields["thumbhash"] = HASH
        yield {"id": f"a/{n}.jpg", "aspect": ASPECTS[n % len(ASPECTS)], "group": group, "fields": fields}


@contextmanager
def serving_photos(folder):
    """Serves the strip `photos`, the strip `future`, whose first picture is of 2099, and the strip `slow`, whose pictures never
    arrive. Yields the address.
    """
    file, database = folder / "photos.jsonl", folder / "photos.db"
    file.write_text("".join(json.dumps(item) + "\n" for item in photos()))
    names = ["--filterable", "group,taken,album,type", "--searchable", "title", "--fields", json.dumps(FIELDS)]
    run("import", file, "--database", database, "--strip", "photos", "--title", "Pictures", "--layout", "rows", "--gap", "4", *names)
    items = [item | {"group": "2024-05" if k else "2099-01"} for k, item in enumerate(photos())]
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    run("import", file, "--database", database, "--strip", "future", "--layout", "rows", "--gap", "4")
    with socket.create_server(("127.0.0.1", 0)) as silent, serving("--database", database) as address:
        image = f"http://127.0.0.1:{silent.getsockname()[1]}/{{w}}"
        slow = [{"id": f"s{n}", "aspect": 1, "fields": {"title": f"{n}", "image": image} | ({"thumbhash": HASH} if n % 2 else {})} for n in range(6)]
        file.write_text("".join(json.dumps(item) + "\n" for item in slow))
        run("import", file, "--database", database, "--strip", "slow")
        yield address


# Waits until the viewer shows an item at rest, says its number, and the page's address names it.
SHOWS = """async (_, id) => {
  const isShown = () => {
    const pages = document.querySelector("dialog[open] carousel-strip");
    const { current } = pages ?? {};
    const isAligned = current?.id === id && Math.abs(pages.offsetOf(current) - pages.offset) < 1 && pages.scrollTarget === pages.offset;
    const isTold = isAligned && document.querySelector("dialog .place").textContent.startsWith(`${current.index + 1} `);
    return isTold && current.size === pages.clientWidth && new URL(location).searchParams.get("picture") === id;
  };
  while (!isShown()) await new Promise(requestAnimationFrame);
}"""

IS_CLOSED = "() => !document.querySelector('dialog') && !new URL(location).searchParams.has('picture')"


class Wall(StripInEngine):
    """The wall of the strip `photos` in the server's page, and its viewer."""

    SETTLE = f"async (strip) => {{ await ({AT_REST})(strip); }}"

    def __init__(self, engine, address):
        self.engine, self.address = engine, address

    def open(self, more=""):
        self.engine.goto(f"{self.address}/?strip=photos{more}")
        return self

    def tap(self, index):
        """Taps a card that is drawn."""
        self.wait_until("(strip, index) => strip.nodeOf?.(index)", index)
        self.evaluate("(strip, index) => strip.nodeOf(index).click()", index)

    def must_show(self, number):
        self.evaluate(SHOWS, f"a/{number}.jpg")

    def must_be_closed(self):
        self.wait_until(IS_CLOSED)

    def in_dialog(self, script, argument=None):
        """The result of a function of the dialog."""
        return self.evaluate(f"(_, argument) => ({script})(document.querySelector('dialog'), argument)", argument)

    @property
    def place(self):
        """Where the wall stands: the scroll position of the page, and the top of the first card in view."""
        return self.evaluate("(strip) => [scrollY, [...strip.querySelectorAll('li[data-index]')].map((card) => card.getBoundingClientRect().top).find((top) => top > 0)]")
