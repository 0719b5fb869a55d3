"""Tests several servers on one PostgreSQL database.

    swift build --product carousel && Scripts/with-postgres python3 -m pytest Tests/Cluster

The modules of `Tests/Contract` run the servers, databases and proxies.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Contract"))
pytest.register_assert_rewrite("server", "command", "editing", "proxies", "workload", "damage")

from command import environment, imported  # noqa: E402
from editing import token  # noqa: E402
from server import Server  # noqa: E402
from stores import Postgres  # noqa: E402
from workload import STRIPS  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "one_store: a mark of Tests/Contract, whose modules the tests import")


@pytest.fixture
def database(tmp_path):
    """A database with the strips of `workload`."""
    made = Postgres(tmp_path)
    yield imported(made, *STRIPS)
    made.release()


@pytest.fixture
def bearers(database):
    """A token for each strip."""
    return {strip.name: token(database, strip.name) for strip in STRIPS}


@pytest.fixture
def serving():
    """Starts servers that stop when the test ends."""
    running = []

    def start(address=None, env=None, **options) -> Server:
        named = ["--database", address] if address else []
        running.append(Server(*named, env=environment(**(env or {})), **options))
        return running[-1]

    yield start
    for one in running:
        one.__exit__()
