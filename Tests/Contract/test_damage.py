"""Damage of a database is named: no export and no window changes without an error that says so.

`FLIPS` is the number of bits that are flipped, one at a time: 30 in `make test`, 500 in `make soak`.
`FLIPPED` names a database to flip them in, with one strip. Without it, the test makes one.
"""

import json
import os
import re
import shutil
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

from command import carousel, imported, outcome
from model.strips import Item, Strip
from server import Server

FLIPS = int(os.environ.get("FLIPS", "30"))

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


def windows(database: Path, strip: str, requests: list[str]) -> list[bytes]:
    """The bodies of windows; nothing if the server says that the database is damaged."""
    bodies = []
    try:
        running = Server("--database", database)
    except AssertionError as error:
        assert "the server has ended" in str(error)
        return []
    with running as server:
        for request in requests:
            reply = server.get(f"/window?strip={strip}&{request}")
            if reply.status in (500, 503):
                return []
            bodies.append(reply.body)
    return bodies


def test_a_damaged_row_is_named_by_windows_exports_and_the_check(database):
    imported(database, Strip("s", tuple(Item(f"i{n}", width="50") for n in range(3))))
    database.replace_fields("i1", '{"title":"valid too"}')
    with Server("--database", database) as server:
        assert server.window(strip="s", width="20").status == 200
        problem = server.window(strip="s", width="500").rejected(500)
        assert problem["detail"] == "The stored data is damaged."
        (count,) = re.findall(r"^carousel_damaged_rows_total (\d+)", server.get("/metrics").text, re.M)
        assert int(count) > 0
        assert re.search(r'"s".*"i1"', server.logged())
    for command in (["check"], ["export", "--strip", "s"]):
        run = carousel(*command, "--database", database)
        assert run.returncode == 74, outcome(run)
        assert re.search(rb'"s".*"i1".*checksum', run.stderr), outcome(run)


@pytest.mark.one_store
@pytest.mark.parametrize("seed", [int(os.environ.get("SEED", "1"))])
def test_a_flipped_bit_is_named_or_changes_nothing(seed, database):
    rng = Random(seed)
    path, name = Path(str(database)), "s"
    if given := os.environ.get("FLIPPED"):
        shutil.copyfile(given, path)
        name = carousel("strips", "--database", path).stdout.split(b"\t")[0].decode()
    else:
        imported(database, sample(rng))
    whole = path.read_bytes()
    export = carousel("export", "--database", path, "--strip", name).stdout
    ids = rng.sample([json.loads(line)["id"] for line in export.splitlines()], 5)
    extent = json.loads(carousel("window", "--database", path, "--strip", name).stdout)["extent"]
    requests = [f"offset={start}&width=30000" for start in range(0, int(extent), 30000)]
    requests += [f"item={quote(id)}" for id in ids]
    before = windows(path, name, requests)
    assert export and before
    named = 0
    for flip in range(FLIPS):
        place, bit = rng.randrange(len(whole)), rng.randrange(8)
        for log in ("-wal", "-shm"):
            path.with_name(path.name + log).unlink(missing_ok=True)
        with path.open("r+b") as file:
            file.seek(place)
            file.write(bytes([whole[place] ^ 1 << bit]))
        run = carousel("export", "--database", path, "--strip", name)
        after = windows(path, name, requests)
        changed = [what for what, is_changed in [
            ("the export", run.returncode == 0 and run.stdout != export),
            ("a window", after and after != before),
        ] if is_changed]
        assert not changed or carousel("check", "--database", path).returncode == 74, (
            f"seed {seed}, flip {flip}: bit {bit} of byte {place} changes {changed}"
        )
        named += bool(run.returncode or not after or changed)
        with path.open("r+b") as file:
            file.seek(place)
            file.write(whole[place : place + 1])
    print(f"{named} of {FLIPS} flips were named, the others changed nothing")
    assert named > FLIPS // 10
