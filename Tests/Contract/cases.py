"""Tests of many cases: one server answers them all, and a failure names its case."""

from contextlib import contextmanager

import pytest


@contextmanager
def case(*values):
    """Puts `values` before the message of an error in the block: they tell which case of a test failed."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{', '.join(map(str, values))}: {error}") from error


def seeds(numbers: range, each_store: int) -> list:
    """Seeds as parameters. Each store runs the first `each_store` of them, and SQLite runs all."""
    marks = [[] if place < each_store else [pytest.mark.one_store] for place in range(len(numbers))]
    return [pytest.param(seed, marks=marked) for seed, marked in zip(numbers, marks)]
