"""Each route that accepts a strip accepts a view of the strip."""

import json
from urllib.parse import urlencode

import pytest

from command import carousel, import_items, outcome
from editing import Editor, token
from model.strips import Strip
from server import Server

ITEMS = [
    {"id": "a", "width": 10, "group": "x", "fields": {"artist": "Ann", "year": 1990, "title": "Red house"}},
    {"id": "b", "width": 20, "group": "x", "fields": {"artist": "Bob", "year": 1980, "title": "Blue house"}},
    {"id": "c", "width": 30, "group": "y", "fields": {"artist": "Ann", "year": 1970, "title": "Réd hut"}},
    {"id": "d", "width": 40, "fields": {"artist": "Cy", "title": "Green"}},
]


@pytest.fixture(scope="module")
def server(store, tmp_path_factory):
    """A server of the items, which no test changes."""
    yield from serve(store(tmp_path_factory.mktemp("views")))


@pytest.fixture
def editable(database):
    """A server of the items of its own."""
    yield from serve(database)


def serve(database):
    import_items(database, ITEMS, "--gap", "5", "--filterable", "artist,year", "--searchable", "title")
    with Server("--database", database) as server:
        server.database = database
        yield server


def ids(reply) -> list[str]:
    return [item["id"] for item in reply.json()["items"]]


def test_a_window_of_a_view_names_it_after_the_revision(server):
    reply = server.window(strip="s", where="artist=Ann", sort="year")
    assert list(reply.json())[:3] == ["strip", "revision", "view"]
    assert reply.json()["view"] == {"where": "artist = Ann", "sort": "year"}
    assert ids(reply) == ["c", "a"] and reply.json()["extent"] == 45
    assert reply.json()["group"] == {"title": "1970", "first": 0, "end": 1, "start": 0}


def test_the_strip_its_groups_and_its_items_are_those_of_the_view(server):
    view = "where=year+EXISTS&sort=-year"
    strip = server.get(f"/strips/s?{view}").json()
    assert (strip["count"], strip["extent"]) == (3, 70)
    assert list(strip)[list(strip).index("revision") + 1] == "view"
    groups = server.get(f"/strips/s/groups?{view}").json()["groups"]
    assert [(run["title"], run["first"]) for run in groups] == [("1990", 0), ("1980", 1), ("1970", 2)]
    item = server.get(f"/strips/s/items/c?{view}").json()
    assert (item["index"], item["start"], item["group"]) == (2, 40, "1970")
    server.get(f"/strips/s/items/d?{view}").rejected(404, "item")
    problem = server.window(strip="s", where="year EXISTS", item="d").rejected(404, "item")
    assert problem["detail"] == "This view of the strip s has no item d."


def test_values_of_a_facet_are_found_by_the_beginnings_of_their_words(server):
    def found(text, limit=20):
        asked = urlencode({"field": "artist", "facetQuery": text, "limit": limit})
        facet = server.get(f"/strips/s/facets?{asked}").json()["facets"][0]
        return [value["value"] for value in facet["values"]], facet["distinct"]

    assert found("a") == (["Ann"], 1)
    assert found("CÝ") == (["Cy"], 1)
    assert found("") == found("-") == (["Ann", "Bob", "Cy"], 3)
    assert found("", limit=2) == (["Ann", "Bob"], 3)
    assert found("nn") == found("a b") == ([], 0)
    server.get(f"/strips/s/facets?field=artist&facetQuery={'x' * 257}").rejected(400, "facetQuery")


@pytest.mark.parametrize(
    "asked, status, parameter",
    [
        ({"where": "title = x"}, 400, "where"),
        ({"where": "artist ="}, 400, "where"),
        ({"sort": "title"}, 400, "sort"),
        ({"sort": "year,-id"}, 400, "sort"),
        ({"where": "id > a"}, 400, "where"),
        ({"q": "x" * 257}, 400, "q"),
        ({"list": "no"}, 400, "list"),
        ({"list": "A" * 43}, 404, "list"),
    ],
)
def test_a_wrong_parameter_of_a_view_is_named(server, asked, status, parameter):
    server.window(strip="s", **asked).rejected(status, parameter)


def test_a_facet_has_no_sign(database, serving):
    """Unlike a field of a sort: a name may begin with the sign."""
    import_items(database, [{"id": "a", "fields": {"-neg": "x", "y": "z"}}], "--filterable=-neg,y")
    server = serving("--database", database)
    facets = server.get("/strips/s/facets?field=-neg,y").json()["facets"]
    assert [(facet["field"], facet["values"][0]["value"]) for facet in facets] == [("-neg", "x"), ("y", "z")]
    server.get("/strips/s/facets?field=-y").rejected(400, "field")


