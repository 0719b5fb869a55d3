"""`/openapi.json` describes what is there: no answer outside its schema, no 5xx it does not state."""

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi import checks

load_all_checks()

# Of these the contract knows better: an empty parameter counts as absent, some exclude one another,
# and a method that nobody knows is 501.
EXCEPTED = [
    checks.negative_data_rejection,
    checks.positive_data_acceptance,
    checks.unsupported_method,
]


@pytest.fixture(scope="module")
def interface(built_in):
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{built_in.port}/openapi.json")
    schema.config.phases.coverage.unexpected_methods = {"POST", "PUT", "DELETE", "PATCH"}
    return schema


schema = schemathesis.pytest.from_fixture("interface")


# A stream of events has no end to wait for; test_events listens to it.
@schema.exclude(path="/events").parametrize()
@hypothesis.settings(max_examples=60, database=None, derandomize=True, deadline=None)
def test_answers_are_as_described(case):
    case.call_and_validate(excluded_checks=EXCEPTED)
