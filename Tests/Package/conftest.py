"""Packages the release build, and makes systems to install it in."""

import os
import subprocess
from pathlib import Path

import pytest
import system


def packaged(format: str, folder: Path, version: str | None = None) -> Path:
    """The package that `Scripts/package` makes of the release build, without compression, which takes 40
    s."""
    variables = {"DPKG_DEB_COMPRESSOR_TYPE": "none"} | ({"VERSION": version} if version else {})
    made = subprocess.run(
        [system.ROOT / "Scripts/package", format, folder],
        capture_output=True,
        text=True,
        env=os.environ | variables,
    )
    assert made.returncode == 0, made.stderr
    return Path(made.stdout.strip())


@pytest.fixture
def bookworm(tmp_path):
    """A new system. Skips the test if this machine cannot create it."""
    if reason := system.missing():
        pytest.skip(reason)
    yield system.System(tmp_path / "bookworm")
    subprocess.run(["rm", "-rf", tmp_path / "bookworm"], check=True)
