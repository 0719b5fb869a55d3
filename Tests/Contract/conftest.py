"""The contract, held against a running `carousel` from outside: commands and sockets alone.

    swift build --product carousel && python3 -m pytest Tests/Contract

`CAROUSEL` names another program to test. What is expected comes from `model`, which was written
from the contract's text and knows nothing of the sources. Here are the servers and databases that
tests share; each is made once and waited for, not slept for.
"""

from pathlib import Path

import pytest

import shelf
from command import imported
from server import Server


@pytest.fixture(scope="session")
def shelf_database(tmp_path_factory) -> Path:
    """A database with the strips of `shelf.py`, nobody writes it."""
    return imported(tmp_path_factory.mktemp("shelf") / "shelf.db", *shelf.STRIPS)


@pytest.fixture(scope="session")
def server(shelf_database):
    """A server of the shelf."""
    with Server("--database", shelf_database) as running:
        yield running


@pytest.fixture(scope="session")
def built_in():
    """A server of the built-in strips."""
    with Server() as running:
        yield running


@pytest.fixture
def database(tmp_path) -> Path:
    """The path of a database that is not there yet, in a folder of its own."""
    return tmp_path / "strips.db"


@pytest.fixture
def serving():
    """Starts servers that end with the test."""
    running = []

    def start(*arguments, **options) -> Server:
        running.append(Server(*arguments, **options))
        return running[-1]

    yield start
    for one in running:
        one.__exit__()
