"""During a flood of new views, the server still answers other requests."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from command import import_items
from server import Server

pytestmark = pytest.mark.one_store

ITEMS, FILTERS, WINDOWS = 3000, 600, 100


@pytest.fixture
def flooded(database):
    items = [{"id": f"i{n}", "width": 10, "fields": {"year": n % 90}} for n in range(ITEMS)]
    import_items(database, items, "--filterable", "year")
    with Server("--database", database) as server:
        yield server


def test_each_filter_is_answered_or_rejected_and_each_window_is_answered(flooded):
    def filtered(number: int):
        return flooded.window({"strip": "s", "where": f"year < {number % 80} OR year > {number}"})

    with ThreadPoolExecutor(100) as pool:
        replies = [pool.submit(filtered, number) for number in range(FILTERS)]
        windows = [flooded.window({"strip": "s", "offset": f"{n * 7}"}) for n in range(WINDOWS)]
        for reply in windows:
            assert reply.status == 200, f"{reply}"
        for number, reply in enumerate(reply.result() for reply in replies):
            if reply.status == 503:
                assert int(reply.fields["retry-after"]) > 0, f"{reply}"
                continue
            assert reply.status == 200, f"{reply}"
            wanted = sum(n % 90 < number % 80 or n % 90 > number for n in range(ITEMS))
            assert reply.json()["count"] == wanted, f"{reply}"
    # A rejected request succeeds when it is sent again.
    assert filtered(0).json()["count"] == sum(n % 90 > 0 for n in range(ITEMS))
