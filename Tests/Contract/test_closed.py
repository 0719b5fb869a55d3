"""`serve --closed`: a token of a strip is required to read the strip."""

import re

import pytest

from command import carousel, exited, imported
from editing import numbered, token
from model.strips import Strip
from server import Reply, Server
from waiting import wait_until

STRIP, OTHER = Strip("s", numbered(4)), Strip("other", numbered(2))
EVENTS = "/events?strips=s"


class Closed:
    """A closed server, and a token for each of its strips."""

    def __init__(self, database, server: Server):
        self.database, self.server = database, server
        self.tokens = {name: token(database, name) for name in ("s", "other", "unmade")}

    def get(self, target: str, bearer: str | None = "s", **fields: str) -> Reply:
        """Sends GET with the token of the strip `bearer`, or with `bearer` itself."""
        if bearer is not None:
            fields["Authorization"] = f"Bearer {self.tokens.get(bearer, bearer)}"
        return self.server.get(target, fields)

    def reads(self) -> list[str]:
        """All targets that read the strip `s`, without its events."""
        revision = self.get("/strips/s").json()["revision"]
        parts = ["/strips/s", "/strips/s/groups", "/strips/s/items/i0", "/window?strip=s"]
        pinned = [f"{part}{'&' if '?' in part else '?'}revision={revision}" for part in parts]
        return [*parts, *pinned, "/?strip=s", "/window?strip=s&format=html"]


@pytest.fixture(scope="module")
def closed(store, tmp_path_factory):
    """A closed server, whose strips and tokens no test changes."""
    database = imported(store(tmp_path_factory.mktemp("closed")), STRIP, OTHER)
    with Server("--database", database, "--closed") as server:
        yield Closed(database, server)


@pytest.fixture
def editable(database, serving):
    imported(database, STRIP, OTHER)
    return Closed(database, serving("--database", database, "--closed"))


def test_without_a_token_every_read_is_401_whether_the_strip_exists_or_not(closed):
    there = [*closed.reads(), EVENTS, "/strips", "/", "/window"]
    none = ["/window?strip=none", "/strips/none", "/strips/s/items/none", "/events?strips=none"]
    for bearer in (None, "", "wrong"):
        for target in [*there, *none, "/window?strip=s&revision=1", "/strips?after=none"]:
            reply = closed.get(target, bearer)
            reply.rejected(401)
            assert reply.fields["www-authenticate"].startswith("Bearer"), (target, bearer)


def test_a_token_reads_its_own_strip_only(closed):
    for target in closed.reads():
        assert closed.get(target).status == 200
        closed.get(target, "other").rejected(403)
        closed.get(target, "unmade").rejected(403)
    for target in (EVENTS, "/events?strips=none", "/window?strip=none", "/strips/none"):
        closed.get(target, "other").rejected(403)
    closed.get("/events?strips=s,other").rejected(403)
    closed.get("/strips/unmade", "unmade").rejected(404)


def test_lists_and_defaults_contain_only_the_strip_of_the_token(closed):
    for name, strips in [("s", ["s"]), ("other", ["other"]), ("unmade", [])]:
        assert [one["strip"] for one in closed.get("/strips", name).json()["strips"]] == strips
    assert closed.get("/window", "other").json()["strip"] == "other"
    page = closed.get("/?strip=other", "other").text
    assert "/?strip=s" not in page
    closed.get("/strips?after=s", "other").rejected(403)


def test_no_shared_cache_may_store_an_answer(closed):
    for target in closed.reads():
        # The server may answer again from its cache.
        for reply in [closed.get(target) for _ in range(4)]:
            kept = reply.fields["cache-control"]
            assert "private" in kept and "public" not in kept and "s-maxage" not in kept
            assert "authorization" in re.split(r", *", reply.fields["vary"].lower())
            again = closed.get(target, **{"If-None-Match": reply.fields["etag"]})
            assert (again.status, again.fields["cache-control"]) == (304, kept)
            closed.get(target, "other").rejected(403)
    assert "immutable" in closed.get(closed.reads()[-3]).fields["cache-control"]


def test_a_revoked_token_cannot_read(editable):
    targets = editable.reads()
    with editable.server.connect() as link:
        fields = f"Host: x\r\nAuthorization: Bearer {editable.tokens['s']}\r\n"
        link.sendall(f"GET {EVENTS} HTTP/1.1\r\n{fields}\r\n".encode())
        head = link.recv(65536)
        assert head.startswith(b"HTTP/1.1 200"), head
        listed = carousel("token", "list", "--database", editable.database).stdout.decode()
        lines = [line.split("\t") for line in listed.splitlines()]
        number = next(number for number, strip, *_ in lines if strip == "s")
        exited(carousel("token", "revoke", number, "--database", editable.database))
        for target in targets:
            wait_until(lambda: editable.get(target).status != 200, f"{target}: a revoked token can still read")
            editable.get(target).rejected(401)
        # Its stream ends too, with the last chunk.
        while not head.endswith(b"\r\n0\r\n\r\n"):
            part = link.recv(65536)
            assert part, head
            head += part


def test_routes_that_show_no_strip_need_no_token(closed):
    for target in ("/livez", "/readyz", "/metrics", "/openapi.json", "/js/embed.js"):
        assert closed.get(target, None).status == 200


def test_a_token_may_edit_its_strip(editable):
    fields = {"Content-Type": "application/json"}
    batch = b'[{"op":"remove","ids":["i0"]}]'
    editable.server.ask("POST", "/strips/s/edits", fields, batch).rejected(401)
    fields["Authorization"] = f"Bearer {editable.tokens['s']}"
    assert editable.server.ask("POST", "/strips/s/edits", fields, batch).status == 200
    assert editable.get("/window?strip=s").json()["count"] == 3


def test_a_read_only_token_cannot_edit(editable):
    bearer = token(editable.database, "s", "--read-only")
    assert editable.get("/window?strip=s", bearer).status == 200
    editable.get("/window?strip=other", bearer).rejected(403)
    fields = {"Content-Type": "application/json", "Authorization": f"Bearer {bearer}"}
    batch = b'[{"op":"remove","ids":["i0"]}]'
    editable.server.ask("POST", "/strips/s/edits", fields, batch).rejected(403)
    assert editable.get("/window?strip=s").json()["count"] == 4
    listed = carousel("token", "list", "--database", editable.database).stdout.decode().splitlines()
    assert [line.split("\t")[-1] for line in listed][-2:] == ["changes", "reads"]


@pytest.mark.parametrize("options", [[], ["--fresh-for", "10"]])
def test_closed_without_a_database_or_with_fresh_for_is_a_wrong_command_line(sample_database, options):
    at = ["--database", sample_database] if options else []
    exited(carousel("serve", "--port", "0", "--closed", *at, *options), 64)
