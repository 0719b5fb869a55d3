"""`serve --closed`: who bears a token of a strip reads it, and nobody else reads anything."""

import re
import socket

import pytest

from command import carousel, imported, told
from editing import numbered, token
from model.strips import Strip
from server import Reply, Server
from waiting import GIVEN_UP_SECONDS, come_to

STRIP, OTHER = Strip("s", numbered(4)), Strip("other", numbered(2))
EVENTS = "/events?strips=s"


class Closed:
    """A closed server, and a token for each of its strips."""

    def __init__(self, database, server: Server):
        self.database, self.server = database, server
        self.tokens = {name: token(database, name) for name in ("s", "other", "unmade")}

    def get(self, target: str, bearer: str | None = "s", **fields: str) -> Reply:
        """A read with the token of the strip `bearer`."""
        if bearer is not None:
            fields["Authorization"] = f"Bearer {self.tokens.get(bearer, bearer)}"
        return self.server.get(target, fields)

    def reads(self) -> list[str]:
        """What there is to read of the strip `s`, but for its events."""
        revision = self.get("/strips/s").json()["revision"]
        parts = ["/strips/s", "/strips/s/groups", "/strips/s/items/i0", "/window?strip=s"]
        pinned = [f"{part}{'&' if '?' in part else '?'}revision={revision}" for part in parts]
        return [*parts, *pinned, "/?strip=s", "/window?strip=s&format=html"]


@pytest.fixture
def closed(database, serving):
    imported(database, STRIP, OTHER)
    return Closed(database, serving("--database", database, "--closed"))


@pytest.mark.parametrize("bearer", [None, "", "wrong"])
def test_without_a_token_nobody_learns_what_there_is(closed, bearer):
    there = [*closed.reads(), EVENTS, "/strips", "/", "/window"]
    none = ["/window?strip=none", "/strips/none", "/strips/s/items/none", "/events?strips=none"]
    for target in [*there, *none, "/window?strip=s&revision=1", "/strips?after=none"]:
        reply = closed.get(target, bearer)
        reply.refused(401)
        assert reply.fields["www-authenticate"].startswith("Bearer")


def test_a_token_reads_its_strip_alone(closed):
    for target in closed.reads():
        assert closed.get(target).status == 200
        closed.get(target, "other").refused(403)
        closed.get(target, "unmade").refused(403)
    for target in (EVENTS, "/events?strips=none", "/window?strip=none", "/strips/none"):
        closed.get(target, "other").refused(403)
    closed.get("/events?strips=s,other").refused(403)
    closed.get("/strips/unmade", "unmade").refused(404)


def test_lists_and_defaults_are_those_of_the_token(closed):
    for name, strips in [("s", ["s"]), ("other", ["other"]), ("unmade", [])]:
        assert [one["strip"] for one in closed.get("/strips", name).json()["strips"]] == strips
    assert closed.get("/window", "other").json()["strip"] == "other"
    page = closed.get("/?strip=other", "other").text
    assert "/?strip=s" not in page
    closed.get("/strips?after=s", "other").refused(403)


def test_no_shared_cache_keeps_an_answer(closed):
    for target in closed.reads():
        # Asked again it may be kept by the server, and says the same.
        for reply in [closed.get(target) for _ in range(4)]:
            kept = reply.fields["cache-control"]
            assert "private" in kept and "public" not in kept and "s-maxage" not in kept
            assert "authorization" in re.split(r", *", reply.fields["vary"].lower())
            again = closed.get(target, **{"If-None-Match": reply.fields["etag"]})
            assert (again.status, again.fields["cache-control"]) == (304, kept)
            closed.get(target, "other").refused(403)
    assert "immutable" in closed.get(closed.reads()[-3]).fields["cache-control"]


def test_a_revoked_token_soon_reads_no_more(closed):
    targets = closed.reads()
    with socket.create_connection(("127.0.0.1", closed.server.port), timeout=GIVEN_UP_SECONDS) as link:
        fields = f"Host: x\r\nAuthorization: Bearer {closed.tokens['s']}\r\n"
        link.sendall(f"GET {EVENTS} HTTP/1.1\r\n{fields}\r\n".encode())
        heard = link.recv(65536)
        assert heard.startswith(b"HTTP/1.1 200"), heard
        listed = carousel("token", "list", "--database", closed.database).stdout.decode()
        lines = [line.split("\t") for line in listed.splitlines()]
        number = next(number for number, strip, *_ in lines if strip == "s")
        revoked = carousel("token", "revoke", number, "--database", closed.database)
        assert revoked.returncode == 0, told(revoked)
        for target in targets:
            come_to(lambda: closed.get(target).status != 200, f"{target}: a revoked token still reads")
            closed.get(target).refused(401)
        # Its stream ends too, by the chunk that is the last one.
        while not heard.endswith(b"\r\n0\r\n\r\n"):
            part = link.recv(65536)
            assert part, heard
            heard += part


def test_what_tells_nothing_of_strips_is_open(closed):
    for target in ("/livez", "/readyz", "/metrics", "/openapi.json", "/js/embed.js"):
        assert closed.get(target, None).status == 200


def test_a_token_changes_its_strip_as_ever(closed):
    fields = {"Content-Type": "application/json"}
    batch = b'[{"op":"remove","ids":["i0"]}]'
    closed.server.ask("POST", "/strips/s/edits", fields, batch).refused(401)
    fields["Authorization"] = f"Bearer {closed.tokens['s']}"
    assert closed.server.ask("POST", "/strips/s/edits", fields, batch).status == 200
    assert closed.get("/window?strip=s").json()["count"] == 3


def test_a_token_for_reading_alone_changes_nothing(closed):
    bearer = token(closed.database, "s", "--read-only")
    assert closed.get("/window?strip=s", bearer).status == 200
    closed.get("/window?strip=other", bearer).refused(403)
    fields = {"Content-Type": "application/json", "Authorization": f"Bearer {bearer}"}
    batch = b'[{"op":"remove","ids":["i0"]}]'
    closed.server.ask("POST", "/strips/s/edits", fields, batch).refused(403)
    assert closed.get("/window?strip=s").json()["count"] == 4
    listed = carousel("token", "list", "--database", closed.database).stdout.decode().splitlines()
    assert [line.split("\t")[-1] for line in listed][-2:] == ["changes", "reads"]


@pytest.mark.parametrize("options", [[], ["--fresh-for", "10"]])
def test_what_cannot_be_closed_is_a_wrong_command_line(shelf_database, options):
    at = ["--database", shelf_database] if options else []
    run = carousel("serve", "--port", "0", "--closed", *at, *options)
    assert run.returncode == 64, told(run)
