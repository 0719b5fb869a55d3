"""All routes: problems, methods, origins, connections."""

import pytest

# Routes and rejections are the same in every store.
pytestmark = pytest.mark.one_store

READS = ["/", "/window", "/strips", "/strips/mixed", "/strips/mixed/groups", "/livez", "/readyz"]
READS += ["/strips/mixed/items/a1"]
MISSING = [
    "/nothing", "/window/", "/window/more", "/Window", "/livez/x", "/strips/none", "/strips/none/groups",
    "/strips/none/items/a1", "/strips/mixed/items/none", "/strips/mixed/items/a1/more", "/strips/mixed/nothing",
]


@pytest.mark.parametrize("path", READS)
def test_every_route_exists(server, path):
    assert server.get(path).status == 200


@pytest.mark.parametrize("path", MISSING)
def test_any_other_path_is_a_problem_404(server, path):
    server.get(path).rejected(404)


@pytest.mark.parametrize("path", READS)
def test_another_method_is_405_with_allow(server, path):
    for method in ["POST", "PATCH"] if path == "/strips/mixed" else ["POST", "PUT", "DELETE", "PATCH"]:
        reply = server.ask(method, path)
        reply.rejected((405, 501) if method == "PATCH" else 405)
        if reply.status == 405:
            allowed = {name.strip() for name in reply.fields["allow"].split(",")}
            assert {"GET", "HEAD"} <= allowed
            assert method not in allowed


PROBES = ["/livez", "/readyz", "/metrics"]


@pytest.mark.parametrize("path", [path for path in READS[1:] if path not in PROBES])
@pytest.mark.parametrize("origin", ["https://example.org", "null", "http://localhost:3000"])
def test_reads_may_be_fetched_from_any_origin_without_credentials(server, path, origin):
    reply = server.get(path, {"Origin": origin})
    assert reply.fields["access-control-allow-origin"] in ("*", origin)
    assert "access-control-allow-credentials" not in reply.fields


@pytest.mark.parametrize("path", [*PROBES, "/%6civez", "/%6Detrics?x=1"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_no_page_of_another_origin_may_read_probes(server, path, method):
    asked = {"Access-Control-Request-Method": "GET"} if method == "OPTIONS" else {}
    reply = server.ask(method, path, {"Origin": "https://example.org", **asked})
    assert reply.status in (200, 204)
    assert not [name for name in reply.fields if name.startswith("access-control-")]


@pytest.mark.parametrize("path", ["/window?width=0", "/strips/none", "/window?strip=none"])
def test_errors_of_reads_may_be_fetched_from_any_origin(server, path):
    reply = server.get(path, {"Origin": "https://example.org"})
    assert reply.fields["access-control-allow-origin"] in ("*", "https://example.org")


#: Requests that are rejected before the router sees them.
REJECTED = [("/a/../b", {}, 400), ("/" + "x" * 9000, {}, 414), ("/livez", {"Expect": "x"}, 417)]


@pytest.mark.parametrize("target, fields, status", REJECTED, ids=["climbing", "too long", "expecting"])
def test_early_rejections_of_reads_may_be_fetched_from_any_origin(server, target, fields, status):
    reply = server.get(target, fields | {"Origin": "https://example.org"})
    assert reply.rejected(status)
    assert reply.fields["access-control-allow-origin"] == "*"
    reply = server.ask("PUT", target, fields | {"Origin": "https://example.org"})
    assert reply.rejected(status)
    assert "access-control-allow-origin" not in reply.fields


def test_rejections_are_for_the_origins_of_the_option_origin(serving):
    server = serving("--origin", "https://a.example")
    for origin, allowed in (("https://a.example", "https://a.example"), ("https://b.example", None)):
        reply = server.get("/a/../b", {"Origin": origin})
        assert reply.status == 400 and reply.fields["vary"] == "Origin"
        assert reply.fields.get("access-control-allow-origin") == allowed


@pytest.mark.parametrize("path", ["/strips/mixed/edits", "/strips/mixed"])
def test_changes_are_allowed_from_no_origin(server, path):
    """The answer to a CORS preflight request allows no change."""
    wanted = "POST" if path.endswith("edits") else "PUT"
    asked = {"Access-Control-Request-Method": wanted, "Access-Control-Request-Headers": "authorization"}
    reply = server.ask("OPTIONS", path, {"Origin": "https://example.org", **asked})
    allowed= reply.fields.get("access-control-allow-methods", "")
    assert wanted not in allowed and "*" not in allowed
    assert "authorization" not in reply.fields.get("access-control-allow-headers", "").lower()


def test_answers_have_a_content_length_and_nosniff(server):
    for path in READS:
        reply = server.get(path)
        assert int(reply.fields["content-length"]) == len(reply.body), path
        assert reply.fields.get("x-content-type-options") == "nosniff", path


def test_a_problem_has_status_title_and_detail(server):
    problem = server.window(width="0").rejected(400, "width")
    assert "width" in problem["detail"]
    problem = server.window(strip="none").rejected(404, "strip")
    assert "none" in problem["detail"]


@pytest.mark.parametrize("path", [*READS, "/strips/mixed/facets?field=kind", "/window?q=a", "/openapi.json"])
def test_a_client_that_has_closed_its_sending_half_gets_the_same_status(server, path):
    received = server.raw(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode(), is_half_closed=True)
    assert int(received.split(b" ")[1]) == server.get(path).status
