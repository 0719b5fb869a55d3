"""`POST /strips/{strip}/lists`: lists of ids for views, and the tokens for them."""

import base64
import hashlib
import json
import re
import socket
from contextlib import ExitStack

import pytest

from cases import case
from command import carousel, imported
from editing import Editor, editors, numbered, token
from model.strips import Strip
from server import Server
from waiting import wait_until

STRIP = Strip("s", numbered(4))
PATH = "/strips/s/lists"


@pytest.fixture
def editor(database):
    yield from editors(database, STRIP)


def name_of(ids: list[str]) -> str:
    """ "the name is the SHA-256 of the array in compact JSON, in unpadded base64url"."""
    compact = json.dumps(ids, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(hashlib.sha256(compact).digest()).decode().rstrip("=")


def head_of(length: int, bearer: str) -> bytes:
    fields = f"Authorization: Bearer {bearer}\r\nContent-Type: application/json\r\n"
    return f"POST {PATH} HTTP/1.1\r\nHost: a\r\n{fields}Content-Length: {length}\r\n\r\n".encode()


def test_a_list_is_201_and_then_200(editor):
    before = editor.revision
    for ids in [["i2", "i0"], ["gone"], ["é", "e\u0301", 'a"b', "\\/", "\U0001f600"]]:
        for status in (201, 200):
            reply = editor.send("POST", PATH, json.dumps(ids, indent=2).encode())
            assert reply.status == status, f"{ids} {reply}"
            assert json.loads(reply.body) == {"list": name_of(ids), "count": len(ids)}
    assert editor.revision == before


def test_ids_of_a_list_may_have_256_bytes_each(editor):
    ids = [f"{n:0256}" for n in range(100_000)]
    reply = editor.send("POST", PATH, ids)
    assert (reply.status, json.loads(reply.body)["count"]) == (201, 100_000), f"{reply}"
    assert json.loads(reply.body)["list"] == name_of(ids)
    editor.send("POST", "/strips/s/edits", ids).rejected(413)
    editor.send("POST", PATH, b" " * 60_000_000).rejected(413)


@pytest.mark.one_store
def test_a_large_list_without_the_right_is_not_held_in_memory(database):
    imported(database, STRIP)
    bearers = [None, "wrong", token(database, "s", "--read-only"), token(database, "s")]
    ids = [f"{n:0256}" for n in range(10_000)]
    body = json.dumps(ids).encode()
    with Server("--database", database, "--body-budget", str(len(body) * 8 // 7)) as server, ExitStack() as links:
        received = []
        for bearer in bearers:
            link = links.enter_context(server.connect())
            fields = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            if bearer:
                fields += f"Authorization: Bearer {bearer}\r\n"
            link.sendall(f"POST {PATH} HTTP/1.1\r\nHost: a\r\n{fields}\r\n".encode() + body[:-1])
            received.append(link)
        statuses = []
        for link in reversed(received):
            link.sendall(body[-1:])
            statuses.append(int(link.makefile("rb").readline().split()[1]))
        assert statuses == [201, 403, 401, 401]


@pytest.mark.one_store
def test_a_body_without_the_right_is_not_held_in_memory(database):
    """Nor is that of a read, which has no meaning."""
    imported(database, STRIP)
    changes, reading = token(database, "s"), token(database, "s", "--read-only")
    size = 500_000
    with Server("--database", database, "--body-budget", "1200000") as server, ExitStack() as links:
        received = []
        for method, path, bearer, status in [
            ("POST", "/strips/s/edits", None, 401),
            ("POST", "/strips/s/edits", "wrong", 401),
            ("PUT", "/strips/s", reading, 403),
            ("PUT", "/strips/s", token(database, "other"), 403),
            ("POST", "/window", None, 405),
            ("GET", "/strips/s", None, 200),
        ]:
            link = links.enter_context(server.connect())
            fields = f"Content-Type: application/json\r\nContent-Length: {size}\r\n"
            if bearer:
                fields += f"Authorization: Bearer {bearer}\r\n"
            link.sendall(f"{method} {path} HTTP/1.1\r\nHost: a\r\n{fields}\r\n".encode() + b" " * (size - 1))
            received.append((link, status))
        for link, status in received:
            link.sendall(b" ")
            assert link.makefile("rb").readline().split()[1] == str(status).encode()
        editor = Editor(server, database, STRIP, changes)
        assert editor.send("PUT", "/strips/s", b" " * size + b'{"title":"x"}').status == 200


@pytest.mark.one_store
def test_a_large_list_is_rejected_before_it_has_arrived(database):
    imported(database, STRIP)
    bearer = token(database, "s")
    with Server("--database", database) as server:
        with server.connect() as link:
            link.sendall(head_of(26_000_000, bearer) + b'["i0",["i1"],')
            reply = link.makefile("rb").read()
            assert reply.startswith(b"HTTP/1.1 400 "), reply
            assert b"an id of the list: it is an array, not a string" in reply


@pytest.mark.one_store
def test_slow_lists_of_one_token_leave_room_for_edits(database):
    imported(database, STRIP)
    lists, changes = token(database, "s", "--lists-only"), token(database, "s")
    options = ["--body-budget", "33500000", "--body-deadline", "120"]
    with Server("--database", database, *options) as server, ExitStack() as links:

        def send(count: int) -> socket.socket:
            """Sends all but the last byte of a list of `count` ids of 259 bytes each in JSON."""
            link = links.enter_context(server.connect())
            body = json.dumps([f"{n:0256}" for n in range(count)], separators=(",", ":")).encode()
            link.sendall(head_of(len(body), lists) + body[:-1])
            return link

        send(100_000)
        wait_until(lambda: server.metric("http_server_body_bytes") > 25.8e6)
        assert b" 503 " in send(20_000).makefile("rb").readline()
        send(10_000)
        editor = Editor(server, database, STRIP, changes)
        assert editor.send("PUT", "/strips/s", b" " * 1_000_000 + b'{"title":"x"}').status == 200


@pytest.mark.one_store
def test_a_list_takes_the_memory_of_its_ids_while_it_arrives(database):
    """Spaces and needless escapes take none. The parts end within ids, escapes and characters."""
    imported(database, STRIP)
    bearer = token(database, "s")
    ids = [f"é{n:084}" for n in range(40_000)]
    whole = json.dumps(ids, separators=(",", ":"), ensure_ascii=False).encode()
    needless = ["\\u00e9" + "".join("\\u003" + digit for digit in id[1:]) for id in ids]
    escaped = ('["' + '","'.join(needless) + '"]').encode()
    spaced = whole.replace(b",", b"," + b" " * 150)
    with Server("--database", database, "--body-deadline", "120") as server:  # on a busy machine
        for body in (escaped, spaced):
            assert len(body) > 2.5 * len(whole)
            before = server.memory_mb()
            with server.connect() as link:
                link.sendall(head_of(len(body), bearer))
                for start in range(0, len(body) - 1, 99_991):
                    link.sendall(body[start : min(start + 99_991, len(body) - 1)])
                wait_until(lambda: server.metric("http_server_body_bytes") > len(whole) - 2000)
                assert server.metric("http_server_body_bytes") < len(whole) + 20_000
                assert server.memory_mb() - before < len(whole) / 1e6 + 6
                link.sendall(body[-1:])
                reply = link.recv(4096).decode()
                assert f" {201 if body == escaped else 200} " in reply
                assert name_of(ids) in reply
            wait_until(lambda: server.metric("http_server_body_bytes") == 0)


def test_a_list_that_breaks_off_is_not_stored_and_leaves_no_memory(database):
    imported(database, STRIP)
    bearer = token(database, "s")
    ids = [f"i{n}" for n in range(100_000)]
    body = json.dumps(ids, indent=9).encode()
    with Server("--database", database, "--body-deadline", "120") as server:
        for count in (body.index(b'"', 200_000) + 1, body.rindex(b'"') + 1):  # spaces at the end would not count
            held = len(re.sub(rb"\s", b"", body[:count]))
            with server.connect() as link:
                link.sendall(head_of(len(body), bearer) + body[:count])
                # libmicrohttpd misses a close that arrives together with a piece of the body, until the deadline.
                wait_until(lambda: server.metric("http_server_body_bytes") >= held)
            wait_until(lambda: server.metric("http_server_body_bytes") == 0)
        assert server.get(f"/window?strip=s&width=500&list={name_of(ids)}").status == 404
        editor = Editor(server, database, STRIP, bearer)
        assert editor.send("POST", PATH, body).status == 201


@pytest.mark.one_store
def test_what_is_no_list_is_400(editor):
    for body in [b"", b"[]", b"{}", b'["a","a"]', b'["a"', b"[1]", b'[""]', b'["a\\n"]', b'["a"]x', b'"a"', b"[null]"]:
        with case(body):
            editor.send("POST", PATH, body).rejected(400)


def test_a_list_needs_a_token_of_the_strip(editor):
    other = token(editor.database, "other")
    reading = token(editor.database, "s", "--read-only")
    for bearer in (None, "wrong"):
        reply = editor.send("POST", PATH, ["i0"], {"Authorization": bearer and f"Bearer {bearer}"})
        reply.rejected(401)
        assert reply.fields["www-authenticate"].startswith("Bearer")
    for bearer in (other, reading):
        editor.send("POST", PATH, ["i0"], {"Authorization": f"Bearer {bearer}"}).rejected(403)
    editor.send("POST", "/strips/none/lists", ["i0"]).rejected(403)
    editor.send("POST", "/strips/other/lists", ["i0"], {"Authorization": f"Bearer {other}"}).rejected(404)


def test_a_token_for_lists_stores_lists_and_changes_nothing_else(editor):
    fields = {"Authorization": f"Bearer {token(editor.database, 's', '--lists-only')}"}
    before = editor.revision
    assert editor.send("POST", PATH, ["i0"], fields).status == 201
    edit = {"op": "move", "ids": ["i0"], "before": None}
    editor.edit(edit, fields=fields).rejected(403)
    editor.send("PUT", "/strips/s", {"title": "x"}, fields).rejected(403)
    editor.send("DELETE", "/strips/s", None, fields).rejected(403)
    assert editor.revision == before
    listed = carousel("token", "list", "--database", editor.database)
    assert listed.stdout.decode().splitlines()[-1].endswith("\tlists")
    both = ("token", "create", "--database", editor.database, "--strip", "s", "--lists-only", "--read-only")
    assert carousel(*both).returncode == 64


@pytest.mark.one_store
def test_the_body_must_be_json_as_it_is(editor):
    editor.send("POST", PATH, ["a"], {"Content-Type": "text/plain"}).rejected(415)
    editor.send("POST", PATH, ["a"], {"Content-Encoding": "gzip"}).rejected(415)
    reply = editor.server.get(PATH)
    reply.rejected(405)
    assert reply.fields["allow"] == "POST, OPTIONS"


@pytest.mark.one_store
def test_no_page_of_another_origin_may_store_a_list(editor):
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    reply = editor.server.ask("OPTIONS", PATH, asked)
    assert "access-control-allow-origin" not in reply.fields
    reply = editor.send("POST", PATH, ["i0"], {"Origin": "https://example.org"})
    assert "access-control-allow-origin" not in reply.fields


def test_windows_of_a_list_read_it_again_each_day_and_not_only_from_a_cache(editor):
    """A list without reads is deleted. The cache of windows would hide reads."""
    name = json.loads(editor.send("POST", PATH, ["i2", "i0"]).body)["list"]
    def count() -> float:
        return editor.server.metric('carousel_window_cache_requests_total{result="hit"}')

    before = count()
    for _ in range(4):
        window = editor.server.get(f"/window?strip=s&list={name}&width=500")
        assert [item["id"] for item in window.json()["items"]] == ["i2", "i0"]
    assert count() == before
    for _ in range(4):
        editor.server.get("/window?strip=s&width=500")
    assert count() > before
