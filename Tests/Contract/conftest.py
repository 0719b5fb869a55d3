"""The contract, held against a running `carousel` from outside: commands and sockets alone.

    swift build --product carousel && python3 -m pytest Tests/Contract
    Scripts/with-postgres python3 -m pytest Tests/Contract --store postgres

`CAROUSEL` names another program to test. What is expected comes from `model`, which was written
from the contract's text and knows nothing of the sources. Here are the servers and databases that
tests share; each is made once and waited for, not slept for.
"""

import pytest

import shelf
from command import imported
from server import Server
from stores import STORES


def pytest_addoption(parser):
    parser.addoption("--store", choices=STORES, default="sqlite", help="where catalogues are kept")


@pytest.fixture(scope="session")
def store(request):
    """Makes a database that holds nothing yet, in or for a folder."""
    return STORES[request.config.getoption("--store")]


@pytest.fixture(scope="session")
def shelf_database(store, tmp_path_factory):
    """A database with the strips of `shelf.py`, nobody writes it."""
    return imported(store(tmp_path_factory.mktemp("shelf")), *shelf.STRIPS)


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
def database(store, tmp_path):
    """A database that is not there yet, with a folder of its own."""
    return store(tmp_path)


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
