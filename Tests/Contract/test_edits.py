"""`POST /strips/{strip}/edits`: the effect of each operation, and the batches that are rejected."""

import gzip
import json
import os
import re
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import count, product
from pathlib import Path
from random import Random

import pytest

from cases import case, seeds
from command import binary, carousel, environment, exited, exported, imported, outcome
from editing import Editor, as_json, editors, numbered, token
from model.edits import Conflict, apply
from model.strips import Item, Strip
from model.windows import answer
from server import Server

STRIP = Strip("s", numbered(6), gap="2")
RETENTION = Path(__file__).parents[2] / "Sources/Catalogue/Model/Retention.swift"
RETAINED = int(re.search(r"revisions: Int64 = (\d+)", RETENTION.read_text())[1])
NEW = [{"id": "n1", "width": 5}, {"id": "n2", "width": 6}]


@pytest.fixture
def editor(database):
    yield from editors(database, STRIP)


@pytest.fixture(scope="module")
def unchanged(store, tmp_path_factory):
    """An editor of a strip that no test changes."""
    yield from editors(store(tmp_path_factory.mktemp("unchanged")), STRIP)


WHOLE = {"id": "i2", "width": 30, "fields": {"title": "T"}}
UNCHANGED = [
    [{"op": "update", "id": "i2", "set": {}}],
    [{"op": "update", "id": "i2", "set": {"aspect": None, "width": 30, "fields": {"title": "T", "none": None}}}],
    [{"op": "update", "id": "i2", "set": {"width": 9}}, {"op": "update", "id": "i2", "set": {"width": 30}}],
    [{"op": "move", "ids": ["i0"], "after": None}],
    [{"op": "move", "ids": ["i4", "i5"], "before": None}],
    [{"op": "move", "ids": ["i1", "i2", "i3"], "before": "i4"}],
    [{"op": "move", "ids": ["i1"], "after": "i0"}, {"op": "move", "ids": ["i4"], "before": "i5"}],
    [{"op": "move", "ids": ["i5"], "after": None}, {"op": "move", "ids": ["i5"], "before": None}],
    [{"op": "insert", "before": "i3", "items": NEW}, {"op": "remove", "ids": ["n1", "n2"]}],
    [{"op": "remove", "ids": ["i2"]}, {"op": "insert", "before": "i3", "items": [WHOLE]}],
]
CHANGED = [
    [{"op": "move", "ids": ["i2", "i1"], "before": "i3"}],
    [{"op": "move", "ids": ["i1"], "before": "i0"}, {"op": "move", "ids": ["i3"], "after": "i4"}],
    [{"op": "remove", "ids": ["i2"]}, {"op": "insert", "after": "i3", "items": [WHOLE]}],
    [{"op": "update", "id": "i2", "set": {"fields": {"title": "T", "more": 1}}}, {"op": "move", "ids": ["i0"], "after": None}],
    [{"op": "remove", "ids": ["i1", "i2", "i3", "i4", "i5", "i0"]}, {"op": "insert", "before": None, "items": [json.loads(item.line()) for item in STRIP.items]}],
]


def test_an_edit_that_changes_nothing_answers_the_current_revision(editor):
    revision = editor.edited({"op": "update", "id": "i2", "set": {"width": 30, "fields": {"title": "T"}}})
    for batch in UNCHANGED:
        with case(batch):
            assert editor.edited(*batch) == revision
            assert editor.revision == revision
    keyed = {"Idempotency-Key": "of nothing"}
    assert [editor.edited(*UNCHANGED[0], fields=keyed) for _ in "12"] == [revision, revision]
    editor.edit({"op": "remove", "ids": ["i0"]}, fields=keyed).rejected(409)
    for batch in CHANGED:
        with case(batch):
            revision += 1
            assert editor.edited(*batch) == revision


