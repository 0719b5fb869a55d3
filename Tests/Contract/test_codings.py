"""Codings: what is text and long enough is packed as the caller weighs it."""

import gzip

import pytest


def taking(built_in, accepted: str, **more):
    return built_in.get(
        "/window?strip=albums&width=4000", {"Accept-Encoding": accepted, **more}
    )


def test_gzip_holds_the_same_bytes(built_in):
    plain, packed = taking(built_in, "identity"), taking(built_in, "gzip")
    assert packed.fields["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.fields
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 3


@pytest.mark.parametrize(
    "accepted, coding",
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.1, gzip;q=0.2", "gzip"),
        ("gzip;q=0", None),
        ("*", "br"),
        ("identity;q=0.5, gzip;q=0.4", None),
    ],
)
def test_the_weights_choose(built_in, accepted, coding):
    assert taking(built_in, accepted).fields.get("content-encoding") == coding


def test_who_takes_nothing_is_told(built_in):
    taking(built_in, "identity;q=0").refused(406)


def test_each_coding_has_its_own_tag(built_in):
    tags = [taking(built_in, coding).fields["etag"] for coding in ("identity", "gzip", "br")]
    assert len(set(tags)) == 3
    for coding, tag in zip(("identity", "gzip", "br"), tags):
        again = taking(built_in, coding, **{"If-None-Match": tag})
        assert again.status == 304
        assert again.fields["etag"] == tag
        assert "accept-encoding" in again.fields["vary"].lower()
    assert taking(built_in, "gzip", **{"If-None-Match": tags[2]}).status == 200


def test_a_file_is_packed_and_a_short_answer_is_not(built_in):
    page = built_in.get("/openapi.json", {"Accept-Encoding": "gzip"})
    assert page.fields["content-encoding"] == "gzip"
    assert built_in.get("/livez", {"Accept-Encoding": "gzip"}).fields.get("vary") is None
