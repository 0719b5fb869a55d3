"""The image is built once; each test has a container of its own."""

import os

import image
import pytest
from container import Container

USER = 10001


@pytest.fixture(scope="session")
def built() -> str:
    """The image; where this machine cannot build it, the tests are skipped with the reason."""
    if reason := image.missing():
        pytest.skip(reason)
    return image.build()


@pytest.fixture
def container(built, tmp_path):
    """A container of the image; /data belongs to its user."""
    os.chown(tmp_path, USER, USER)
    with Container(built, data=tmp_path) as made:
        yield made


@pytest.fixture
def container_without_data(built, tmp_path):
    """The same, where /data belongs to root and nobody else may write it."""
    os.chmod(tmp_path, 0o755)
    with Container(built, data=tmp_path) as made:
        yield made