def test_a_removal_with_an_idempotency_key_is_made_once(editor):
    keyed = {"Idempotency-Key": "a-key-of-mine"}
    editor.edited(fine(), fields={"Idempotency-Key": "of an edit"})
    editor.send("DELETE", "/strips/s", None, {"Idempotency-Key": "of an edit"}).rejected(409)
    assert editor.send("DELETE", "/strips/s", None, keyed).status == 204
    assert editor.send("DELETE", "/strips/s", None, keyed).status == 204
    editor.send("PUT", "/strips/s", {"title": "new"}, keyed).rejected(409)
    assert editor.send("PUT", "/strips/s", {"title": "new"}).status == 201
    assert editor.send("DELETE", "/strips/s", None, keyed).status == 204
    assert editor.server.get("/strips/s").json()["title"] == "new"
    editor.edit({"op": "insert", "before": None, "items": NEW}, fields=keyed).rejected(409)
    assert editor.send("DELETE", "/strips/s", None, {"Idempotency-Key": "another"}).status == 204
    editor.send("DELETE", "/strips/s", None).rejected(404)


CONFLICTS = {
    "an id unknown to remove": {"op": "remove", "ids": ["none"]},
    "an id unknown to move": {"op": "move", "ids": ["none"], "before": None},
    "an id unknown to update": {"op": "update", "id": "none", "set": {"width": 1}},
    "an unknown neighbour": {"op": "insert", "before": "none", "items": NEW},
    "an unknown neighbour of a move": {"op": "move", "ids": ["i1"], "after": "none"},
    "an id that no item can have": {"op": "remove", "ids": ["i1\0"]},
    "a neighbour that no item can be": {"op": "move", "ids": ["i1"], "after": "\0"},
    "an id that is there": {"op": "insert", "before": None, "items": [{"id": "i3", "width": 1}]},
    "an id twice": {"op": "insert", "before": None, "items": [NEW[0], NEW[0]]},
    "an id twice to remove": {"op": "remove", "ids": ["i1", "i1"]},
    "an id twice to move": {"op": "move", "ids": ["i1", "i1"], "before": None},
    "an item moved before itself": {"op": "move", "ids": ["i1"], "before": "i1"},
    "an item moved after itself": {"op": "move", "ids": ["i1", "i2"], "after": "i2"},
}

MALFORMED = {
    "an unknown operation": {"op": "shuffle", "ids": ["i1"]},
    "no operation": {"ids": ["i1"]},
    "an unknown member": {"op": "remove", "ids": ["i1"], "quietly": True},
    "no ids": {"op": "remove"},
    "an empty list of ids": {"op": "remove", "ids": []},
    "an empty list of items": {"op": "insert", "before": None, "items": []},
    "ids that are no list": {"op": "remove", "ids": "i1"},
    "both neighbours": {"op": "move", "ids": ["i1"], "before": "i2", "after": "i3"},
    "no neighbour": {"op": "move", "ids": ["i1"]},
    "an update of the id": {"op": "update", "id": "i1", "set": {"id": "i9"}},
    "an update of an unknown member": {"op": "update", "id": "i1", "set": {"size": 9}},
    "an update to a bad width": {"op": "update", "id": "i1", "set": {"width": -1}},
    "an update to a bad kind": {"op": "update", "id": "i1", "set": {"kind": "Big"}},
    "an update to a bad field": {"op": "update", "id": "i1", "set": {"fields": {"x": [1]}}},
    "an item without id": {"op": "insert", "before": None, "items": [{"width": 1}]},
    "an item with a bad width": {"op": "insert", "before": None, "items": [{"id": "n", "width": 1e6}]},
    "an operation that is a string": "remove",
}

WIDTHS = count(1000)


def fine():
    """An operation that changes something, however often."""
    return {"op": "update", "id": "i0", "set": {"width": next(WIDTHS)}}


def test_a_batch_that_cannot_be_applied_is_409_and_changes_nothing(unchanged):
    are_rejected(unchanged, CONFLICTS, 409)


@pytest.mark.one_store
def test_a_batch_that_is_malformed_is_400_and_changes_nothing(unchanged):
    are_rejected(unchanged, MALFORMED, 400)


