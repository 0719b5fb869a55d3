"""The tarball runs on a Linux that has only glibc 2.34."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import packaged

#: The glibc of the oldest supported system. Systems of the last five years have this version or a newer one.
OLDEST_GLIBC = (2, 34)
#: The libraries of glibc, and libgcc_s, which glibc itself needs.
OF_THE_SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|gcc_s))\.so.*")


@pytest.fixture(scope="module")
def tarball(tmp_path_factory):
    return packaged("tarball", tmp_path_factory.mktemp("tarball"))


@pytest.fixture(scope="module")
def files(tarball) -> list[Path]:
    """The program and the libraries of the tarball."""
    subprocess.run(["tar", "-xf", tarball, "-C", tarball.parent], check=True)
    folder = tarball.parent / tarball.name.removesuffix(".tar.gz")
    return [folder / "bin/carousel", *(folder / "lib/carousel").iterdir()]


def objdump(option: str, file: Path) -> str:
    return subprocess.run(["objdump", option, file], capture_output=True, text=True, check=True).stdout


def test_no_file_needs_a_newer_glibc(files):
    for file in files:
        versions = re.findall(r"GLIBC_([0-9.]+)", objdump("-T", file))
        newest = max(tuple(map(int, version.split("."))) for version in versions)
        assert newest <= OLDEST_GLIBC, f"{file.name} needs glibc {newest}"


def test_it_contains_each_library_that_it_needs(files):
    inside = {file.name for file in files}
    for file in files:
        for library in re.findall(r"NEEDED +(\S+)", objdump("-p", file)):
            assert library in inside or OF_THE_SYSTEM.fullmatch(library), f"{file.name} needs {library}"


def test_it_has_the_license_of_each_library(files):
    licenses = {file.name for file in (files[0].parents[1] / "share/doc/carousel/licenses").iterdir()}
    assert {"libpq5", "libssl3", "libsqlite3-0", "libmicrohttpd12"} <= licenses


def test_it_serves_in_a_system_without_its_libraries(tarball, bookworm):
    assert not list(bookworm.path("/usr/lib").rglob("libpq*"))
    shutil.copy(tarball, bookworm.path("/root"))
    bookworm.run("tar", "-xf", f"/root/{tarball.name}", "--strip-components=1", "-C", "/usr/local")
    loaded = bookworm.run("ldd", "/usr/local/bin/carousel")
    assert "/usr/local/bin/../lib/carousel/libpq.so.5" in loaded
    with bookworm.serve("carousel", "serve", user="nobody:nogroup") as server:
        assert json.loads(server.get("/window?width=500"))["first"] == 0
        assert b"From CSV to a page" in server.get("/docs/")
        assert b"<carousel-strip" in server.get("/")
        assert server.stop() == 0
