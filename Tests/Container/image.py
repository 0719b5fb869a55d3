"""Builds the image of the Dockerfile with buildah, which needs no daemon."""

import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASES = ["docker.io/library/swift:6.3-bookworm", "docker.io/library/debian:bookworm-slim"]
NAME = "localhost/carousel-under-test"
REVISION = "0123456789abcdef"
BUILD_SECONDS = 15 * 60
BUILDAH = ["buildah", "--storage-driver", "overlay"]


def missing() -> str | None:
    """Why a test cannot or need not have the image; None if it runs."""
    if reason := os.environ.get("UNCHANGED"):
        return reason
    if os.geteuid() != 0:
        return "buildah needs root for chroot isolation"
    if shutil.which("buildah") is None:
        return "buildah is not installed"
    for base in BASES:
        if buildah("images", "--quiet", base, check=False).returncode != 0:
            return f"buildah does not have the image {base}"
    return None


def buildah(*arguments, check=True, **options) -> subprocess.CompletedProcess:
    """Runs a command of buildah; its output is text."""
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
    """Mounts for git's `insteadOf` settings that replace a URL by a local folder."""
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
    """Builds the image and returns its name. buildah caches the layers."""
    run = buildah(
        "build", "--format=docker", "--isolation=chroot", "--network=host", "--pull-never",
        "--layers", f"--build-arg=REVISION={REVISION}", *git_substitutes(), "--tag", NAME, ".",
        check=False, timeout=BUILD_SECONDS,
    )  # fmt: skip
    assert run.returncode == 0, f"the image is not built: {(run.stdout + run.stderr)[-4000:]}"
    return NAME


def settings(name: str) -> dict:
    """The configuration of the image in Docker's format."""
    return json.loads(buildah("inspect", name).stdout)["Docker"]["config"]
