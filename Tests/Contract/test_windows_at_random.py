"""`GET /window` answers random queries with the same bytes as the model."""

import itertools

import pytest

import at_random
from command import imported
from model.windows import Window, answer
from server import Server

# Windows follow from the layout, which is the same in every store.
pytestmark = pytest.mark.one_store

SEEDS = range(1, 61)
QUERIES = 40


@pytest.fixture(scope="module")
def strips():
    """A random strip for each seed."""
    return {seed: at_random.strip(seed) for seed in SEEDS}


@pytest.fixture(scope="module")
def drawn(strips, store, tmp_path_factory):
    """A server of all random strips."""
    database = imported(store(tmp_path_factory.mktemp("random")), *strips.values())
    with Server("--database", database) as running:
        yield running


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_window_has_the_bytes_of_the_model(seed, strips, drawn):
    strip = strips[seed]
    revision = drawn.revision(strip.name)
    for asked in at_random.queries(strip, seed, QUERIES):
        reply = drawn.window(asked, strip=strip.name)
        assert_equal(reply, answer(strip, revision, asked), seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_have_has_the_bytes_of_the_model(seed, strips, drawn):
    strip = strips[seed]
    revision = drawn.revision(strip.name)
    asked_before = at_random.queries(strip, -seed, 12)
    for before, after in itertools.pairwise(asked_before):
        # "same height, pool and wrap are assumed"
        same = {k: v for k, v in before.items() if k in ("height", "wrap", "pool", "overscan")}
        after = {k: v for k, v in after.items() if k not in ("height", "wrap", "pool", "overscan")}
        after = {**after, **same, "width": before["width"]}
        if not at_random.answerable(strip, after):
            continue
        held = Window(strip, before)
        after = {**after, "have": f"{held.first}..{held.end}", "revision": str(revision)}
        reply = drawn.window(after, strip=strip.name)
        assert_equal(reply, answer(strip, revision, after), seed)


def assert_equal(reply, expected: str, seed: int) -> None:
    """Asserts that the body is `expected`; a failure shows the first byte that differs."""
    assert reply.status == 200, f"seed {seed}: {reply}"
    got = reply.body.decode("utf-8")
    if got == expected:
        return
    at = next((i for i, (a, b) in enumerate(zip(got, expected)) if a != b), min(len(got), len(expected)))
    around = slice(max(0, at - 120), at + 120)
    raise AssertionError(
        f"seed {seed}: {reply.request}\nat byte {at}\n"
        f"     got {got[around]!r}\nexpected {expected[around]!r}"
    )
