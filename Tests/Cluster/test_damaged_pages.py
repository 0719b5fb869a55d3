"""A flipped bit in a file of PostgreSQL is named, or changes nothing. See `damage` for the number of flips."""

import signal
import tempfile
from pathlib import Path
from random import Random

import pytest

from damage import FLIPS, SEED, Answers, filled
from replication import Node


class Database:
    """A database of a server without checksums of pages, for the commands."""

    def __init__(self, node: Node, folder: Path):
        self.node, self.parent = node, folder

    def __str__(self) -> str:
        return self.node.address

    def sql(self, statement: str) -> str:
        return self.node.sql(statement)

    def files(self) -> dict[str, bytes]:
        """The tables and indexes that a window or an export reads, their TOAST tables, and what is in each file."""
        names = self.sql(
            """
            WITH read AS (SELECT oid FROM pg_class WHERE oid IN (
              'carousel.strip'::regclass, 'carousel.item'::regclass, 'carousel.layout'::regclass)),
            tables AS (SELECT oid FROM read UNION
              SELECT reltoastrelid FROM pg_class JOIN read USING (oid) WHERE reltoastrelid > 0)
            SELECT pg_relation_filepath(oid) FROM tables
            UNION SELECT pg_relation_filepath(indexrelid) FROM pg_index JOIN tables ON indrelid = oid
            ORDER BY 1
            """
        ).splitlines()
        self.sql("VACUUM")
        self.sql("CHECKPOINT")
        self.node.stop(signal.SIGINT)
        return {name: (self.node.data / name).read_bytes() for name in names}


@pytest.fixture
def node():
    # The user of PostgreSQL cannot enter pytest's folders.
    with tempfile.TemporaryDirectory(prefix="carousel-pages-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        made = Node(Path(folder) / "a")
        made.make()
        made.start()
        # It would write pages while a bit is flipped.
        made.set("autovacuum", "off")
        yield made
        made.stop()


@pytest.mark.parametrize("seed", [SEED])
def test_a_flipped_bit_of_a_page_is_named_or_changes_nothing(seed, node, tmp_path):
    rng = Random(seed)
    database = Database(node, tmp_path)
    answers = Answers(database, filled(database, rng), rng)
    whole = database.files()
    for flip in range(FLIPS):
        (name,) = rng.choices(list(whole), [len(content) for content in whole.values()])
        place, bit = rng.randrange(len(whole[name])), rng.randrange(8)
        with (node.data / name).open("r+b") as file:
            file.seek(place)
            file.write(bytes([whole[name][place] ^ 1 << bit]))
        node.start()
        answers.check(f"flip {flip}: bit {bit} of byte {place} of {name}")
        node.stop(signal.SIGINT)
        # PostgreSQL can have written to other pages too: it marks rows that it takes for dead.
        for name, content in whole.items():
            path = node.data / name
            if path.read_bytes() != content:
                path.write_bytes(content)
    answers.report()
