"""The settings that layouts depend on: `layout`, `itemHeight`, `cellAspect` and `caption`."""

import pytest

from command import carousel, outcome
from editing import editors
from test_layouts import SQUARES, boxes
from waiting import wait_until


@pytest.fixture
def editor(database):
    yield from editors(database, SQUARES)


def test_settings_decide_the_layout(editor):
    """ "`layout`, as a setting of a strip", `itemHeight`, `cellAspect` and `caption`."""
    path = "/strips/squares"
    editor.send("PUT", path, {"layout": "grid", "cellAspect": 0.5, "caption": 20, "itemWidth": 90})
    asked = {"width": "290", "height": "500"}
    grid = editor.window(**asked)
    assert boxes(grid)[:4] == [
        ("a", 0, 0, 90, 200),
        ("b", 100, 0, 90, 200),
        ("c", 200, 0, 90, 200),
        ("d", 0, 210, 90, 200),
    ]
    assert grid.json()["layout"] == "grid"
    lines = editor.window(layout="list", **asked)
    assert [(start, size) for _, _, start, _, size in boxes(lines)] == [(n * 320, 310) for n in range(2)]
    assert "layout" not in editor.window(layout="strip").json()
    page = editor.server.get("/").text
    assert ' layout="grid" heading="44" controls="scrubber"' in page
    assert "<noscript>" in page and "data-window=" not in page
    assert ' layout="strip"' in editor.server.get("/?layout=strip").text
    editor.send("PUT", path, {"layout": "list", "itemHeight": 40.5, "caption": None})
    editor.edited({"op": "update", "id": "a", "set": {"aspect": None}})
    assert [size for *_, size in boxes(editor.window(**asked))] == [40.5, 290, 290]


def test_a_strip_tells_its_settings(editor):
    defaults = {"layout": "strip", "itemHeight": 64, "cellAspect": 1, "caption": 0}
    changed = {"layout": "rows", "itemHeight": 90.5, "cellAspect": 0.75, "caption": 12}
    got = editor.server.get("/strips/squares").json()
    assert {name: got[name] for name in defaults} == defaults
    for patch, settings in ((changed, changed), (dict.fromkeys(changed), defaults)):
        before = editor.revision
        assert editor.send("PUT", "/strips/squares", patch).json()["revision"] == before + 1
        assert editor.send("PUT", "/strips/squares", patch).json()["revision"] == before + 1
        got = editor.server.get("/strips/squares").json()
        assert {name: got[name] for name in settings} == settings


@pytest.mark.parametrize(
    "patch",
    [
        {"layout": "foo"},
        {"layout": 1},
        {"layout": "List"},
        {"layout": ["list"]},
        {"itemHeight": -1},
        {"itemHeight": "64"},
        {"itemHeight": 1e9},
        {"cellAspect": 0},
        {"cellAspect": -1},
        {"cellAspect": "1"},
        {"cellAspect": 1e9},
        {"caption": -1},
        {"caption": True},
        {"caption": 1e9},
    ],
)
def test_an_invalid_setting_is_400(editor, patch):
    before = editor.revision
    editor.send("PUT", "/strips/squares", patch).rejected(400)
    assert editor.revision == before


def test_a_cell_of_more_than_2_to_the_20_px_is_400(editor):
    editor.send("PUT", "/strips/squares", {"cellAspect": 0.0625})
    asked = {"layout": "grid", "columns": "1", "width": "65536"}
    assert editor.window(**asked).json()["items"][0]["size"] == 2**20
    editor.send("PUT", "/strips/squares", {"cellAspect": 0.0624})
    assert editor.window(**asked).rejected(400).get("parameter")


def test_an_import_sets_the_layout(database, serving):
    file = database.parent / "items.jsonl"
    file.write_text(SQUARES.lines())
    command = ["import", file, "--database", database, "--strip", "squares"]
    run = carousel(*command, "--layout", "grid")
    assert run.returncode == 0, outcome(run)
    with serving("--database", database) as server:
        assert server.get("/strips/squares").json()["layout"] == "grid"
        assert server.window().json()["layout"] == "grid"
        # An import without the option keeps the setting.
        run = carousel(*command, "--replace", "--title", "Squares")
        assert run.returncode == 0, outcome(run)
        wait_until(lambda: server.get("/strips/squares").json()["title"] == "Squares")
        assert server.get("/strips/squares").json()["layout"] == "grid"
    assert carousel(*command, "--replace", "--layout", "foo").returncode == 64


def test_each_revision_keeps_its_settings_after_a_restart(editor, serving):
    asked = {"width": "290", "height": "500"}
    changes = [
        {"layout": "grid", "caption": 12.5},
        {"cellAspect": 0.75},
        {"layout": "list", "itemHeight": 40},
        {"layout": "rows", "caption": 0},
    ]
    windows = {editor.revision: editor.window(**asked).body}
    for patch in changes:
        revision = editor.send("PUT", "/strips/squares", patch).json()["revision"]
        windows[revision] = editor.window(**asked).body
        editor.edited({"op": "update", "id": "a", "set": {"aspect": 1 + len(windows) / 8}})
    assert len(set(windows.values())) == len(windows)
    with serving("--database", editor.database) as restarted:
        for server in (editor.server, restarted):
            for revision, body in windows.items():
                reply = server.window(asked, strip="squares", revision=str(revision))
                assert reply.body == body, revision
