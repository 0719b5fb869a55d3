"""The layouts list, grid and rows of random strips, views and edits are those of the model."""

import itertools
import json
from dataclasses import replace
from random import Random

import pytest

import layouts_at_random
import views_at_random
from at_random import MOST_ITEMS
from command import exited, import_lines
from editing import Editor, token
from model import lengths
from model.edits import apply
from model.strips import Strip
from model.vertical import LAWS, Refused
from model.views import view
from model.windows import Window, answer
from server import Server, query
from test_views_at_random import DECLARED, plain
from test_windows_at_random import assert_equal

# Layouts follow from the items, which are the same in every store.
pytestmark = pytest.mark.one_store

SEEDS = range(1, 41)
LONG = range(1, 3)
#: Parameters that place items, and those that a client with `have` does not change.
PLACING = ("layout", "width", "columns", "column", "row", "line", "heading")
FIXED = (*PLACING, "height", "overscan", "pool", "wrap")


@pytest.fixture(scope="module")
def editor(store, tmp_path_factory):
    """A strip whose settings and items each test replaces."""
    database = store(tmp_path_factory.mktemp("layouts"))
    strip = Strip("s")
    exited(import_lines(database, strip, *DECLARED, "--allow-empty"))
    bearer = token(database, strip.name)
    with Server("--database", database) as server:
        yield Editor(server, database, strip, bearer)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_window_has_the_bytes_of_the_model(seed, editor):
    revision = editor.become(layouts_at_random.strip(seed))
    for asked in layouts_at_random.queries(editor.strip, seed, 40):
        expected = answer(editor.strip, revision, asked)
        assert_equal(editor.window(**asked), expected, seed)
        slots = [item["slot"] for item in json.loads(expected)["items"]]
        assert len(set(slots)) == len(slots), asked


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_have_has_the_bytes_of_the_model(seed, editor):
    revision = editor.become(layouts_at_random.strip(seed))
    queries = layouts_at_random.queries(editor.strip, -seed, 20)
    for before, other in itertools.pairwise(queries):
        fixed = {name: value for name, value in before.items() if name in FIXED}
        moved = {name: value for name, value in other.items() if name not in FIXED}
        held = Window(editor.strip, before)
        after = {**moved, **fixed, "have": f"{held.first}..{held.end}", "revision": str(revision)}
        assert_equal(editor.window(**after), answer(editor.strip, revision, after), seed)


@pytest.mark.parametrize("seed", SEEDS[:16])
def test_random_edits_change_layouts_as_the_model_says(seed, editor):
    change_at_random(editor, layouts_at_random.strip(seed), seed, turns=8)


@pytest.mark.parametrize("seed", LONG)
def test_edits_of_a_long_strip_change_layouts_as_the_model_says(seed, editor):
    """Long enough for several chunks of items and of rows."""
    change_at_random(editor, layouts_at_random.strip(seed, count=2500 + 100 * seed), seed, turns=4)


def change_at_random(editor: Editor, strip: Strip, seed: int, turns: int) -> None:
    """Compares windows before and after edits and new settings, and of the revision before each."""
    rng = Random(seed)
    revision = editor.become(strip)
    # The same queries before and after each edit: the server may keep a layout and change it.
    asked = layouts_at_random.queries(editor.strip, seed, 6)
    for turn in range(turns):
        former, strip = revision, editor.strip
        if rng.random() < 0.2:
            editor.strip = replace(strip, **layouts_at_random.settings(rng), memory={})
            revision = editor.set(editor.strip)
        else:
            batch = [layouts_at_random.operation(rng, strip, turn)]
            revision = editor.applied(batch)
            editor.strip = strip.with_items(apply(strip.items, batch))
        new = layouts_at_random.queries(editor.strip, seed + turn, 3)
        for query in [*(one for one in asked if stands(editor.strip, one)), *new]:
            assert_window(editor, query, revision, editor.strip, seed)
        for query in (one for one in asked if stands(strip, one)):
            assert_window(editor, {**query, "revision": str(former)}, former, strip, seed)


def assert_window(editor: Editor, asked: dict[str, str], revision: int, strip: Strip, seed: int) -> None:
    """Asserts that a window has the bytes of the model, or is refused where it has too many items."""
    reply = editor.window(**asked)
    window = Window(strip, asked)
    if window.end - window.first > MOST_ITEMS:
        reply.rejected(400)
    else:
        assert_equal(reply, window.json(revision), seed)


def stands(strip: Strip, asked: dict[str, str]) -> bool:
    """Whether the query is answerable, and names no item."""
    if asked.get("item") or asked.get("index"):
        return False
    try:
        return layouts_at_random.is_answerable(strip, asked)
    except Refused:
        return False


