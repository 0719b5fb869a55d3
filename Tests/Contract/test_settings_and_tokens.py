"""`PUT` and `DELETE /strips/{strip}`, and the tokens that changes need."""

from itertools import product

import pytest

from cases import case
from command import carousel, exited, imported
from editing import editors, numbered, token
from model.strips import Strip
from server import Server
from waiting import wait_until

STRIP = Strip("s", numbered(4))
EDIT = {"op": "move", "ids": ["i0"], "before": None}


@pytest.fixture
def editor(database):
    yield from editors(database, STRIP)


@pytest.fixture(scope="module")
def unchanged(store, tmp_path_factory):
    """An editor of a strip that no test changes."""
    yield from editors(store(tmp_path_factory.mktemp("unchanged")), STRIP)


def test_a_change_needs_a_token(unchanged):
    before = unchanged.revision
    changes = [
        ("POST", "/strips/s/edits", [EDIT]),
        ("PUT", "/strips/s", {"title": "x"}),
        ("DELETE", "/strips/s", None),
        ("POST", "/strips/none/edits", [EDIT]),
        ("DELETE", "/strips/none", None),
    ]
    wrong = [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic dXNlcjpwYXNz", "Bearer a b"]
    for authorization, (method, path, body) in product(wrong, changes):
        with case((authorization, method, path)):
            reply = unchanged.send(method, path, body, {"Authorization": authorization})
            reply.rejected(401)
            assert reply.fields["www-authenticate"].startswith("Bearer")
    assert unchanged.revision == before


@pytest.mark.one_store
@pytest.mark.parametrize("bearer", [None, "nonsense", "its own"])
def test_expect_100_continue_is_rejected_before_the_body(unchanged, bearer):
    editor = unchanged
    fields = "Content-Length: 2\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n"
    if bearer:
        secret = editor.bearer if bearer == "its own" else bearer
        fields += f"Authorization: Bearer {secret}\r\n"
    with editor.server.connect() as link:
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


def must_be_rejected_before_the_body(editor, target, fields, status):
    """With a token that the server has not seen before, then with one that it knows."""
    bearer = token(editor.database, editor.strip.name)
    fields = f"Content-Length: 2\r\nExpect: 100-continue\r\nAuthorization: Bearer {bearer}\r\n{fields}"
    for _ in range(2):
        received = editor.server.raw(f"{target} HTTP/1.1\r\nHost: a\r\n{fields}\r\n".encode())
        assert received.startswith(f"HTTP/1.1 {status} ".encode()) and received.count(b"HTTP/1.1 ") == 1


@pytest.mark.one_store
def test_a_wrong_media_type_is_rejected_before_the_body(unchanged):
    types = ["", "Content-Type: text/csv\r\n", "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"]
    for target, type in product(["PUT /strips/s", "POST /strips/s/edits", "POST /strips/s/lists"], types):
        with case((target, type)):
            must_be_rejected_before_the_body(unchanged, target, type, 415)


@pytest.mark.one_store
def test_a_malformed_head_of_an_edit_is_rejected_before_the_body(unchanged):
    long = f"Idempotency-Key: {'k' * 256}"
    for query, field in [("", "If-Match: 1"), ("", "If-None-Match: 1"), ("", long), ("?undo=maybe", "A: b")]:
        with case((query, field)):
            fields = f"Content-Type: application/json\r\n{field}\r\n"
            must_be_rejected_before_the_body(unchanged, f"POST /strips/s/edits{query}", fields, 400)


def test_a_token_changes_its_own_strip_only(editor):
    imported(editor.database, Strip("other", numbered(2)))
    other = token(editor.database, "other")
    reply = editor.edit(EDIT, fields={"Authorization": f"Bearer {other}"})
    reply.rejected(403)
    assert editor.ids() == ["i0", "i1", "i2", "i3"]


def test_the_scheme_of_a_token_is_case_insensitive(editor):
    assert editor.edit(EDIT, fields={"Authorization": f"bearer {editor.bearer}"}).status == 200


def test_tokens_are_listed_without_the_secret_and_can_be_revoked(editor):
    listed = exited(carousel("token", "list", "--database", editor.database))
    assert b"s" in listed.stdout.split()
    assert editor.bearer.encode() not in listed.stdout
    name = next(word for word in listed.stdout.decode().splitlines()[-1].split())
    exited(carousel("token", "revoke", name, "--database", editor.database))
    wait_until(lambda: editor.edit(EDIT).status != 200, "a revoked token can still write")
    editor.edit(EDIT).rejected(401)


def test_a_database_does_not_store_tokens(editor):
    content = editor.database.content()
    assert b"i1" in content and editor.bearer.encode() not in content


def test_settings_are_a_merge_patch(editor):
    before = editor.revision
    reply = editor.send("PUT", "/strips/s", {"title": "Ein Titel", "height": 90.5, "loop": True})
    assert reply.status in (200, 201), f"{reply}"
    got = editor.server.get("/strips/s").json()
    inner = got.get("settings", got)
    assert (inner["title"], inner["height"], inner["loop"]) == ("Ein Titel", 90.5, True)
    assert editor.revision == before + 1
    editor.send("PUT", "/strips/s", {"height": None})
    got = editor.server.get("/strips/s").json()
    inner = got.get("settings", got)
    assert (inner["title"], inner["height"], inner["loop"]) == ("Ein Titel", 180, True)
    assert editor.ids()[:4] == ["i0", "i1", "i2", "i3"]


def test_null_resets_a_setting_to_its_default(editor):
    defaults = {"height": 180, "gap": 8, "inset": 0, "loop": False, "itemWidth": 160}
    changed = {"height": 90, "gap": 0, "inset": 4, "loop": True, "itemWidth": 80}
    defaults |= {"filterable": [], "searchable": [], "fields": {}}
    changed |= {"filterable": ["year", 'a,"\u00e9'], "searchable": ["title"]}
    changed |= {"fields": {"year": {"label": {"de": "Jahr", "en": 'Y"'}, "format": "date"}}}
    for patch, settings in ((changed, changed), (dict.fromkeys(changed), defaults)):
        assert editor.send("PUT", "/strips/s", patch).status in (200, 201)
        got = editor.server.get("/strips/s").json()
        assert {name: got[name] for name in settings} == settings


INVALID = [
    *({"height": height} for height in (15, "180", 16385)),
    *({"gap": -1}, {"inset": 65537}, {"loop": "true"}, {"title": 7}, {"snap": "center"}, {"count": 3}, [], "x"),
    *({"filterable": fields} for fields in ("year", [1], ["year", "year"], [""], [f"f{n}" for n in range(33)])),
    {"searchable": [f"f{n}" for n in range(9)]},
    {"fields": []},
    {"fields": {"year": "Year"}},
    *({"fields": {"year": {"label": label}}} for label in ({"de": 1}, {"de": {"x": "y"}}, "x" * 16_384)),
    {"fields": {"year": {"format": "money"}}},
    {"fields": {"year": {"format": "currency", "unit": "euro"}}},
    {"fields": {"year": {"title": "Year"}}},
]


@pytest.mark.one_store
def test_invalid_settings_are_400(unchanged):
    before = unchanged.revision
    for patch in INVALID:
        with case(patch):
            unchanged.send("PUT", "/strips/s", patch).rejected(400)
            assert unchanged.revision == before


def test_the_fields_for_readers_are_a_merge_patch_too(editor):
    price = {"label": {"de": "Preis", "en": "Price"}, "unit": "EUR", "format": "currency"}
    width = {"unit": "cm"}
    for patch, expected in (
        ({"price": price, "width": width}, {"price": price, "width": width}),
        ({"price": {"label": {"de": None, "fr": "Prix"}}}, {"price": price | {"label": {"en": "Price", "fr": "Prix"}}, "width": width}),
        ({"price": None}, {"width": width}),
    ):
        assert editor.send("PUT", "/strips/s", {"fields": patch}).status == 200
        assert editor.server.get("/strips/s").json()["fields"] == expected
    before = editor.revision
    problem = editor.send("PUT", "/strips/s", {"fields": {"width": {"format": "currency"}}}).rejected(400)
    assert problem["detail"].startswith("fields.width.unit: ")
    assert editor.send("PUT", "/strips/s", {"fields": {"width": {"unit": "cm"}}}).status == 200
    assert editor.revision == before


def test_a_recreated_strip_has_a_revision_above_the_removed_one(editor):
    former = editor.revision
    reply = editor.send("DELETE", "/strips/s", None)
    assert reply.status in (200, 204), f"{reply}"
    editor.server.get("/strips/s").rejected(404)
    editor.server.window(strip="s").rejected(404, "strip")
    reply = editor.send("PUT", "/strips/s", {})
    assert reply.status in (200, 201), f"{reply}"
    assert editor.revision > former
    assert editor.ids() == []
    editor.window(revision=str(former)).rejected(410, "revision")
    editor.window(revision=str(editor.revision - 1)).rejected(404, "revision")


def test_settings_that_change_nothing_make_no_revision(editor):
    made = editor.send("PUT", "/strips/s", {"title": "T", "gap": 7}).json()["revision"]
    for patch in ({}, {"title": "T"}, {"gap": 7, "title": "T"}):
        reply = editor.send("PUT", "/strips/s", patch)
        assert (reply.status, reply.json()["revision"]) == (200, made)
        assert reply.fields["etag"] == f'"{made}"'
    assert editor.revision == made
    assert editor.send("PUT", "/strips/s", {"gap": 8}).json()["revision"] == made + 1


def test_an_idempotency_key_is_stored_even_if_nothing_changes(editor):
    made = editor.send("PUT", "/strips/s", {"title": "T"}).json()["revision"]
    keyed = {"Idempotency-Key": "a-key-of-mine"}
    first = editor.send("PUT", "/strips/s", {"title": "T"}, keyed)
    assert (first.status, first.json()) == (200, {"revision": made})
    editor.send("PUT", "/strips/s", {"title": "U"}, keyed).rejected(409)
    assert editor.send("PUT", "/strips/s", {"title": "V"}).json()["revision"] == made + 1
    again = editor.send("PUT", "/strips/s", {"title": "T"}, keyed)
    assert (again.status, again.body) == (200, first.body)
    assert editor.server.get("/strips/s").json()["title"] == "V"
    assert editor.revision == made + 1
    editor.send("PUT", "/strips/s", {}, {"Idempotency-Key": ""}).rejected(400)


def test_if_none_match_creates_only_and_if_match_changes_only(editor):
    absent = {"If-None-Match": "*"}
    before = editor.revision
    problem = editor.send("PUT", "/strips/s", {"title": "x"}, absent).rejected(412)
    assert str(before) in problem["detail"]
    editor.edit(EDIT, fields=absent).rejected(412)
    editor.send("DELETE", "/strips/s", None, {"If-None-Match": f'"{before}"'}).rejected(412)
    assert editor.revision == before
    editor.send("DELETE", "/strips/s", None, {"If-Match": "*"})
    editor.send("PUT", "/strips/s", {}, {"If-Match": "*"}).rejected(412)
    # A missing strip is 404 with a precondition too (RFC 9110, 13.2.1).
    for method, path, body in (("POST", "/strips/s/edits", [EDIT]), ("DELETE", "/strips/s", None)):
        editor.send(method, path, body, {"If-Match": "*"}).rejected(404)
    assert editor.send("PUT", "/strips/s", {}, absent).status == 201


def test_reading_needs_no_token(editor):
    with Server("--database", editor.database) as other:
        assert other.window(strip="s").status == 200
