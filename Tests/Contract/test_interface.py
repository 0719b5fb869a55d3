"""`/openapi.json` describes all answers: no answer outside its schema, no 5xx that it does not list."""

import json
import re
import subprocess

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi import checks

from command import ROOT, binary, imported
from editing import token
from samples import TENS
from server import Server
from waiting import TIMEOUT_SECONDS

load_all_checks()

# Hundreds of requests for each operation: a busy machine takes minutes.
pytestmark = pytest.mark.timeout(600)

# These checks do not agree with the contract. There an empty parameter is absent, and some parameters
# exclude one another. An unknown method is 501, and only a closed server requires a token for reads.
EXCEPTED = [
    checks.ignored_auth,
    checks.negative_data_rejection,
    checks.positive_data_acceptance,
    checks.unsupported_method,
]


def described(server):
    """The schema that `server` serves."""
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{server.port}/openapi.json")
    schema.config.phases.coverage.unexpected_methods = {"POST", "PUT", "DELETE", "PATCH"}
    return schema


@pytest.fixture(scope="module")
def interface(built_in):
    return described(built_in)


@pytest.fixture(scope="module")
def editable(tmp_path_factory):
    """The schema of a server with a database, and a token of its strip."""
    database = imported(tmp_path_factory.mktemp("interface") / "s.db", TENS)
    bearer = token(database, TENS.name)
    with Server("--database", database) as server:
        schema = described(server)
        schema.config.update(headers={"Authorization": f"Bearer {bearer}"})
        schema.config.parameters = {"path.strip": TENS.name}
        yield schema


LIMITED = hypothesis.settings(
    max_examples=20, database=None, derandomize=True, deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)  # fmt: skip
schema = schemathesis.pytest.from_fixture("interface")
changes = schemathesis.pytest.from_fixture("editable")


def test_the_version_is_that_of_the_program(built_in):
    said = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True)
    version = built_in.get("/openapi.json").json()["info"]["version"]
    assert re.fullmatch(rf"{re.escape(version)}( \([0-9a-f]+(-dirty)?\))?\n", said.stdout), said.stdout


def test_it_describes_itself_the_files_and_the_rejections_of_every_route(built_in):
    paths = built_in.get("/openapi.json").json()["paths"]
    assert {"/openapi.json", "/{file}"} <= paths.keys()
    sections = json.loads((ROOT / "Tests/Requests/raw-requests.json").read_text())
    refusals = {s for section in sections for case in section["cases"] for s in case["statuses"]}
    refusals = {str(status) for status in refusals | {408, 414, 431, 503} if status >= 400}
    for path, operations in paths.items():
        for method, operation in operations.items():
            assert refusals <= operation["responses"].keys(), f"{method} {path}"


# A stream of events does not end. test_events.py tests it.
@schema.exclude(path="/events").parametrize()
@LIMITED
def test_answers_are_as_described(case):
    case.call_and_validate(excluded_checks=EXCEPTED, timeout=TIMEOUT_SECONDS)


@changes.include(method=["POST", "PUT"]).parametrize()
@LIMITED
def test_changes_are_answered_as_described(case):
    case.call_and_validate(excluded_checks=EXCEPTED, timeout=TIMEOUT_SECONDS)