def test_a_facet_of_an_undeclared_field_is_named(server):
    server.get("/strips/s/facets?field=title").rejected(400, "field")
    server.get("/strips/s/facets").rejected(400, "field")


def test_ids_are_no_facet_no_order_and_not_declared(server):
    for field in ("id", "artist,id"):
        problem = server.get(f"/strips/s/facets?field={field}").rejected(400, "field")
        assert problem["detail"] == "field cannot name id"
    problem = server.window(strip="s", sort="id").rejected(400, "sort")
    assert problem["detail"] == "sort: items cannot be sorted by id"
    run = carousel(
        "import", server.database.parent / "items.jsonl", "--database", server.database, "--strip", "t",
        "--filterable", "id",
    )  # fmt: skip
    assert run.returncode == 64 and b"filterable: " in run.stderr, outcome(run)


def test_a_filter_by_id_selects_and_follows_edits(editable):
    def selected(where: str) -> list[str]:
        return ids(editable.window(strip="s", where=where))

    assert selected("id IN [c, nobody, a]") == ["a", "c"]
    assert selected("NOT id IN [c, a] AND year EXISTS OR id = d") == ["b", "d"]
    assert selected("id != b") == ["a", "c", "d"]
    assert selected("id EXISTS AND id != b AND id != 'é\"'") == ["a", "c", "d"]
    editor = Editor(editable, editable.database, Strip("s", ()), token(editable.database, "s"))
    editor.edited({"op": "insert", "before": "a", "items": [{"id": "7"}]}, {"op": "remove", "ids": ["c"]})
    assert selected("id IN [c, 7, a]") == selected("id = 7 OR id = 'a'") == ["7", "a"]
    assert selected("id != b") == ["7", "a", "d"]
    editor.edited({"op": "move", "ids": ["a"], "before": None}, {"op": "update", "id": "7", "set": {"width": 9}})
    assert selected("id IN [c, 7, a]") == ["7", "a"]


def test_the_items_of_a_list_of_ids(server):
    def items(given: list[str], **view) -> list[tuple]:
        answer = server.get("/strips/s/items?" + urlencode({"ids": json.dumps(given), **view})).json()
        assert list(answer) == ["strip", "revision"] + ["view"] * bool(view) + ["items"]
        assert all(list(item) == ["id", "index", "start", "size"] for item in answer["items"])
        return [tuple(item.values()) for item in answer["items"]]

    assert items(["d", "nobody", "a"]) == [("d", 3, 75, 40), ("a", 0, 0, 10)]
    assert items(["nobody"]) == []
    assert items(["b", "a", "c"], where="artist = Ann", sort="year") == [("a", 1, 35, 10), ("c", 0, 0, 30)]
    assert len(items(["a", *(f"n{number}" for number in range(199))])) == 1
    assert items([]) == []
    assert items(["a", "d", "a"]) == [("a", 0, 0, 10), ("d", 3, 75, 40), ("a", 0, 0, 10)]
    lacked = ["", "x" * 300, "a,d", "%61", "a%00", "a\0", "\n", "\u0080", "e\u0301", '"a"', "\\", "\U0001f600", "' OR 1=1 --", "A", " a"]
    assert items([*lacked, "a"]) == [("a", 0, 0, 10)]
    assert items(lacked, q="nothing at all", sort="-year") == []
    for bad in ("", "a", "[1]", "[", '["a"', '["\\ud800"]', "{}", json.dumps([f"n{number}" for number in range(201)])):
        server.get("/strips/s/items?" + urlencode({"ids": bad})).rejected(400, "ids")


def test_ids_that_no_address_can_hold_are_414(server):
    server.get("/strips/s/items?" + urlencode({"ids": json.dumps(["x" * 250] * 36)})).rejected(414)


def test_a_view_of_a_pinned_revision_is_immutable(server):
    reply = server.window(strip="s", where="artist = Ann", revision=str(server.revision("s")))
    assert "immutable" in reply.fields["cache-control"]


def test_commands_take_views(server):
    options = ("--database", server.database, "--strip", "s", "--where", "artist = Ann")
    window = carousel("window", *options, "--sort", "year")
    assert window.stdout.decode().strip() == server.window(strip="s", where="artist = Ann", sort="year").text
    export = carousel("export", *options, "--sort", "year")
    lines = [json.loads(line) for line in export.stdout.splitlines()]
    assert [(line["id"], line["group"]) for line in lines] == [("c", "1970"), ("a", "1990")]
    assert carousel("export", "--database", server.database, "--strip", "s", "--where", "x").returncode == 64


def test_the_page_shows_a_view(server):
    page = server.get("/?strip=s&where=artist%20%3D%20Ann").text
    assert 'data-id="a"' in page and 'data-id="b"' not in page
    assert 'where="artist = Ann"' in page