def are_rejected(editor: Editor, operations: dict, status: int) -> None:
    """ "with `detail` naming the operation": the second, counted from 0 or from 1, or by name."""
    before = editor.window().body
    for about, op in operations.items():
        with case(about):
            detail = editor.edit(fine(), op).rejected(status)["detail"]
            name = op.get("op") if isinstance(op, dict) else None
            assert any(word in detail for word in ("1", "2", "second")) or (name and name in detail)
            assert editor.window().body == before


@pytest.mark.one_store
def test_a_body_that_is_no_batch_is_400(unchanged):
    before = unchanged.revision
    for body in [b"", b"[]", b"{}", b"[", b"null", b'"x"', b"[1]", b"[[]]", b"[{}]", b"\xff"]:
        with case(body):
            unchanged.send("POST", "/strips/s/edits", body).rejected(400)
            assert unchanged.revision == before


def test_ndjson_is_a_batch_too(editor):
    lines = b'{"op":"remove","ids":["i0"]}\n{"op":"remove","ids":["i1"]}\n'
    reply = editor.send("POST", "/strips/s/edits", lines, {"Content-Type": "application/x-ndjson"})
    assert reply.status == 200, f"{reply}"
    assert editor.ids() == ["i2", "i3", "i4", "i5"]


@pytest.mark.one_store
def test_another_type_is_415(unchanged):
    for type in ("text/plain", "application/xml", "multipart/form-data"):
        with case(type):
            unchanged.edit(fine(), fields={"Content-Type": type}).rejected(415)


@pytest.mark.one_store
def test_a_coded_body_is_415_and_changes_nothing(unchanged):
    plain = json.dumps([fine()]).encode()
    for coding in ["gzip", "GZIP", "br", "identity, gzip", "none"]:
        for body in (plain, gzip.compress(plain)):
            with case((coding, body)):
                reply = unchanged.send("POST", "/strips/s/edits", body, {"Content-Encoding": coding})
                reply.rejected(415)
                assert reply.fields["accept-encoding"] == "identity"
    assert unchanged.ids() == [item.id for item in STRIP.items]


def test_the_content_encoding_identity_is_allowed(editor):
    assert editor.edit(fine(), fields={"Content-Encoding": "Identity"}).status == 200


def test_a_lost_update_is_rejected(editor):
    revision = editor.revision
    made = editor.edited(fine(), fields={"If-Match": f'"{revision}"'})
    editor.edit(fine(), fields={"If-Match": f'"{revision}"'}).rejected(412)
    assert editor.revision == made


def test_a_change_expects_the_tag_of_a_read(editor):
    # A description above a kilobyte is compressed.
    editor.edited({"op": "update", "id": "i0", "set": {"fields": {"note": "x" * 2000}}})
    for path, coding in product(["/strips/s", "/strips/s/items/i0"], ["identity", "gzip", "br"]):
        with case((path, coding)):
            fields = {"Accept-Encoding": coding}
            read = editor.server.get(path, fields)
            assert editor.server.get(path, fields | {"If-None-Match": read.fields["etag"]}).status == 304
            expected = {"If-Match": read.fields["etag"]}
            editor.edited(fine(), fields=expected)
            editor.edit(fine(), fields=expected).rejected(412)
            editor.send("PUT", "/strips/s", {"title": "late"}, expected).rejected(412)
            editor.send("DELETE", "/strips/s", None, expected).rejected(412)
            again = {"If-Match": editor.server.get(path, fields).fields["etag"]}
            assert editor.send("PUT", "/strips/s", {"title": f"{path} {coding}"}, again).status == 200


def test_a_change_expects_any_strong_tag_of_a_list(editor):
    def expected(form: str) -> dict:
        return {"If-Match": form.format(*[editor.server.get("/strips/s").fields["etag"]] * 2)}

    for form in ['"a", {}', '{},"b"', '"a,b" ,, {}', "W/{}, {}", "*"]:
        with case(form):
            editor.edited(fine(), fields=expected(form))
            assert editor.send("PUT", "/strips/s", {"title": form}, expected(form)).status == 200
            lost = expected(form)
            editor.edited(fine())
            assert editor.edit(fine(), fields=lost).status == (200 if form == "*" else 412)


