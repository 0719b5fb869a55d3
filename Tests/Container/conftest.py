"""Builds the image once; each test has its own container."""

import os

import image
import pytest
from container import Container

USER = 10001


@pytest.fixture(scope="session")
def built() -> str:
    """The name of the image. Skips the tests if this machine cannot build it."""
    if reason := image.missing():
        pytest.skip(reason)
    return image.build()


@pytest.fixture
def container(built, tmp_path):
    """A container of the image whose user owns /data."""
    os.chown(tmp_path, USER, USER)
    with Container(built, data=tmp_path) as made:
        yield made


@pytest.fixture
def container_without_data(built, tmp_path):
    """A container whose user cannot write /data, which root owns."""
    os.chmod(tmp_path, 0o755)
    with Container(built, data=tmp_path) as made:
        yield made
