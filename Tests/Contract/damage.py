"""What a damaged database answers: the same as before, or an error that names the damage.

`FLIPS` is the number of bits that a test flips, one at a time: 30 in `make test`, 500 in `make soak`. `FLIPPED`
names a SQLite database to flip them in, with one strip. Without it, a strip is made. `SEED` makes other flips.
"""

import json
import os
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from random import Random
from urllib.parse import quote

from command import carousel, exited, imported, shown
from model.strips import Item, Strip
from server import Server

FLIPS = int(os.environ.get("FLIPS", "30"))
SEED = int(os.environ.get("SEED", "1"))
FLIPPED = os.environ.get("FLIPPED")

WORDS = "Blue Night River Köln 東京 stone 'light' of & and the <b> old Harbour 1871".split()


def sample(rng: Random) -> Strip:
    """Titles, years and groups as a museum has them."""

    def title() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randrange(1, 30))).replace('"', "")

    items = tuple(
        Item(
            f"A{rng.randrange(10**9)}-{number}",
            width=str(rng.randrange(20, 400)),
            group=str(1800 + number // 90),
            fields=f'{{"title":"{title()}","year":{1800 + number // 90}}}',
        )
        for number in range(1500)
    )
    return Strip("s", items)


def filled(database, rng: Random) -> str:
    """Imports the strip of FLIPPED, or a sample; returns its name."""
    if not FLIPPED:
        imported(database, sample(rng))
        return "s"
    name = only_strip(FLIPPED)
    lines = Path(database.parent) / "flipped.jsonl"
    lines.write_bytes(carousel("export", "--database", FLIPPED, "--strip", name).stdout)
    exited(carousel("import", lines, "--database", database, "--strip", name))
    return name


def only_strip(database) -> str:
    return carousel("strips", "--database", database).stdout.split(b"\t")[0].decode()


#: The types of pages of an index in SQLite: https://sqlite.org/fileformat.html#b_tree_pages
INTERIOR, LEAF = 2, 10


def index_pages(database: Path) -> list[tuple[int, bytes]]:
    """The pages of SQLite's index of ids, each with its offset in the file."""
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = db.execute("PRAGMA page_size").fetchone()
        found = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_item_2'").fetchone()
    content, pages, waiting = database.read_bytes(), [], list(found)
    while waiting:
        start = (waiting.pop() - 1) * size
        page = content[start : start + size]
        pages.append((start, page))
        if page[0] == INTERIOR:
            count = int.from_bytes(page[3:5])
            cells = struct.unpack(f">{count}H", page[12 : 12 + 2 * count])
            waiting += [int.from_bytes(page[cell : cell + 4]) for cell in cells] + [int.from_bytes(page[8:12])]
    return pages


def flip(database: Path, place: int, bit: int) -> None:
    with database.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


def flip_key(database: Path, id: str, bit: int, byte: int = 0) -> None:
    """Flips a bit of an id in the index of ids."""
    ((place, page),) = [(start, page) for start, page in index_pages(database) if id.encode() in page]
    flip(database, place + page.index(id.encode()) + byte, bit)


class Answers:
    """The export of a strip, windows of all of it and at some ids, and the places of many ids, before the damage."""

    def __init__(self, database, strip: str, rng: Random):
        self.database, self.strip = database, strip
        self.export = self.exported().stdout
        ids = [json.loads(line)["id"] for line in self.export.splitlines()]
        extent = int(shown(database, strip)["extent"])
        window = f"/window?strip={strip}"
        self.requests = [f"{window}&offset={start}&width=30000" for start in range(0, extent, 30000)]
        self.requests += [f"{window}&item={quote(id)}" for id in rng.sample(ids, 5)]
        rng.shuffle(ids)
        self.requests += [
            f"/strips/{strip}/items?ids={quote(json.dumps(ids[start : start + 200]))}"
            for start in range(0, len(ids), 200)
        ]
        self.before = self.read()
        assert self.export and self.before
        #: How many flips were named by the answers themselves, and by `carousel check` alone.
        self.named, self.checked = 0, 0

    def exported(self):
        return carousel("export", "--database", self.database, "--strip", self.strip)

    def read(self) -> list[bytes]:
        """The bodies of answers; nothing if the server says that the database is damaged."""
        bodies = []
        try:
            running = Server("--database", self.database)
        except AssertionError as error:
            assert "the server has ended" in str(error)
            return []
        with running as server:
            for request in self.requests:
                reply = server.get(request)
                if reply.status in (500, 503):
                    return []
                bodies.append(reply.body)
        return bodies

    def check(self, flip: str) -> None:
        """Asserts that a flip changes nothing, or is named."""
        run, after = self.exported(), self.read()
        changed = [what for what, is_changed in [
            ("the export", run.returncode == 0 and run.stdout != self.export),
            ("an answer", after and after != self.before),
        ] if is_changed]  # fmt: skip
        if changed:
            assert carousel("check", "--database", self.database).returncode == 74, (
                f"seed {SEED}, {flip} changes {changed}"
            )
            self.checked += 1
        elif run.returncode or not after:
            self.named += 1

    def report(self) -> None:
        print(
            f"of {FLIPS} flips {self.named} were named by exports or answers, {self.checked} by "
            "the check alone, the others changed nothing"
        )
        assert self.named > FLIPS // 10