def test_a_change_expects_no_weak_tag(editor):
    tag = editor.server.get("/strips/s").fields["etag"]
    for form in ("W/{}", '"a", W/{}'):
        problem = editor.edit(fine(), fields={"If-Match": form.format(tag)}).rejected(412)
        assert "weak" in problem["detail"]


@pytest.mark.one_store
def test_malformed_tags_are_400_and_the_header_is_named(unchanged):
    forms = ["{}", "W/{}", '"{}', '*, "a"', '"{}" "{}"', '"a", {}', "W"]
    for name, form in product(["If-Match", "If-None-Match"], forms):
        with case((name, form)):
            fields = {name: form.replace("{}", str(unchanged.revision))}
            assert name.lower() in unchanged.edit(fine(), fields=fields).rejected(400)["detail"].lower()


@pytest.mark.one_store
def test_a_tag_is_compared_as_text(editor):
    ends = ["-", "-anything", "-" + "0" * 31, "-" + "0" * 32 + "-x", "-" + "0" * 32 + "-gzip-x"]
    for form in ["a", "0{}", "+{}", "00{}", *("{}" + end for end in ends)]:
        with case(form):
            revision = editor.revision
            tag = f'"{form.format(revision)}"'
            editor.edit(fine(), fields={"If-Match": tag}).rejected(412)
            assert editor.edited(fine(), fields={"If-None-Match": tag}) == revision + 1


def test_an_edit_with_an_idempotency_key_is_made_once(editor):
    keyed = {"Idempotency-Key": "a-key-of-mine"}
    first = editor.edit({"op": "remove", "ids": ["i0"]}, fields=keyed)
    again = editor.edit({"op": "remove", "ids": ["i0"]}, fields=keyed)
    assert first.status == 200, f"{first}"
    assert (again.status, again.body) == (first.status, first.body)
    editor.edit({"op": "remove", "ids": ["i1"]}, fields=keyed).rejected(409)
    assert editor.ids() == ["i1", "i2", "i3", "i4", "i5"]


@pytest.mark.parametrize("seed", range(1, 2))
def test_an_undo_takes_an_edit_back(seed, editor):
    rng = Random(seed)
    strip, after = STRIP, exported(editor.database)
    for turn in range(8):
        batch = [operation(rng, strip, turn) for _ in range(rng.randrange(1, 5))]
        before = after
        try:
            strip = strip.with_items(apply(strip.items, batch))
        except Conflict:
            continue
        body = [as_json(op) for op in batch]
        reply = editor.send("POST", "/strips/s/edits?undo=true", body).json()
        assert set(reply) == {"revision", "undo"}
        after = exported(editor.database)
        expected = {"If-Match": f'"{reply["revision"]}"'}
        undone = editor.send("POST", "/strips/s/edits?undo=true", reply["undo"], expected).json()
        assert exported(editor.database) == before, f"seed {seed}, turn {turn}: {batch}"
        expected = {"If-Match": f'"{undone["revision"]}"'}
        assert editor.send("POST", "/strips/s/edits", undone["undo"], expected).status == 200
        assert exported(editor.database) == after, f"seed {seed}, turn {turn}: {batch}"


@pytest.mark.one_store
def test_another_value_of_undo_is_400_and_named(editor):
    before = editor.revision
    for query in ("undo=1", "undo=yes", "undo=true&undo=true"):
        problem = editor.send("POST", f"/strips/s/edits?{query}", [fine()]).rejected(400)
        assert problem["parameter"] == "undo"
    assert editor.revision == before
    reply = editor.send("POST", "/strips/s/edits?undo=false", [fine()])
    assert reply.json() == {"revision": before + 1}


