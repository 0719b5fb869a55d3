"""What a damaged database answers: the same as before, or an error that names the damage.

`FLIPS` is the number of bits that a test flips, one at a time: 30 in `make test`, 500 in `make soak`. `FLIPPED`
names a SQLite database to flip them in, with one strip. Without it, a strip is made. `SEED` makes other flips.
"""

import json
import os
from pathlib import Path
from random import Random
from urllib.parse import quote

from command import carousel, imported, outcome
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
    run = carousel("import", lines, "--database", database, "--strip", name)
    assert run.returncode == 0, outcome(run)
    return name


def only_strip(database) -> str:
    return carousel("strips", "--database", database).stdout.split(b"\t")[0].decode()


class Answers:
    """The export of a strip, and windows of all of it and at some ids, before the damage."""

    def __init__(self, database, strip: str, rng: Random):
        self.database, self.strip = database, strip
        self.export = self.exported().stdout
        ids = rng.sample([json.loads(line)["id"] for line in self.export.splitlines()], 5)
        shown = carousel("window", "--database", database, "--strip", strip)
        extent = int(float(json.loads(shown.stdout)["extent"]))
        self.requests = [f"offset={start}&width=30000" for start in range(0, extent, 30000)]
        self.requests += [f"item={quote(id)}" for id in ids]
        self.windows = self.read()
        assert self.export and self.windows
        #: How many flips were named by the answers themselves, and by `carousel check` alone.
        self.named, self.checked = 0, 0

    def exported(self):
        return carousel("export", "--database", self.database, "--strip", self.strip)

    def read(self) -> list[bytes]:
        """The bodies of windows; nothing if the server says that the database is damaged."""
        bodies = []
        try:
            running = Server("--database", self.database)
        except AssertionError as error:
            assert "the server has ended" in str(error)
            return []
        with running as server:
            for request in self.requests:
                reply = server.get(f"/window?strip={self.strip}&{request}")
                if reply.status in (500, 503):
                    return []
                bodies.append(reply.body)
        return bodies

    def check(self, flip: str) -> None:
        """Asserts that a flip changes nothing, or is named."""
        run, after = self.exported(), self.read()
        changed = [what for what, is_changed in [
            ("the export", run.returncode == 0 and run.stdout != self.export),
            ("a window", after and after != self.windows),
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
            f"of {FLIPS} flips {self.named} were named by exports or windows, {self.checked} by "
            "the check alone, the others changed nothing"
        )
        assert self.named > FLIPS // 10
