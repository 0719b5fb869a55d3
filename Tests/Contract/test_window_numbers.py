"""Numbers in a query follow JSON's grammar and are rounded to the nearest 1/64 px."""

import pytest

import samples
from model.windows import answer

# Numbers are parsed before the store is asked.
pytestmark = pytest.mark.one_store

#: Texts that JSON's grammar forbids, and numbers beyond the range of a double.
NO_NUMBERS = [
    "+1", "01", "-01", "00", "1.", ".5", "-.5", "-", "--1", "0x10", "NaN", "nan", "Infinity", "-Infinity", "inf",
    "1e", "1e+", "1e1.5", "e5", "1E", " 1", "1 ", "1\n", "\t1", "1\x00", "1,5", "1_000", "1'000", "1px", "100%",
    "1e400", "-1e400", "1e99999999999999999999", "١٢", "１", "true", "null", '"1"', "[1]", "0b1", "1d", "1f", "1-1",
]

#: Spellings of 100 in JSON's grammar.
HUNDREDS = ["100", "100.0", "1e2", "1E2", "1e+2", "1E+02", "10000e-2", "0.1e3", "100.000000000000000001"]


def same(server, asked: dict[str, str]) -> None:
    """Asserts that the server and the model give the same window of `mixed`."""
    revision = server.revision("mixed")
    reply = server.window(asked, strip="mixed")
    assert reply.status == 200, f"{reply}"
    assert reply.text == answer(samples.MIXED, revision, asked), reply.request


@pytest.mark.parametrize("parameter", ["offset", "width", "height", "overscan", "pool", "index", "at", "revision"])
def test_a_text_that_is_no_json_number_is_400_and_named(server, parameter):
    """A number beyond the range of a double may be an index or a revision that does not exist."""
    beside = {"index": "1"} if parameter == "at" else {}
    for spelling in NO_NUMBERS:
        too_great = parameter in ("index", "revision") and spelling.strip("-").startswith(("1e4", "1e9"))
        reply = server.window({**beside, parameter: spelling})
        reply.rejected((400, 404) if too_great else 400, parameter)


@pytest.mark.parametrize("parameter", ["offset", "width", "height", "overscan"])
def test_every_json_spelling_of_a_number_is_allowed(server, parameter):
    usual = server.window({parameter: "100"})
    for spelling in HUNDREDS:
        same(server, {parameter: spelling})
        unusual = server.window({parameter: spelling})
        assert (usual.body, usual.fields["etag"]) == (unusual.body, unusual.fields["etag"]), spelling


def test_a_plus_sign_in_a_query_is_a_space(server):
    """`1e+2` is "1e 2"; `1e%2B2` is 100."""
    server.get("/window?offset=1e+2").rejected(400, "offset")
    assert server.get("/window?offset=1e%2B2").json()["offset"] == 100


@pytest.mark.parametrize(
    "parameter, least, most, step",
    [
        ("offset", -(2**46), 2**46, 1),
        ("width", 1, 65536, 1 / 64),
        ("height", 16, 16384, 1 / 64),
        ("overscan", 0, 65536, 1 / 64),
    ],
)
def test_ranges_include_their_limits(server, parameter, least, most, step):
    """The next value on either side is out of range: 1/64 px, or 1 px where doubles are coarse."""
    for value in (least, most):
        same(server, {parameter: str(value)})
    for beyond in (least - step, most + step, least - 10**17, most + 10**17, 1e300, -1e300):
        server.window({parameter: repr(beyond)}).rejected(400, parameter)


def test_a_pool_is_at_least_the_window_with_its_overscan(server):
    same(server, {"width": "100", "overscan": "20.5", "pool": "141"})
    server.window(width="100", overscan="20.5", pool="140.984375").rejected(400, "pool")
    server.window(pool="1023").rejected(400, "pool")
    same(server, {"pool": "1024"})
    same(server, {"pool": "262144"})
    server.window(pool="262144.015625").rejected(400, "pool")
    server.window(pool="-1").rejected(400, "pool")


def test_the_widest_window_with_the_widest_overscan_has_a_pool(server):
    same(server, {"width": "65536", "overscan": "65536"})


def test_an_index_and_a_revision_are_whole_numbers(server):
    for number in ("1.5", "0.1", "-0.5", "1e-1"):
        server.window(index=number).rejected(400, "index")
        server.window(index=number, wrap="true").rejected(400, "index")
        server.window(revision=number).rejected(400, "revision")


@pytest.mark.parametrize("at", ["1e300", "-1e300"])
def test_at_beyond_all_positions_is_400(server, at):
    server.window(index="1", at=at, strip="ring").rejected(400, "at")


@pytest.mark.parametrize("index", ["1000000000000000", "-1000000000000000"])
def test_an_index_that_wraps_beyond_all_positions_is_400(server, index):
    """The ring has 5 items and a period of 140 px: index 10^15 starts at 2.8 x 10^16 px."""
    server.window(strip="ring", index=index).rejected(400, "index")


@pytest.mark.parametrize("index", [str(2**62), str(2**63 - 1), str(-(2**63)), str(10**30)])
def test_an_index_beyond_2_to_the_62_is_rejected(server, index):
    server.window(strip="ring", index=index).rejected(400, "index")
    server.window(strip="tens", index=index).rejected(404, "index")