@pytest.mark.one_store
def test_an_unknown_parameter_of_a_change_is_400_and_named(unchanged):
    before, edits, lists = unchanged.revision, "/strips/s/edits", "/strips/s/lists"
    changes = [("POST", edits, [fine()]), ("POST", lists, ["a"]), ("PUT", "/strips/s", {"title": "x"}), ("DELETE", "/strips/s", None)]
    for method, path, body in changes:
        with case((method, path)):
            assert unchanged.send(method, f"{path}?foo=1", body).rejected(400)["parameter"] == "foo"
            assert unchanged.revision == before


def test_an_undo_with_an_idempotency_key_is_repeated(editor):
    keyed, path, batch = {"Idempotency-Key": "a-key-of-mine"}, "/strips/s/edits", [fine()]
    first = editor.send("POST", f"{path}?undo=true", batch, keyed)
    again = editor.send("POST", f"{path}?undo=true", batch, keyed)
    assert (again.status, again.body) == (200, first.body)
    editor.send("POST", path, batch, keyed).rejected(409)


def test_an_undo_that_no_body_can_hold_changes_nothing(database):
    imported(database, STRIP)
    bearer = token(database, "s")
    with Server("--database", database, "--body-limit", "1024") as server:
        editor = Editor(server, database, STRIP, bearer)
        for number in range(4):
            item = {"id": f"long{number}", "fields": {"title": "x" * 500}}
            editor.edited({"op": "insert", "before": None, "items": [item]})
        remove = [{"op": "remove", "ids": [f"long{number}" for number in range(4)]}]
        before = editor.revision
        problem = editor.send("POST", "/strips/s/edits?undo=true", remove).rejected(400)
        assert "undo" in problem["detail"] and "1024" in problem["detail"]
        assert editor.revision == before
        assert editor.send("POST", "/strips/s/edits", remove).status == 200


def test_an_undo_with_an_idempotency_key_has_at_most_128_kib(editor):
    items = [{"id": f"long{number}", "fields": {"title": "x" * 7000}} for number in range(20)]
    editor.edited({"op": "insert", "before": None, "items": items})
    remove, path = [{"op": "remove", "ids": [item["id"] for item in items]}], "/strips/s/edits?undo=true"
    problem = editor.send("POST", path, remove, {"Idempotency-Key": "a-key"}).rejected(400)
    assert "undo" in problem["detail"] and "131072" in problem["detail"]
    assert editor.send("POST", path, remove).status == 200


def test_the_command_edit_writes_the_undo(editor):
    before, file = exported(editor.database), editor.database.parent / "batch.json"
    file.write_text(json.dumps([fine(), {"op": "remove", "ids": ["i1", "i4"]}]))
    command = ("edit", "--database", editor.database, "--strip", "s")
    run = exited(carousel(*command, file, "--undo"))
    assert run.stderr.startswith(b"s: revision "), outcome(run)
    assert exported(editor.database) != before
    assert carousel(*command, "-", given=run.stdout).returncode == 0
    assert exported(editor.database) == before


@pytest.mark.parametrize("options", [["--undo"], []])
def test_the_command_edit_says_that_it_is_made_if_its_output_fails(options, editor):
    before, file = exported(editor.database), editor.database.parent / "batch.json"
    file.write_text(json.dumps([fine()]))
    command = [binary(), "edit", file, "--database", str(editor.database), "--strip", "s", *options]
    with open("/dev/full", "wb") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=60)
    assert run.returncode == 74
    assert b"the edit was made, but" in run.stderr, run.stderr
    assert exported(editor.database) != before


def test_a_signal_ends_the_command_edit_while_it_waits_for_a_writer(editor):
    before, pipe = exported(editor.database), editor.database.parent / "batch.json"
    os.mkfifo(pipe)
    command = [binary(), "edit", pipe, "--database", str(editor.database), "--strip", "s"]
    with editor.database.locked_by_writer():
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment()) as run:
            pipe.write_text(json.dumps([fine()]))
            run.send_signal(signal.SIGINT)
            assert run.wait(timeout=60) == -signal.SIGINT
    assert exported(editor.database) == before


