"""Extreme values of all parameters, which `/openapi.json` lists, give no internal error."""

from random import Random
from urllib.parse import quote

import pytest

from samples import EMPTY, MIXED, RING, UNSEEN
from server import query

pytestmark = pytest.mark.one_store

WHOLE = [-(2**63), -(2**31), -1, 0, 1, len(MIXED.items), 2**31, 2**53 + 1, 2**63 - 1, 10**30]
#: Values of parameters at the limits of their ranges, and beyond.
EXTREMES = [
    *map(str, WHOLE),
    *("-1e30", "1e308", "1e-308", "0.5", "140737488355327.99", "-140737488355328", "0..1"),
    *("true", "end", "center", "nearest", "html"),
]
RANGES = [f"{first}..{end}" for first in WHOLE for end in WHOLE if first <= end]


@pytest.mark.parametrize("strip", [MIXED, RING, UNSEEN, EMPTY], ids=lambda strip: strip.name)
def test_no_value_of_a_parameter_is_an_internal_error(server, strip):
    rng = Random(strip.name)
    id = quote(strip.items[0].id, safe="") if strip.items else "none"
    for path, operations in server.get("/openapi.json").json()["paths"].items():
        if "{strip}" not in path and path not in ("/", "/window") or "get" not in operations:
            continue
        got = operations["get"]["parameters"]
        names = {one.get("name") or one["$ref"].split("/")[-1] for one in got} - {"strip", "id"}
        cases = [{name: value} for name in sorted(names) for value in EXTREMES + RANGES * (name == "have")]
        for _ in range(200):
            some = rng.sample(sorted(names), min(3, len(names)))
            cases.append({name: rng.choice(RANGES if name == "have" else EXTREMES) for name in some})
        for case in cases:
            of = {} if "{strip}" in path else {"strip": strip.name}
            reply = server.get(path.format(strip=strip.name, id=id) + query({**of, **case}))
            assert reply.status in (200, 400, 404, 410), reply
