"""The law of views: "A view is the strip that an import of exactly its items in exactly its order
would make, with the strip's settings and revision."
"""

import json
from dataclasses import replace
from random import Random

import pytest

import at_random
import views_at_random
from cases import seeds
from command import exited, import_lines
from editing import Editor, token
from model.edits import apply
from model.strips import Item, Strip, quoted
from model.views import Spelled, corrections, facet, view
from model.windows import answer
from server import Server, query

SEEDS = range(1, 13)
VIEWS, WINDOWS = 10, 6
DECLARED = (
    f"--filterable={','.join(views_at_random.FILTERABLE)}",
    f"--searchable={','.join(views_at_random.SEARCHABLE)}",
)


class Views:
    """A random strip, and random views of it with the items that the model gives them."""

    def __init__(self, editor: Editor, seed: int):
        self.editor, self.rng = editor, Random(seed)
        self.made = [self.random() for _ in range(VIEWS)]

    def random(self) -> tuple[dict[str, str], list[str] | None]:
        """The parameters of a view, and the ids of its list. Stores the list."""
        asked, ids = views_at_random.parameters(self.rng, self.editor.strip)
        if ids is not None:
            reply = self.editor.send("POST", f"/strips/{self.editor.strip.name}/lists", ids)
            assert reply.status in (200, 201), f"{reply}"
            asked["list"] = json.loads(reply.body)["list"]
        return asked, ids

    def each(self):
        """The parameters of each view, and the model's strip of the view."""
        for asked, ids in self.made:
            yield asked, view(self.editor.strip, asked, views_at_random.SEARCHABLE, ids)


@pytest.fixture(params=seeds(SEEDS, each_store=3))
def views(request, database):
    strip = views_at_random.strip(request.param)
    exited(import_lines(database, strip, *DECLARED))
    bearer = token(database, strip.name)
    with Server("--database", database) as server:
        yield Views(Editor(server, database, strip, bearer), request.param)


def plain(reply, asked: dict[str, str], whole: Strip) -> str:
    """The body without `view` and `corrected`. Asserts that `view` has the given parameters in the order of the contract,
    and `corrected` the words of the model. `whole` is the strip itself.
    """
    assert reply.status == 200, f"{reply}"
    names = [name for name in ("list", "where", "q", "sort") if asked.get(name)]
    document = json.loads(reply.body)
    if not names:
        return reply.text
    assert list(document)[:3] == ["strip", "revision", "view"], f"{reply}"
    assert list(document["view"]) == names, f"{reply}"
    corrected = corrections(asked, whole, views_at_random.SEARCHABLE)
    assert document.get("corrected", []) == corrected, f"{asked} {reply}"
    members = {"view": document["view"]} | ({"corrected": corrected} if corrected else {})
    spelled = json.dumps(members, ensure_ascii=False, separators=(",", ":"))[1:-1] + ","
    assert spelled in reply.text, f"{reply}"
    return reply.text.replace(spelled, "", 1)


def test_a_view_has_the_windows_of_an_import_of_its_items(views, store, tmp_path_factory):
    """Compares bytes with the model, and with windows of an import of the first views."""
    server, revision = views.editor.server, views.editor.revision
    imports = store(tmp_path_factory.mktemp("imports"))
    strips = [replace(strip, name=f"v{n}") for n, (_, strip) in enumerate(views.each()) if n < 3]
    for strip in strips:
        exited(import_lines(imports, strip))
    with Server("--database", imports) as other:
        for number, (asked, strip) in enumerate(views.each()):
            for window in at_random.queries(strip, number, WINDOWS):
                given = {**window, **asked, "strip": strip.name}
                got = plain(server.window(given), asked, views.editor.strip)
                assert got == answer(strip, revision, window), given
                if number < len(strips):
                    expected = other.window(window, strip=f"v{number}").json()
                    same = json.loads(got)
                    assert {**expected, "strip": strip.name, "revision": revision} == same, given
    imports.release()


def test_the_canonical_spelling_gives_the_same_view(views):
    for asked, _ in views.each():
        given = {"strip": views.editor.strip.name, "width": "2000", **asked}
        first = views.editor.server.window(given)
        spelled = first.json().get("view", {})
        again = views.editor.server.window({**given, **spelled})
        assert again.body == first.body, asked


