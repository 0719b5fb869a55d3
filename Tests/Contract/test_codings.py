"""Content codings: long text is compressed with the coding that the client prefers."""

import gzip
from uuid import uuid4

import pytest

CODINGS = ("identity", "gzip", "br")


def window(built_in, accepted: str, version="", **more):
    target = f"/window?strip=albums&width=4000&v={version}"
    return built_in.get(target, {"Accept-Encoding": accepted, **more})


def test_gzip_has_the_same_content(built_in):
    plain, packed = window(built_in, "identity"), window(built_in, "gzip")
    assert packed.fields["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.fields
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 3


@pytest.mark.parametrize(
    "accepted, coding",
    [
        ("gzip, deflate, br, zstd", "gzip"), ("deflate, br", "br"), ("gzip;q=0.1, br;q=0.2", "br"),
        ("br;q=0.1, gzip;q=0.2", "gzip"), ("gzip;q=0", None), ("*", "gzip"), ("identity;q=0.5, gzip;q=0.4", None),
    ],
)
def test_the_coding_with_the_highest_quality_value_is_used(built_in, accepted, coding):
    # A new version makes the window a new one.
    response = window(built_in, accepted, version=uuid4())
    assert response.fields.get("content-encoding") == coding


def test_a_repeated_window_has_a_small_coding_or_the_one_that_the_client_has(built_in):
    accepted, version = "gzip, deflate, br, zstd", uuid4()
    first = window(built_in, accepted, version)
    tag = {"If-None-Match": first.fields["etag"]}
    assert window(built_in, accepted, version, **tag).status == 304
    repeated = window(built_in, accepted, version)
    assert repeated.fields["content-encoding"] == "br"
    assert len(repeated.body) <= len(first.body)
    assert window(built_in, accepted, version, **tag).status == 304


def test_a_client_that_accepts_no_coding_gets_406(built_in):
    window(built_in, "identity;q=0").rejected(406)


def test_each_coding_has_its_own_etag(built_in):
    tags = [window(built_in, coding).fields["etag"] for coding in CODINGS]
    assert len(set(tags)) == 3
    for coding, tag in zip(CODINGS, tags):
        again = window(built_in, coding, **{"If-None-Match": tag})
        assert again.status == 304
        assert again.fields["etag"] == tag
        assert "accept-encoding" in again.fields["vary"].lower()
    assert window(built_in, "gzip", **{"If-None-Match": tags[2]}).status == 200


@pytest.mark.parametrize(
    "target",
    [
        "/", "/openapi.json", "/js/page/page.js", "/css/page.css", "/strips", "/strips/albums",
        "/strips/albums/groups", "/strips/albums/items?ids=%5B%22a1%22,%22a2%22%5D",
        "/strips/elements/facets?field=category,group&limit=100", "/window?strip=albums&width=4000",
        "/window?strip=albums&width=4000&format=html", "/window?strip=albums&width=4000&format=element",
    ],
)
@pytest.mark.parametrize("coding", CODINGS)
def test_a_304_has_the_length_of_the_200(built_in, target, coding):
    accepted = {"Accept-Encoding": coding}
    for _ in range(3):  # The second answer to a window may come from the cache.
        first = built_in.get(target, accepted)
        assert first.status == 200, target
        again = built_in.get(target, {**accepted, "If-None-Match": first.fields["etag"]})
        assert again.status == 304
        assert again.fields.get("content-length") in (None, first.fields["content-length"])


def test_a_long_file_is_compressed_and_a_short_answer_is_not(built_in):
    page = built_in.get("/openapi.json", {"Accept-Encoding": "gzip"})
    assert page.fields["content-encoding"] == "gzip"
    assert built_in.get("/livez", {"Accept-Encoding": "gzip"}).fields.get("vary") is None