@pytest.mark.parametrize("seed", SEEDS[:12])
def test_a_view_has_the_layouts_of_an_import_of_its_items(seed, editor):
    revision = editor.become(layouts_at_random.strip(seed))
    for number, (asked, ids) in enumerate(views(editor, Random(seed), 8)):
        strip = view(editor.strip, asked, views_at_random.SEARCHABLE, ids)
        for window in layouts_at_random.queries(strip, number, 6):
            got = plain(editor.window(**window, **asked), asked, editor.strip)
            assert got == answer(strip, revision, window), (seed, window, asked)


@pytest.mark.parametrize("seed", SEEDS[:12])
def test_the_layouts_of_a_view_follow_edits(seed, editor):
    rng = Random(seed)
    editor.become(layouts_at_random.strip(seed))
    made = views(editor, rng, 4)
    # The same queries after each edit: the server may keep a layout of the view and change it.
    windows = layouts_at_random.queries(editor.strip, seed, 4)
    for turn in range(6):
        batch = [layouts_at_random.operation(rng, editor.strip, turn)]
        revision = editor.applied(batch)
        editor.strip = editor.strip.with_items(apply(editor.strip.items, batch))
        for asked, ids in made:
            strip = view(editor.strip, asked, views_at_random.SEARCHABLE, ids)
            for window in (one for one in windows if stands(strip, one)):
                got = plain(editor.window(**window, **asked), asked, editor.strip)
                assert got == answer(strip, revision, window), (seed, turn, window, asked)


def views(editor: Editor, rng: Random, count: int) -> list[tuple[dict[str, str], list[str] | None]]:
    """The parameters of random views, each with the ids of its list, which the server stores."""
    made = []
    for _ in range(count):
        asked, ids = views_at_random.parameters(rng, editor.strip)
        if ids is not None:
            reply = editor.send("POST", f"/strips/{editor.strip.name}/lists", ids)
            assert reply.status in (200, 201), f"{reply}"
            asked["list"] = json.loads(reply.body)["list"]
        made.append((asked, ids))
    return made


@pytest.mark.parametrize("seed", SEEDS[:6])
def test_an_edited_strip_has_the_layouts_of_a_fresh_import(seed, editor, store, tmp_path):
    rng = Random(-seed)
    editor.become(layouts_at_random.strip(seed))
    queries = layouts_at_random.queries(editor.strip, seed, 10)
    for turn in range(12):
        batch = [layouts_at_random.operation(rng, editor.strip, turn)]
        editor.applied(batch)
        editor.strip = editor.strip.with_items(apply(editor.strip.items, batch))
        editor.window(**queries[turn % len(queries)])
    fresh = store(tmp_path)
    exited(import_lines(fresh, editor.strip, "--allow-empty"))
    bearer = token(fresh, editor.strip.name)
    with Server("--database", fresh) as server:
        other = Editor(server, fresh, editor.strip, bearer)
        other.set(editor.strip)
        for asked in layouts_at_random.queries(editor.strip, seed, 30):
            one, two = editor.window(**asked).json(), other.window(**asked).json()
            assert {**one, "revision": 0} == {**two, "revision": 0}, (seed, asked)
    fresh.release()


@pytest.mark.parametrize("seed", SEEDS[:16])
def test_the_routes_of_a_strip_tell_extents_groups_and_positions_of_a_layout(seed, editor):
    editor.become(layouts_at_random.strip(seed))
    strip, rng = editor.strip, Random(seed)
    for asked in layouts_at_random.queries(strip, seed, 6):
        placed = {name: asked[name] for name in PLACING if asked.get(name)}
        layout = LAWS[placed.get("layout", strip.layout)](strip, placed)
        options = query(placed)
        got = editor.server.get(f"/strips/s{options}").json()
        assert (got["count"], got["extent"]) == (layout.count, layout.extent / lengths.PX), placed
        page = editor.server.get(f"/strips/s/groups{query({**placed, 'limit': '500'})}").json()["groups"]
        found = [(run["title"], run["first"], run["end"], run["start"]) for run in page]
        assert found == [(*run[:3], run[3] / lengths.PX) for run in layout.runs()], placed
        some = rng.sample(range(layout.count), min(4, layout.count))
        for index in some:
            item = editor.server.get(f"/strips/s/items/{strip.items[index].id}{options}").json()
            place = layout.start(index) / lengths.PX, layout.size(index) / lengths.PX
            assert (item["index"], item["start"], item["size"]) == (index, *place), placed
        if some:
            ids = json.dumps([strip.items[index].id for index in some])
            listed = editor.server.get(f"/strips/s/items{query({**placed, 'ids': ids})}").json()["items"]
            starts = [layout.start(index) / lengths.PX for index in some]
            assert [item["start"] for item in listed] == starts, placed
