"""Paths are split at `/` before they are decoded. Files are served from the public folder only."""

import os
import shutil
from urllib.parse import quote

import pytest

import samples
from command import ROOT
from server import Server, query

pytestmark = pytest.mark.one_store

SECRET = "no client may read this"


@pytest.mark.parametrize("id", [id for id in samples.ODD_IDS if id not in (".", "..")])
def test_an_item_is_found_by_its_percent_encoded_id(server, id):
    item = server.get(f"/strips/odd/items/{quote(id, safe='')}").json()
    assert item["id"] == id


@pytest.mark.parametrize("id", samples.ODD_IDS)
def test_an_item_is_found_by_its_id_in_a_query(server, id):
    index = samples.ODD_IDS.index(id)
    for target in (
        f"/window?strip=odd&width=50&item={quote(id, safe='')}",
        "/window" + query({"strip": "odd", "width": "50", "item": id}),
    ):
        window = server.get(target).json()
        assert (window["items"][0]["index"], window["items"][0]["id"]) == (index, id)


def test_a_plus_sign_in_a_path_is_itself(server):
    assert server.get("/strips/odd/items/C++").json()["id"] == "C++"
    server.get("/strips/odd/items/two+words").rejected(404)


def test_an_escape_is_decoded_once(server):
    assert server.get("/strips/odd/items/a%252Fb").json()["id"] == "a%2Fb"
    assert server.get("/strips/odd/items/a%2fb").json()["id"] == "a/b"
    assert server.get("/strips/odd/items/100%25").json()["id"] == "100%"


def test_unnecessary_escapes_are_allowed(server):
    assert server.get("/%77indow").body == server.get("/window").body
    assert server.get("/strips/%6Fdd/items/%43++").json()["id"] == "C++"


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    """A copy of the public folder with more files, and a secret file beside it."""
    folder = tmp_path_factory.mktemp("site") / "public"
    shutil.copytree(ROOT / "Public", folder)
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "page.txt").write_text("deep")
    (folder / "two words.txt").write_text("spaced")
    (folder / "größe.txt").write_text("big", encoding="utf-8")
    (folder / "plus+.txt").write_text("plus")
    (folder / "empty.txt").write_text("")
    for ending in TYPES:
        (folder / f"file.{ending}").write_bytes(b"x" * 10)
    (folder.parent / "secret.txt").write_text(SECRET)
    os.symlink(folder.parent / "secret.txt", folder / "link.txt")
    os.symlink(folder.parent, folder / "up")
    return folder


TYPES = {
    "html": {"text/html"},
    "css": {"text/css"},
    "js": {"text/javascript", "application/javascript"},
    "mjs": {"text/javascript", "application/javascript"},
    "json": {"application/json"},
    "svg": {"image/svg+xml"},
    "png": {"image/png"},
    "jpg": {"image/jpeg"},
    "webp": {"image/webp"},
    "txt": {"text/plain"},
    "ico": {"image/x-icon", "image/vnd.microsoft.icon"},
    "woff2": {"font/woff2"},
}


@pytest.fixture(scope="module")
def site(public, sample_database):
    with Server("--database", sample_database, "--public", public) as running:
        yield running


@pytest.mark.parametrize("ending", TYPES)
def test_a_file_has_the_type_of_its_ending(site, ending):
    reply = site.get(f"/file.{ending}")
    assert (reply.status, reply.body) == (200, b"x" * 10)
    assert reply.type in TYPES[ending]
    assert reply.fields["x-content-type-options"] == "nosniff"
    # A browser that opens these as a page runs scripts in them.
    assert ("content-security-policy" in reply.fields) == (ending in ("html", "svg"))


def test_files_may_be_in_folders_and_have_escaped_names(site):
    assert site.get("/deep/er/page.txt").text == "deep"
    assert site.get("/two%20words.txt").text == "spaced"
    assert site.get("/gr%C3%B6%C3%9Fe.txt").text == "big"
    assert site.get("/plus+.txt").text == "plus"
    assert site.get("/empty.txt").body == b""


@pytest.mark.parametrize(
    "path",
    [
        "/none.txt",
        "/deep",
        "/deep/",
        "/deep/er",
        "/deep/none",
        "/deep/er/page.txt/",
        "/deep/er/page.txt/x",
        "/file.html/..",
        "/empty.txt%00",
        "/" + "x" * 300,
        "/" + "x/" * 500,
    ],
)
def test_a_path_without_a_file_is_a_problem(site, path):
    site.get(path).rejected((400, 404, 414))


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt", "/deep/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E/secret.txt", "/.%2e/secret.txt",
        "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "/deep/..%2f..%2fsecret.txt", "/..%5csecret.txt",
        "/%252e%252e/secret.txt", "//secret.txt", "/./../secret.txt", "/link.txt", "/up/secret.txt",
        "/deep/%00/../../../secret.txt", "//etc/passwd", "/%2fetc%2fpasswd", "/../../../../../../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    ],
)
def test_no_file_outside_the_folder_is_served(site, path):
    answered = site.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answered[9:12] in (b"400", b"403", b"404"), answered[:200]
    assert SECRET.encode() not in answered
    assert b"root:" not in answered