def test_edits_wait_concurrently_for_another_writer(editor):
    """The time limit of each edit starts when the request arrives, not when the edit before it ends.

    If edits waited in turn, ten seconds each, they would exceed the client's timeout.
    """
    before = editor.revision
    with ThreadPoolExecutor() as pool:
        with editor.database.locked_by_writer():
            waiting = [pool.submit(editor.edit, fine()) for _ in range(4)]
            replies = [reply.result() for reply in waiting]
            assert editor.revision == before
    assert [reply.status for reply in replies] == [503] * 4
    assert [reply.fields["retry-after"] for reply in replies] == ["10"] * 4
    assert editor.edited(fine()) == before + 1


def test_a_window_at_a_retained_revision_keeps_its_bytes(editor):
    """ "Held are the last 64 revisions, and those younger than 60 s"."""
    seen: dict[int, bytes] = {editor.revision: editor.window(width="200").body}
    for turn in range(RETAINED + 6):
        revision = editor.edited({"op": "update", "id": f"i{turn % 6}", "set": {"width": turn + 1}})
        seen[revision] = editor.window(width="200").body
    for revision, body in seen.items():
        reply = editor.window(width="200", revision=str(revision))
        assert (reply.status, reply.body) == (200, body)


@pytest.mark.parametrize("seed", seeds(range(1, 4), each_store=1))
def test_random_edits_give_the_same_windows_as_the_model(seed, database):
    rng = Random(seed)
    for editor in editors(database, STRIP):
        strip = STRIP
        revision = editor.revision
        for turn in range(25):
            batch = [operation(rng, strip, turn) for _ in range(rng.randrange(1, 4))]
            try:
                after = strip.with_items(apply(strip.items, batch))
            except Conflict:
                editor.edit(*map(as_json, batch)).rejected(409)
                continue
            revision = editor.edited(*map(as_json, batch))
            strip = after
            asked = {"width": str(rng.randrange(1, 400)), "offset": str(rng.randrange(-50, 300))}
            got = editor.window(**asked).text
            assert got == answer(strip, revision, asked), f"seed {seed}, turn {turn}: {batch}"


def operation(rng: Random, strip: Strip, turn: int) -> dict:
    """A random operation, mostly one that can be applied."""
    ids = [item.id for item in strip.items] + ["gone"] * (rng.random() < 0.1)
    where = {rng.choice(["before", "after"]): rng.choice([None, *ids])}
    some = rng.sample(ids, min(len(ids), rng.randrange(1, 4)))
    match rng.choice(["insert", "insert", "update", "move", "remove"]) if ids else "insert":
        case "insert":
            kind = rng.choice(["card", "album"])
            new = Item(f"n{turn}-{rng.randrange(1000)}", kind, width=str(rng.randrange(1, 50)))
            return {"op": "insert", **where, "items": [new]}
        case "update":
            change = rng.choice([{"width": "7.5"}, {"aspect": "0.5"}, {"group": "G"}])
            return {"op": "update", "id": rng.choice(ids), "set": change}
        case "move":
            return {"op": "move", "ids": some, **where}
    return {"op": "remove", "ids": some}


@pytest.mark.one_store
@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_client_that_has_closed_its_sending_half_gets_the_answer(editor, is_chunked):
    editor.bearer = token(editor.database, "s")  # The server has not seen it yet.
    body = json.dumps([{"op": "remove", "ids": ["i0"]}]).encode()
    head = f"POST /strips/s/edits HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {editor.bearer}\r\n"
    head += "Content-Type: application/json\r\n"
    if is_chunked:
        head += "Transfer-Encoding: chunked\r\n\r\n"
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    else:
        head += f"Content-Length: {len(body)}\r\n\r\n"
    received = editor.server.raw(head.encode() + body, is_half_closed=True)
    assert received.startswith(b"HTTP/1.1 200 "), received
    assert b'{"revision":%d}' % editor.revision in received
