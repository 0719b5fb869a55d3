"""Several servers on one PostgreSQL database, held together from outside.

    swift build --product carousel && Scripts/with-postgres python3 -m pytest Tests/Cluster

The servers, databases and proxies are those of `Tests/Contract`.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Contract"))
pytest.register_assert_rewrite("server", "command", "editing", "proxies", "crowd", "front", "wire")

from command import environment, imported  # noqa: E402
from crowd import STRIPS  # noqa: E402
from editing import token  # noqa: E402
from server import Server  # noqa: E402
from stores import Postgres  # noqa: E402


@pytest.fixture
def database(tmp_path):
    """A database with the strips, and nobody on it yet."""
    return imported(Postgres(tmp_path), *STRIPS)


@pytest.fixture
def bearers(database):
    """For each strip, a token that changes it."""
    return {strip.name: token(database, strip.name) for strip in STRIPS}


@pytest.fixture
def serving():
    """Starts servers that end with the test, those that were killed excepted."""
    running = []

    def start(address=None, env=None, **options) -> Server:
        named = ["--database", address] if address else []
        running.append(Server(*named, env=environment(**(env or {})), **options))
        return running[-1]

    yield start
    for one in running:
        one.__exit__()
