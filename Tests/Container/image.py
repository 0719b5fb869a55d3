"""The image that the Dockerfile makes, built and run by buildah without any daemon."""

import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASES = ["docker.io/library/swift:6.3-bookworm", "docker.io/library/debian:bookworm-slim"]
NAME = "localhost/carousel-under-test"
BUILD_SECONDS = 15 * 60
BUILDAH = ["buildah", "--storage-driver", "overlay"]


def missing() -> str | None:
    """Why no image can be built here; None where it can."""
    if os.geteuid() != 0:
        return "buildah's chroot isolation is used as root"
    if shutil.which("buildah") is None:
        return "buildah is not installed"
    for base in BASES:
        if buildah("images", "--quiet", base, check=False).returncode != 0:
            return f"the image {base} is not here"
    return None


def buildah(*arguments, check=True, **options) -> subprocess.CompletedProcess:
    """Runs one command of buildah; its output is text."""
    return subprocess.run(
        [*BUILDAH, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=check,
        cwd=ROOT,
        **options,
    )


def git_substitutes() -> list[str]:
    """Mounts for a machine whose git takes packages from a local folder instead of the network."""
    settings = subprocess.run(
        ["git", "config", "--show-origin", "--get-regexp", r"^url\..*\.insteadof$"],
        capture_output=True,
        text=True,
    ).stdout
    paths = set()
    for line in settings.splitlines():
        origin, key = line.split("\t")[0], line.split("\t")[1].split()[0]
        folder = key.removeprefix("url.").removesuffix(".insteadof")
        if origin.startswith("file:/") and folder.startswith("/"):
            paths |= {origin.removeprefix("file:"), folder.rstrip("/")}
    return [f"--volume={path}:{path}:ro" for path in sorted(paths)]


def build() -> str:
    """Builds the Dockerfile and returns the image's name. Layers are kept for the next time."""
    run = buildah(
        "build", "--format=docker", "--isolation=chroot", "--network=host", "--pull-never",
        "--layers", *git_substitutes(), "--tag", NAME, ".",
        check=False, timeout=BUILD_SECONDS,
    )  # fmt: skip
    assert run.returncode == 0, f"the image is not built: {(run.stdout + run.stderr)[-4000:]}"
    return NAME


def settings(name: str) -> dict:
    """The image's configuration, as Docker words it."""
    return json.loads(buildah("inspect", name).stdout)["Docker"]["config"]
