"""`POST /strips/{strip}/lists`: lists of ids for views, and the tokens for them."""

import base64
import hashlib
import json
import re
import socket
from contextlib import ExitStack

import pytest

from command import carousel, imported
from editing import Editor, editors, numbered, token
from model.strips import Strip
from server import Server
from waiting import TIMEOUT_SECONDS, wait_until

STRIP = Strip("s", numbered(4))
PATH = "/strips/s/lists"


@pytest.fixture
def editor(database):
    yield from editors(database, STRIP)


def name_of(ids: list[str]) -> str:
    """ "the name is the SHA-256 of the array in compact JSON, in unpadded base64url"."""
    compact = json.dumps(ids, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(hashlib.sha256(compact).digest()).decode().rstrip("=")


@pytest.mark.parametrize("ids", [["i2", "i0"], ["gone"], ["é", "e\u0301", 'a"b', "\\/", "\U0001f600"]])
def test_a_list_is_201_and_then_200(editor, ids):
    before = editor.revision
    for status in (201, 200):
        reply = editor.send("POST", PATH, json.dumps(ids, indent=2).encode())
        assert reply.status == status, f"{reply}"
        assert json.loads(reply.body) == {"list": name_of(ids), "count": len(ids)}
    assert editor.revision == before


def test_ids_of_a_list_may_have_256_bytes_each(editor):
    ids = [f"{n:0256}" for n in range(100_000)]
    reply = editor.send("POST", PATH, ids)
    assert (reply.status, json.loads(reply.body)["count"]) == (201, 100_000), f"{reply}"
    assert json.loads(reply.body)["list"] == name_of(ids)
    editor.send("POST", "/strips/s/edits", ids).rejected(413)
    editor.send("POST", PATH, b" " * 60_000_000).rejected(413)


def test_a_large_list_without_the_right_is_not_held_in_memory(database):
    imported(database, STRIP)
    bearers = [None, "wrong", token(database, "s", "--read-only"), token(database, "s")]
    ids = [f"{n:0256}" for n in range(10_000)]
    body = json.dumps(ids).encode()
    with Server("--database", database, "--body-budget", str(len(body) * 8 // 7)) as server, ExitStack() as links:
        received = []
        for bearer in bearers:
            link = socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS)
            links.enter_context(link)
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


def test_slow_lists_of_one_token_leave_room_for_edits(database):
    imported(database, STRIP)
    lists, changes = token(database, "s", "--lists-only"), token(database, "s")
    with Server("--database", database) as server, ExitStack() as links:

        def send(count: int) -> socket.socket:
            link = socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS)
            links.enter_context(link)
            fields = f"Authorization: Bearer {lists}\r\nContent-Type: application/json\r\n"
            head = f"POST {PATH} HTTP/1.1\r\nHost: a\r\n{fields}Content-Length: {count}\r\n\r\n"
            link.sendall(head.encode() + b" " * (count - 1))
            return link

        send(51_500_000)
        bytes_held = r"^http_server_body_bytes (\S+)$"
        wait_until(lambda: float(re.search(bytes_held, server.get("/metrics").text, re.M)[1]) > 51e6)
        assert b" 503 " in send(15_000_000).makefile("rb").readline()
        send(7_000_000)
        editor = Editor(server, database, STRIP, changes)
        assert editor.send("PUT", "/strips/s", b" " * 1_000_000 + b'{"title":"x"}').status == 200


def test_a_list_has_up_to_100000_ids(editor):
    ids = [f"i{n}" for n in range(100_001)]
    reply = editor.send("POST", PATH, ids[:-1])
    assert (reply.status, json.loads(reply.body)["count"]) == (201, 100_000), f"{reply}"
    assert json.loads(reply.body)["list"] == name_of(ids[:-1])
    editor.send("POST", PATH, ids).rejected((400, 413))


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'["a","a"]', b'["a"', b"[1]", b'[""]', b'["a\\n"]', b'["a"]x', b'"a"', b"[null]"]
)
def test_what_is_no_list_is_400(editor, body):
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


def test_the_body_must_be_json_as_it_is(editor):
    editor.send("POST", PATH, ["a"], {"Content-Type": "text/plain"}).rejected(415)
    editor.send("POST", PATH, ["a"], {"Content-Encoding": "gzip"}).rejected(415)
    reply = editor.server.get(PATH)
    reply.rejected(405)
    assert reply.fields["allow"] == "POST, OPTIONS"


def test_no_page_of_another_origin_may_store_a_list(editor):
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    reply = editor.server.ask("OPTIONS", PATH, asked)
    assert "access-control-allow-origin" not in reply.fields
    reply = editor.send("POST", PATH, ["i0"], {"Origin": "https://example.org"})
    assert "access-control-allow-origin" not in reply.fields


def test_windows_of_a_list_read_it_again_each_day_and_not_only_from_a_cache(editor):
    """A list without reads is deleted. The cache of windows would hide reads."""
    name = json.loads(editor.send("POST", PATH, ["i2", "i0"]).body)["list"]
    hits = r'^carousel_window_cache_requests_total{result="hit"} (\d+)$'

    def count() -> int:
        return int(re.search(hits, editor.server.get("/metrics").text, re.M)[1])

    before = count()
    for _ in range(4):
        window = editor.server.get(f"/window?strip=s&list={name}&width=500")
        assert [item["id"] for item in window.json()["items"]] == ["i2", "i0"]
    assert count() == before
    for _ in range(4):
        editor.server.get("/window?strip=s&width=500")
    assert count() > before
