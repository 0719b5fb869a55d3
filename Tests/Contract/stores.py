"""Where the catalogues of the tests are kept: in SQLite files, or in databases of PostgreSQL."""

import os
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path


class File:
    """A SQLite file that is not there yet."""

    def __init__(self, folder: Path):
        self.parent = folder
        self.path = folder / "strips.db"
        self.name = self.path.name

    def __str__(self) -> str:
        return str(self.path)

    def exists(self) -> bool:
        return self.path.exists()

    @contextmanager
    def written_elsewhere(self):
        """While this lasts, another program writes, and no other may."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            yield

    def damage(self) -> None:
        """Writes over what a strip is read from."""
        with closing(sqlite3.connect(self.path)) as db:
            (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'item'").fetchone()
            (size,) = db.execute("PRAGMA page_size").fetchone()
        with self.path.open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)

    def content(self) -> bytes:
        """Everything that is stored."""
        return b"".join(file.read_bytes() for file in self.parent.glob("strips.db*"))


class Postgres:
    """An empty database of the server that `Scripts/with-postgres` runs."""

    numbers = count()

    def __init__(self, folder: Path):
        self.parent = folder
        self.server = os.environ["POSTGRES"]
        self.name = f"strips_{os.getpid()}_{next(self.numbers)}"
        self.sql(self.server, f"CREATE DATABASE {self.name}")
        self.address = self.server.replace("/postgres?", f"/{self.name}?")

    def __str__(self) -> str:
        return self.address

    @staticmethod
    def sql(address: str, statement: str) -> str:
        """What `statement` gives."""
        command = ["psql", "--no-psqlrc", "-qAtv", "ON_ERROR_STOP=1", "-c", statement, address]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    @contextmanager
    def locked(self, statement: str):
        """While this lasts, what `statement` locks in a transaction of its own is locked."""
        command = ["psql", "--no-psqlrc", "-qAt", self.address]
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with subprocess.Popen(command, **pipes) as holder:
            holder.stdin.write(f"BEGIN; {statement}; SELECT 'held';\n")
            holder.stdin.flush()
            assert holder.stdout.readline() == "held\n"
            yield

    def written_elsewhere(self):
        """While this lasts, another program writes the strips, and no other may."""
        return self.locked("DO $$ BEGIN PERFORM FROM carousel.strip FOR UPDATE; END $$")

    def exists(self) -> bool:
        return self.sql(self.address, "SELECT to_regnamespace('carousel') IS NOT NULL") == "t"

    def damage(self) -> None:
        wrong = "UPDATE carousel.layout SET sizes = decode(repeat('ff', 8 * count), 'hex')"
        self.sql(self.address, wrong)

    def content(self) -> bytes:
        """Everything that is stored, without the word of its own that each dump is read by."""
        run = subprocess.run(["pg_dump", self.address], check=True, capture_output=True)
        lines = run.stdout.splitlines(keepends=True)
        return b"".join(line for line in lines if not line.startswith((b"\\restrict", b"\\unrestrict")))


STORES = {"sqlite": File, "postgres": Postgres}