def test_a_view_follows_edits(views):
    editor = views.editor
    for turn in range(8):
        op, sent = edit(views.rng, editor.strip, turn)
        reply = editor.send("POST", f"/strips/{editor.strip.name}/edits", f"[{sent}]".encode())
        revision = reply.json()["revision"]
        editor.strip = editor.strip.with_items(apply(editor.strip.items, [op]))
        for number, (asked, strip) in enumerate(views.each()):
            for window in at_random.queries(strip, turn * VIEWS + number, 2):
                given = {**window, **asked, "strip": strip.name}
                got = plain(editor.server.window(given), asked, editor.strip)
                assert got == answer(strip, revision, window), given


def edit(rng: Random, strip: Strip, turn: int) -> tuple[dict, str]:
    """A random operation, for the model and as JSON."""
    ids = [item.id for item in strip.items]
    match rng.randrange(5) if len(ids) > 2 else 0:
        case 0:
            before = rng.choice([None, *ids])
            made = [Item(f"new{turn}-{n}", width=str(rng.randrange(1, 90))) for n in range(3)]
            items = tuple(views_at_random.item(rng, item) for item in made)
            # The lines keep the spelling of numbers.
            lines = ",".join(item.line() for item in items)
            sent = f'{{"op":"insert","before":{json.dumps(before)},"items":[{lines}]}}'
            return {"op": "insert", "before": before, "items": items}, sent
        case 1:
            item = rng.choice(strip.items)
            patch = {"year": str(3000 + turn), "artist": rng.choice(['"Ann"', None])}
            sent = ",".join(f'"{name}":{value or "null"}' for name, value in patch.items())
            sent = f'{{"op":"update","id":{json.dumps(item.id)},"set":{{"fields":{{{sent}}}}}}}'
            return {"op": "update", "id": item.id, "set": {"fields": patched(item.fields, patch)}}, sent
        case 2:
            op = {"op": "update", "id": rng.choice(ids), "set": {"group": f"G{turn}", "kind": "b"}}
        case 3:
            op = {"op": "move", "ids": [ids[0]], "before": None}
        case _:
            op = {"op": "remove", "ids": rng.sample(ids, 2)}
    return op, json.dumps(op)


def patched(fields: str, patch: dict[str, str | None]) -> str:
    """Fields after a JSON Merge Patch, spelled as a store returns them."""
    spelled = {
        name: value if isinstance(value, Spelled) else json.dumps(value, ensure_ascii=False)
        for name, value in json.loads(fields, parse_int=Spelled, parse_float=Spelled).items()
    }
    spelled |= patch
    kept = [f"{quoted(name)}:{value}" for name, value in spelled.items() if value is not None]
    return "{" + ",".join(kept) + "}"


def test_the_routes_of_a_strip_are_those_of_the_view(views):
    name, server = views.editor.strip.name, views.editor.server
    for asked, strip in views.each():
        got = server.get(f"/strips/{name}{query(asked)}").json()
        window = json.loads(answer(strip, 0, {"width": "1"}))
        assert (got["count"], got["extent"]) == (window["count"], window["extent"]), asked
        assert got["kinds"] == sorted({item.kind for item in strip.items}), asked
        shown = {item.id for item in strip.items}
        for item in views.editor.strip.items[:3]:
            reply = server.get(f"/strips/{name}/items/{item.id}{query(asked)}")
            if item.id in shown:
                index = [one.id for one in strip.items].index(item.id)
                assert reply.json()["index"] == index, asked
            else:
                reply.rejected(404)
        fields = ["artist", "year", "group"]
        facets = server.get(f"/strips/{name}/facets{query({**asked, 'field': ','.join(fields), 'limit': '3'})}")
        document = json.loads(facets.text, parse_constant=float)
        assert document["count"] == len(strip.items)
        assert document["facets"] == [facet(strip, field, 3) for field in fields], asked
        for by in ("year", "month"):
            facets = server.get(f"/strips/{name}/facets{query({**asked, 'field': 'taken,artist', 'by': by})}")
            assert json.loads(facets.text)["facets"] == [facet(strip, field, 20, by) for field in ("taken", "artist")], asked
