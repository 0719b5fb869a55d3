"""Content codings: long text is compressed. `RepresentationTests` has the choice of the coding."""

import gzip


def test_gzip_has_the_same_content(built_in):
    plain, packed = (built_in.get("/window?strip=albums&width=4000", {"Accept-Encoding": coding}) for coding in ("identity", "gzip"))
    assert packed.fields["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.fields
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 3


def test_a_long_file_is_compressed_and_a_short_answer_is_not(built_in):
    page = built_in.get("/openapi.json", {"Accept-Encoding": "gzip"})
    assert page.fields["content-encoding"] == "gzip"
    assert built_in.get("/livez", {"Accept-Encoding": "gzip"}).fields.get("vary") is None
