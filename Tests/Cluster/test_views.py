"""Servers of one PostgreSQL database answer views with equal bytes, also while edits go to all of them."""

import json
import random

import pytest

from command import carousel, exited
from editing import token
from stores import Postgres
from test_views_following import OPTIONS, VIEWS, batch, item


@pytest.fixture
def database(tmp_path):
    made = Postgres(tmp_path)
    yield made
    made.release()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_three_servers_give_equal_bytes_for_views(database, serving, tmp_path, seed):
    dice = random.Random(seed)
    ids = [f"i{number}" for number in range(150)]
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(item(dice, name)) + "\n" for name in ids))
    exited(carousel("import", file, "--database", database, "--strip", "s", "--item-width", "40", *OPTIONS))
    fields = {"Authorization": f"Bearer {token(database, 's')}", "Content-Type": "application/json"}
    servers = [serving(database) for _ in range(3)]
    for round in range(6):
        edit = dice.choice(servers).ask("POST", "/strips/s/edits", fields, json.dumps(batch(dice, ids, round)).encode())
        assert edit.status == 200, f"{edit}"
        revision = str(edit.json()["revision"])
        for view in dice.sample(VIEWS, 5):
            asked = {"strip": "s", "width": "60000", "revision": revision, **view}
            replies = [server.follow(asked) for server in dice.sample(servers, 3)]
            assert [reply.status for reply in replies] == [200] * 3, f"seed {seed}: {replies}"
            assert len({reply.body for reply in replies}) == 1, f"seed {seed}, {asked}"
