"""A view follows the edits of its strip. It stays equal to the view that a new process makes."""

import random

import pytest

from cases import seeds
from command import carousel, import_items
from editing import Editor, token
from model.strips import Strip
from server import Server

OPTIONS = ["--filterable", "artist,year,title", "--searchable", "title"]
WORDS = ["red", "Blue", "grün", "Grey", "x-ray", "redo"]
VIEWS = [
    {"where": "artist = a1"},
    {"where": "NOT artist EXISTS OR year > 1925"},
    {"q": "re"},
    {"q": "grun "},
    {"sort": "year"},
    {"sort": "-artist,year"},
    {"where": "year 1905 TO 1930", "sort": "-title"},
    {"q": "blue", "sort": "group,-kind"},
    {"where": "id IN [i3, i40, i41, i99, i120] OR id != i7 AND kind = card"},
    {"where": "kind = album AND NOT group = g3"},
    {"where": "aspect > 1 OR width < 20"},
]


def item(dice: random.Random, name: str) -> dict:
    """A random item with all members."""
    made = {"id": name, "kind": dice.choice(["card", "album"]), "fields": {}}
    if dice.random() < 0.6:
        made["width"] = dice.randint(0, 90)
    if dice.random() < 0.6:
        made["aspect"] = round(dice.random() * 2, 3)
    if dice.random() < 0.6:
        made["group"] = f"g{dice.randint(0, 5)}"
    made["fields"]["title"] = " ".join(dice.choices(WORDS, k=3))
    if dice.random() < 0.8:
        made["fields"]["artist"] = f"a{dice.randint(0, 4)}"
    if dice.random() < 0.8:
        made["fields"]["year"] = dice.randint(1900, 1940)
    return made


def batch(dice: random.Random, ids: list[str], number: int) -> list[dict]:
    """A few random operations. Changes `ids` as they change the strip."""
    operations = []
    for place in range(dice.randint(1, 4)):
        match dice.choice(["insert", "update", "update", "move", "remove"]):
            case "insert":
                new = [item(dice, f"n{number}-{place}-{i}") for i in range(dice.randint(1, 3))]
                before = dice.choice(ids + [None])
                at = len(ids) if before is None else ids.index(before)
                ids[at:at] = [one["id"] for one in new]
                operations.append({"op": "insert", "before": before, "items": new})
            case "update":
                name = dice.choice(ids)
                change = item(dice, name)
                del change["id"]
                change["fields"].setdefault("artist", None)
                operations.append({"op": "update", "id": name, "set": change})
            case "move":
                name, before = dice.sample(ids, 2)
                ids.remove(name)
                ids.insert(ids.index(before), name)
                operations.append({"op": "move", "ids": [name], "before": before})
            case "remove":
                name = dice.choice(ids)
                ids.remove(name)
                operations.append({"op": "remove", "ids": [name]})
    return operations


@pytest.mark.parametrize("seed", seeds(range(1, 3), each_store=1))
def test_a_followed_view_is_the_view_that_a_new_process_makes(database, seed):
    dice = random.Random(seed)
    ids = [f"i{number}" for number in range(150)]
    import_items(database, [item(dice, name) for name in ids], "--item-width", "40", *OPTIONS)
    bearer = token(database, "s")
    seen: list[tuple[dict, str]] = []
    with Server("--database", database) as server:

        def window(view: dict, **more) -> dict:
            asked = {"strip": "s", "width": "60000", **view, **more}
            return asked, server.window(asked)

        for round in range(8):
            for view in VIEWS:
                asked, reply = window(view)
                assert reply.status == 200, reply
                revision = str(reply.json()["revision"])
                seen.append(({**asked, "revision": revision}, reply.text))
            for view in dice.sample(VIEWS, 2):
                options = [f"--{name}={value}" for name, value in view.items()]
                made = carousel("window", "--database", database, "--strip", "s", "--width", "60000", *options)
                assert made.stdout.decode().strip() == window(view)[1].text, f"seed {seed}, {view}"
            Editor(server, database, Strip("s"), bearer).edited(*batch(dice, ids, round))
        for asked, text in dice.sample(seen, 30):
            assert server.window(asked).text == text, f"seed {seed}, {asked}"
    with Server("--database", database) as other:
        for asked, text in dice.sample(seen, 15):
            assert other.window(asked).text == text, f"seed {seed}, {asked}"
