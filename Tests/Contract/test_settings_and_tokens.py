"""`PUT` and `DELETE /strips/{strip}`, and the tokens without which nothing changes."""

import socket

import pytest

from command import carousel, imported, told
from editing import editors, numbered, token
from model.strips import Strip
from server import Server
from waiting import come_to

STRIP = Strip("s", numbered(4))
EDIT = {"op": "move", "ids": ["i0"], "before": None}


@pytest.fixture
def editor(database):
    yield from editors(database, STRIP)


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic dXNlcjpwYXNz", "Bearer a b"],
)
def test_no_token_no_write(editor, authorization):
    before = editor.revision
    for method, path, body in [
        ("POST", "/strips/s/edits", [EDIT]),
        ("PUT", "/strips/s", {"title": "x"}),
        ("DELETE", "/strips/s", None),
        ("POST", "/strips/none/edits", [EDIT]),
        ("DELETE", "/strips/none", None),
    ]:
        reply = editor.send(method, path, body, {"Authorization": authorization})
        reply.refused(401)
        assert reply.fields["www-authenticate"].startswith("Bearer")
    assert editor.revision == before


@pytest.mark.parametrize("bearer", [None, "nonsense", "its own"])
def test_a_client_that_asks_first_sends_no_body_in_vain(editor, bearer):
    fields = "Content-Length: 2\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n"
    if bearer:
        secret = editor.bearer if bearer == "its own" else bearer
        fields += f"Authorization: Bearer {secret}\r\n"
    with socket.create_connection(("127.0.0.1", editor.server.port), timeout=10) as link:
        link.sendall(f"PUT /strips/{editor.strip.name} HTTP/1.1\r\nHost: a\r\n{fields}\r\n".encode())
        received = link.makefile("rb")
        status = received.readline()
        if bearer == "its own":
            assert status.startswith(b"HTTP/1.1 100 ") and received.readline() == b"\r\n"
            link.sendall(b"{}")
            assert received.readline().startswith(b"HTTP/1.1 200 ")
        else:
            assert status.startswith(b"HTTP/1.1 401 ")
            assert b"HTTP/1.1" not in received.read()


def test_a_token_writes_its_strip_alone(editor):
    imported(editor.database, Strip("other", numbered(2)))
    other = token(editor.database, "other")
    reply = editor.edit(EDIT, fields={"Authorization": f"Bearer {other}"})
    reply.refused(403)
    assert editor.ids() == ["i0", "i1", "i2", "i3"]


def test_the_scheme_of_a_token_is_read_in_any_case(editor):
    assert editor.edit(EDIT, fields={"Authorization": f"bearer {editor.bearer}"}).status == 200


def test_tokens_are_listed_without_their_secret_and_revoked(editor):
    listed = carousel("token", "list", "--database", editor.database)
    assert listed.returncode == 0, told(listed)
    assert b"s" in listed.stdout.split()
    assert editor.bearer.encode() not in listed.stdout
    name = next(word for word in listed.stdout.decode().splitlines()[-1].split())
    revoked = carousel("token", "revoke", name, "--database", editor.database)
    assert revoked.returncode == 0, told(revoked)
    come_to(lambda: editor.edit(EDIT).status != 200, "a revoked token still writes")
    editor.edit(EDIT).refused(401)


def test_a_database_holds_no_token(editor):
    content = editor.database.content()
    assert b"i1" in content and editor.bearer.encode() not in content


def test_settings_are_a_merge_patch(editor):
    before = editor.revision
    reply = editor.send("PUT", "/strips/s", {"title": "Ein Titel", "height": 90.5, "loop": True})
    assert reply.status in (200, 201), f"{reply}"
    told_now = editor.server.get("/strips/s").json()
    inner = told_now.get("settings", told_now)
    assert (inner["title"], inner["height"], inner["loop"]) == ("Ein Titel", 90.5, True)
    assert editor.revision == before + 1
    editor.send("PUT", "/strips/s", {"height": None})
    told_now = editor.server.get("/strips/s").json()
    inner = told_now.get("settings", told_now)
    assert (inner["title"], inner["height"], inner["loop"]) == ("Ein Titel", 180, True)
    assert editor.ids()[:4] == ["i0", "i1", "i2", "i3"]


@pytest.mark.parametrize(
    "patch",
    [
        {"height": 15},
        {"height": "180"},
        {"height": 16385},
        {"gap": -1},
        {"inset": 65537},
        {"loop": "true"},
        {"title": 7},
        {"snap": "sideways"},
        {"count": 3},
        [],
        "x",
    ],
)
def test_settings_that_are_none_are_400(editor, patch):
    before = editor.revision
    editor.send("PUT", "/strips/s", patch).refused(400)
    assert editor.revision == before


def test_a_strip_removed_and_made_again_goes_on_above_its_former_revision(editor):
    former = editor.revision
    reply = editor.send("DELETE", "/strips/s", None)
    assert reply.status in (200, 204), f"{reply}"
    editor.server.get("/strips/s").refused(404)
    editor.server.window(strip="s").refused(404, "strip")
    reply = editor.send("PUT", "/strips/s", {})
    if reply.status in (401, 403):
        pytest.skip("a token ends with its strip here")
    assert reply.status in (200, 201), f"{reply}"
    assert editor.revision > former
    assert editor.ids() == []
    editor.window(revision=str(former)).refused(410, "revision")
    editor.window(revision=str(editor.revision - 1)).refused(404, "revision")


def test_a_strip_can_be_made_only_where_there_is_none_and_changed_only_where_there_is_one(editor):
    absent = {"If-None-Match": "*"}
    before = editor.revision
    problem = editor.send("PUT", "/strips/s", {"title": "x"}, absent).refused(412)
    assert str(before) in problem["detail"]
    editor.edit(EDIT, fields=absent).refused(412)
    editor.send("DELETE", "/strips/s", None, {"If-None-Match": f'"{before}"'}).refused(412)
    assert editor.revision == before
    editor.send("DELETE", "/strips/s", None, {"If-Match": "*"})
    editor.send("PUT", "/strips/s", {}, {"If-Match": "*"}).refused(412)
    # Without the condition it would be 404, and so it is with one (RFC 9110, 13.2.1).
    for method, path, body in (("POST", "/strips/s/edits", [EDIT]), ("DELETE", "/strips/s", None)):
        editor.send(method, path, body, {"If-Match": "*"}).refused(404)
    assert editor.send("PUT", "/strips/s", {}, absent).status == 201


def test_reading_needs_no_token(editor):
    with Server("--database", editor.database) as other:
        assert other.window(strip="s").status == 200
