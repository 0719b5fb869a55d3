"""Tests a running `carousel` against the contract, through commands and sockets alone.

    swift build --product carousel && python3 -m pytest Tests/Contract
    Scripts/with-postgres python3 -m pytest Tests/Contract --store postgres

`CAROUSEL` names another program to test. Expected answers come from `model`, which implements the
contract's text and shares no code with the sources. This file holds the fixtures that tests share.
"""

import pytest

import samples
from command import imported
from server import Server
from stores import STORES


def pytest_addoption(parser):
    parser.addoption("--store", choices=STORES, default="sqlite", help="the store of the databases")


def pytest_configure(config):
    config.addinivalue_line("markers", "one_store: runs on SQLite only; other stores make no difference")


def pytest_ignore_collect(collection_path, config):
    """Skips a file that needs no store. Its library takes two seconds to load."""
    return True if collection_path.name == "test_interface.py" and runs_again(config) else None


def pytest_collection_modifyitems(config, items):
    """Skips the tests whose results do not depend on the store."""
    if runs_again(config):
        needless = [item for item in items if "store" not in item.fixturenames or item.get_closest_marker("one_store")]
        config.hook.pytest_deselected(items=needless)
        items[:] = [item for item in items if item not in set(needless)]


def runs_again(config) -> bool:
    """Whether the run with SQLite has already tested what does not depend on the store."""
    return config.getoption("--store") != "sqlite"


@pytest.fixture(scope="session")
def store(request):
    """The class of the databases: `store(folder)` is a database that does not exist yet."""
    return STORES[request.config.getoption("--store")]


@pytest.fixture(scope="session")
def sample_database(store, tmp_path_factory):
    """A database with the strips of `samples.py`. No test changes it."""
    return imported(store(tmp_path_factory.mktemp("samples")), *samples.STRIPS)


@pytest.fixture(scope="session")
def server(sample_database):
    """A server of `sample_database`."""
    with Server("--database", sample_database) as running:
        yield running


@pytest.fixture(scope="session")
def built_in():
    """A server of the built-in strips."""
    with Server() as running:
        yield running


@pytest.fixture
def database(store, tmp_path):
    """A database that does not exist yet, in a new folder."""
    made = store(tmp_path)
    yield made
    made.release()


@pytest.fixture
def serving():
    """Starts servers that stop when the test ends."""
    running = []

    def start(*arguments, **options) -> Server:
        running.append(Server(*arguments, **options))
        return running[-1]

    yield start
    for one in running:
        one.__exit__()
