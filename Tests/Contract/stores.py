"""Where the catalogues of the tests are kept: in SQLite files, or in databases of PostgreSQL."""

import os
import subprocess
from itertools import count
from pathlib import Path


class File:
    """A SQLite file that is not there yet."""

    def __init__(self, folder: Path):
        self.parent = folder
        self.path = folder / "strips.db"

    def __str__(self) -> str:
        return str(self.path)

    def exists(self) -> bool:
        return self.path.exists()

    def content(self) -> bytes:
        """Everything that is stored."""
        return b"".join(file.read_bytes() for file in self.parent.glob("strips.db*"))


class Postgres:
    """An empty database of the server that `Scripts/with-postgres` runs."""

    numbers = count()

    def __init__(self, folder: Path):
        self.parent = folder
        self.server = os.environ["POSTGRES"]
        name = f"strips_{os.getpid()}_{next(self.numbers)}"
        self.sql(self.server, f"CREATE DATABASE {name}")
        self.address = self.server.replace("/postgres?", f"/{name}?")

    def __str__(self) -> str:
        return self.address

    @staticmethod
    def sql(address: str, statement: str) -> str:
        """What `statement` gives."""
        command = ["psql", "--no-psqlrc", "-qAtv", "ON_ERROR_STOP=1", "-c", statement, address]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def exists(self) -> bool:
        return self.sql(self.address, "SELECT to_regnamespace('carousel') IS NOT NULL") == "t"

    def content(self) -> bytes:
        return subprocess.run(["pg_dump", self.address], check=True, capture_output=True).stdout


STORES = {"sqlite": File, "postgres": Postgres}
