"""The parameter `have`: items that the client has are not sent again."""

from random import Random

import pytest

# Windows follow from the layout, which is the same in every store.
pytestmark = pytest.mark.one_store

STRIPS = ["mixed", "tens", "ring", "many"]


def walk(server, strip: str, seed: int):
    """Moves a viewport; yields the last window, the next one, and the next one without the last."""
    rng = Random(seed)
    same = {
        "strip": strip,
        "width": "140",
        "overscan": "20",
        "revision": str(server.revision(strip)),
    }
    held = server.window(same).json()
    for _ in range(25):
        offset = held["offset"] + rng.choice([-400, -90, -10, 0, 5, 33, 120, 500])
        asked = {**same, "offset": str(offset)}
        whole = server.window(asked).json()
        rest = server.window(asked, have=f"{held['first']}..{held['end']}").json()
        yield held, whole, rest
        held = whole


@pytest.mark.parametrize("strip", STRIPS)
def test_held_and_sent_items_are_the_window(server, strip):
    for held, whole, rest in walk(server, strip, 1):
        covered = range(held["first"], held["end"])
        kept = [item for item in whole["items"] if item["index"] in covered]
        sent = rest["items"]
        assert sorted(kept + sent, key=lambda item: item["index"]) == whole["items"]
        assert not [item for item in sent if item["index"] in covered]


@pytest.mark.parametrize("strip", STRIPS)
def test_have_changes_only_leave_and_items(server, strip):
    for _, whole, rest in walk(server, strip, 2):
        assert {**rest, "leave": [], "items": []} == {**whole, "items": []}


@pytest.mark.parametrize("strip", ["tens", "ring", "many"])
def test_leave_lists_the_slots_that_become_free(server, strip):
    """These strips have no hidden items, so `have` is exactly what was sent before."""
    for held, whole, rest in walk(server, strip, 3):
        used = {item["slot"] for item in whole["items"]}
        expected = [item["slot"] for item in held["items"] if item["slot"] not in used]
        assert rest["leave"] == list(dict.fromkeys(expected))
        assert len(set(rest["leave"])) == len(rest["leave"])


def test_a_client_that_has_all_items_gets_none(server):
    asked = {"strip": "tens", "width": "50", "revision": str(server.revision("tens"))}
    again = server.window(asked, have="0..5").json()
    assert (again["items"], again["leave"], again["first"], again["end"]) == ([], [], 0, 5)


def test_a_client_that_has_no_items_gets_all(server):
    asked = {"strip": "tens", "width": "50", "revision": str(server.revision("tens"))}
    for nothing in ("0..0", "3..3", "10..10"):
        again = server.window(asked, have=nothing)
        assert again.body == server.window(asked).body


def test_have_may_be_negative_with_wrap(server):
    asked = {"strip": "ring", "width": "140", "revision": str(server.revision("ring"))}
    before = server.window(asked, offset="-140").json()
    after = server.window(asked, offset="-70", have=f"{before['first']}..{before['end']}").json()
    assert before["first"] == -5
    assert min(item["index"] for item in after["items"]) == 0
    whole = server.window(asked, offset="-70").json()
    used = {item["slot"] for item in whole["items"]}
    left = [item["slot"] for item in before["items"] if item["slot"] not in used]
    assert after["leave"] == list(dict.fromkeys(left))


def test_an_answer_with_have_is_immutable(server):
    reply = server.window(strip="tens", have="0..5", revision=str(server.revision("tens")))
    assert reply.fields["cache-control"] == "public, max-age=31536000, immutable"
