"""`/openapi.json` describes what is there: no answer outside its schema, no 5xx it does not state."""

import json
import subprocess
from random import Random
from urllib.parse import quote

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi import checks

from command import ROOT, binary, imported
from editing import token
from server import Server, query
from shelf import EMPTY, MIXED, RING, TENS, UNSEEN

load_all_checks()

# Of these the contract knows better: an empty parameter counts as absent, some exclude one another,
# a method that nobody knows is 501, and reads take a token only where the server is closed.
EXCEPTED = [
    checks.ignored_auth,
    checks.negative_data_rejection,
    checks.positive_data_acceptance,
    checks.unsupported_method,
]


def described(server):
    """The interface as `server` itself describes it."""
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/openapi.json")
    schema.config.phases.coverage.unexpected_methods = {"POST", "PUT", "DELETE", "PATCH"}
    return schema


@pytest.fixture(scope="module")
def interface(built_in):
    return described(built_in)


@pytest.fixture(scope="module")
def editable(tmp_path_factory):
    """The interface of a server whose strip may be changed, and what gives leave to do so."""
    database = imported(tmp_path_factory.mktemp("interface") / "s.db", TENS)
    bearer = token(database, TENS.name)
    with Server("--database", database) as server:
        schema = described(server)
        schema.config.update(headers={"Authorization": f"Bearer {bearer}"})
        schema.config.parameters = {"path.strip": TENS.name}
        yield schema


schema = schemathesis.pytest.from_fixture("interface")
changes = schemathesis.pytest.from_fixture("editable")


def test_its_version_is_the_programs(built_in):
    said = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True)
    assert built_in.get("/openapi.json").json()["info"]["version"] == said.stdout.strip()


def test_it_describes_itself_the_files_and_what_may_be_refused_anywhere(built_in):
    paths = built_in.get("/openapi.json").json()["paths"]
    assert {"/openapi.json", "/{file}"} <= paths.keys()
    sections = json.loads((ROOT / "Tests/Requests/raw-requests.json").read_text())
    refusals = {s for section in sections for case in section["cases"] for s in case["statuses"]}
    refusals = {str(status) for status in refusals | {408, 414, 431, 503} if status >= 400}
    for path, operations in paths.items():
        for method, operation in operations.items():
            assert refusals <= operation["responses"].keys(), f"{method} {path}"


WHOLE = [-(2**63), -(2**31), -1, 0, 1, len(MIXED.items), 2**31, 2**53 + 1, 2**63 - 1, 10**30]
#: What parameters are at the ends of their ranges, and beyond.
EXTREMES = [
    *map(str, WHOLE),
    *("-1e30", "1e308", "1e-308", "0.5", "140737488355327.99", "-140737488355328"),
    *(f"{first}..{end}" for first in WHOLE for end in WHOLE if first <= end),
    *("true", "end", "center", "nearest", "html"),
]


@pytest.mark.parametrize("strip", [MIXED, RING, UNSEEN, EMPTY], ids=lambda strip: strip.name)
def test_no_value_of_any_parameter_is_too_much_for_a_strip(server, strip):
    rng = Random(strip.name)
    id = quote(strip.items[0].id, safe="") if strip.items else "none"
    for path, operations in server.get("/openapi.json").json()["paths"].items():
        if "{strip}" not in path and path not in ("/", "/window") or "get" not in operations:
            continue
        told = operations["get"]["parameters"]
        names = {one.get("name") or one["$ref"].split("/")[-1] for one in told} - {"strip", "id"}
        cases = [{name: value} for name in sorted(names) for value in EXTREMES]
        for _ in range(200):
            some = rng.sample(sorted(names), min(3, len(names)))
            cases.append({name: rng.choice(EXTREMES) for name in some})
        for case in cases:
            of = {} if "{strip}" in path else {"strip": strip.name}
            reply = server.get(path.format(strip=strip.name, id=id) + query({**of, **case}))
            assert reply.status in (200, 400, 404, 410), reply


# A stream of events has no end to wait for; test_events listens to it.
@schema.exclude(path="/events").parametrize()
@hypothesis.settings(max_examples=60, database=None, derandomize=True, deadline=None)
def test_answers_are_as_described(case):
    case.call_and_validate(excluded_checks=EXCEPTED)


@changes.include(method=["POST", "PUT"]).parametrize()
@hypothesis.settings(max_examples=60, database=None, derandomize=True, deadline=None)
def test_changes_are_answered_as_described(case):
    case.call_and_validate(excluded_checks=EXCEPTED)
