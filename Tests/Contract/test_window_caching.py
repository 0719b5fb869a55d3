"""The ETag and Cache-Control of windows."""

import pytest

pytestmark = pytest.mark.one_store

PINNED = "public, max-age=31536000, immutable"


@pytest.fixture
def pinned(server) -> str:
    """The target of a window with its revision."""
    return f"/window?strip=mixed&width=300&revision={server.revision('mixed')}"


def test_an_answer_with_a_revision_is_immutable(server, pinned):
    for more in ("", "&format=html", "&have=0..5"):
        reply = server.get(pinned + more)
        assert reply.fields["cache-control"] == PINNED, more
        again = server.get(pinned + more, {"If-None-Match": reply.fields["etag"]})
        assert (again.status, again.body) == (304, b""), more


def test_an_answer_without_a_revision_is_no_cache(server):
    for more in ("", "&format=html", "&revision=", "&v=1"):
        assert server.get(f"/window?strip=mixed{more}").fields["cache-control"] == "no-cache"


def test_the_parameter_revision_does_not_change_the_body(server, pinned):
    unpinned = server.get("/window?strip=mixed&width=300")
    assert server.get(pinned).body == unpinned.body


@pytest.mark.parametrize("wrong", ["width=0", "foo=1", "strip=none", "item=none", "revision=1"])
def test_errors_are_not_stored(server, wrong):
    assert server.get(f"/window?{wrong}").fields["cache-control"] == "no-store"


def test_an_etag_is_strong_and_follows_the_body(server):
    one, same, other = (server.window(strip="mixed", offset=offset) for offset in ("100", "1e2", "200"))
    tag = one.fields["etag"]
    assert tag.startswith('"') and tag.endswith('"') and len(tag) > 2
    assert same.fields["etag"] == tag
    assert other.fields["etag"] != tag


def test_a_matching_etag_is_304(server, pinned):
    for target in (pinned, "/window?strip=mixed"):
        fresh = server.get(target)
        again = server.get(target, {"If-None-Match": fresh.fields["etag"]})
        assert (again.status, again.body) == (304, b""), f"{again}"
        assert again.fields["etag"] == fresh.fields["etag"]
        assert again.fields["cache-control"] == fresh.fields["cache-control"]


def test_head_has_the_fields_of_get_without_the_body(server, pinned):
    for target in (pinned, "/window", "/window?strip=none", "/strips", "/livez", "/"):
        got, head = server.get(target), server.ask("HEAD", target)
        assert (head.status, head.body) == (got.status, b"")
        for name in ("content-type", "content-length", "etag", "cache-control"):
            assert head.fields.get(name) == got.fields.get(name), f"{head.request}: {name}"


def test_fresh_for_lets_shared_caches_store_the_newest_window(sample_database, serving):
    server = serving("--database", sample_database, "--fresh-for", "7")
    control = server.get("/window").fields["cache-control"]
    parts = {part.strip().split("=")[0]: part.strip() for part in control.split(",")}
    assert parts.get("s-maxage") == "s-maxage=7", control
    assert "stale-while-revalidate" in parts, control
    pinned = f"/window?revision={server.revision('mixed')}"
    assert server.get(pinned).fields["cache-control"] == PINNED
    # The page opens its event stream after 7 seconds, because its first window can be that old.
    assert ' live="7" ' in server.get("/").text
    assert ' live="" ' in serving("--database", sample_database).get("/").text
