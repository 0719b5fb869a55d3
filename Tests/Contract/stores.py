"""Databases for tests: SQLite files, or databases of a PostgreSQL server."""

import os
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path


class File:
    """A SQLite file that does not exist yet."""

    def __init__(self, folder: Path):
        self.parent = folder
        self.path = folder / "strips.db"
        self.name = self.path.name

    def __str__(self) -> str:
        return str(self.path)

    def release(self) -> None:
        """Does nothing, because pytest deletes the folder."""

    def exists(self) -> bool:
        return self.path.exists()

    @contextmanager
    def locked_by_writer(self):
        """Another process holds the write lock while the block runs."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            yield

    def damage(self) -> None:
        """Overwrites the first page of the items."""
        with closing(sqlite3.connect(self.path)) as db:
            (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'item'").fetchone()
            (size,) = db.execute("PRAGMA page_size").fetchone()
        with self.path.open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)

    def execute(self, statement: str) -> None:
        """Changes rows, without their checksums."""
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute(statement)

    def content(self) -> bytes:
        """All bytes of the database."""
        return b"".join(file.read_bytes() for file in self.parent.glob("strips.db*"))


class Postgres:
    """An empty database of the server that `Scripts/with-postgres` starts."""

    numbers = count()
    #: Databases that tests can empty and use again. A new database takes 0.1 seconds and 8 MB of disk.
    released: list[str] = []

    def __init__(self, folder: Path):
        self.parent = folder
        self.server = os.environ["POSTGRES"]
        is_new = not self.released
        self.name = f"strips_{os.getpid()}_{next(self.numbers)}" if is_new else self.released.pop()
        self.address = self.server.replace("/postgres?", f"/{self.name}?")
        if is_new:
            self.sql(self.server, f"CREATE DATABASE {self.name}")
        else:
            self.sql(self.address, "DROP SCHEMA IF EXISTS carousel CASCADE")

    def release(self) -> None:
        """Makes this database available to the next test."""
        self.released.append(self.name)

    def __str__(self) -> str:
        return self.address

    @staticmethod
    def sql(address: str, statement: str) -> str:
        """Runs a statement with psql; returns its output."""
        command = ["psql", "--no-psqlrc", "-qAtv", "ON_ERROR_STOP=1", "-c", statement, address]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    @contextmanager
    def locked(self, statement: str):
        """Holds the locks of `statement` in a separate transaction while the block runs."""
        command = ["psql", "--no-psqlrc", "-qAt", self.address]
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with subprocess.Popen(command, **pipes) as holder:
            holder.stdin.write(f"BEGIN; {statement}; SELECT 'held';\n")
            holder.stdin.flush()
            assert holder.stdout.readline() == "held\n"
            yield

    def locked_by_writer(self):
        """Another process holds the row locks of all strips while the block runs."""
        return self.locked("DO $$ BEGIN PERFORM FROM carousel.strip FOR UPDATE; END $$")

    def exists(self) -> bool:
        return self.sql(self.address, "SELECT to_regnamespace('carousel') IS NOT NULL") == "t"

    def damage(self) -> None:
        """Overwrites the sizes of the layout."""
        wrong = "UPDATE carousel.layout SET sizes = decode(repeat('ff', (8 * count)::int), 'hex')"
        self.sql(self.address, wrong)

    def execute(self, statement: str) -> str:
        """Changes rows, without their checksums; returns the output."""
        return self.sql(self.address, f"SET search_path TO carousel; {statement}")

    def content(self) -> bytes:
        """A dump without the \\restrict lines, because they differ in each dump."""
        run = subprocess.run(["pg_dump", self.address], check=True, capture_output=True)
        lines = run.stdout.splitlines(keepends=True)
        return b"".join(line for line in lines if not line.startswith((b"\\restrict", b"\\unrestrict")))


STORES = {"sqlite": File, "postgres": Postgres}
