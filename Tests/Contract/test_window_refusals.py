"""Queries that `GET /window` rejects, and the parameter that the problem names."""

from urllib.parse import quote

import pytest

import samples
from model.windows import answer

pytestmark = pytest.mark.one_store

#: A parameter, a wrong value, and the other parameters of the query.
WRONG = [
    *(("wrap", value, {}) for value in ("yes", "TRUE", "1", "true ")),
    *(("format", value, {}) for value in ("xml", "JSON", "application/json")),
    ("align", "middle", {"index": "1"}),
    ("align", "Start", {"index": "1"}),
    ("align", "start,end", {"index": "1"}),
    ("clamp", "yes", {"index": "1"}),
    ("clamp", "1", {"index": "1"}),
    *(("have", value, {"revision": "now"}) for value in ("5", "1-5", "1..", "..5", "..", "1...5", "1..5..7", "5..3", "a..b")),
    *(("have", value, {"revision": "now"}) for value in ("+1..3", "1..03", " 1..3", "1 .. 3", "1..3.5")),
    ("have", "0..99999999999999999999999", {"revision": "now"}),
]


@pytest.mark.parametrize("parameter, value, beside", WRONG)
def test_an_invalid_value_is_400_and_named(server, parameter, value, beside):
    if "revision" in beside:
        beside = {"revision": str(server.revision("mixed"))}
    server.window({**beside, parameter: value}).rejected(400, parameter)


@pytest.mark.parametrize("name", ["foo", "Offset", "OFFSET", "offset ", "offsets", "of", "x" * 300, "ü", "callback"])
def test_an_unknown_parameter_is_400_and_named(server, name):
    server.get(f"/window?{quote(name, safe='')}=1").rejected(400, name)


@pytest.mark.parametrize(
    "name, value",
    [
        ("strip", "mixed"), ("offset", "1"), ("width", "100"), ("height", "100"), ("overscan", "1"), ("pool", "2000"),
        ("index", "1"), ("item", "a1"), ("wrap", "true"), ("format", "json"), ("v", "1"), ("revision", "now"),
    ],
)
def test_a_parameter_given_twice_is_400_and_named(server, name, value):
    if value == "now":
        value = str(server.revision("mixed"))
    server.get(f"/window?{name}={value}&{name}={value}").rejected(400, name)
    server.get(f"/window?{name}={value}&width=99.5&{name}={value}").rejected(400)


def test_align_and_at_given_twice_are_named(server):
    server.get("/window?index=1&align=end&align=end").rejected(400, "align")
    server.get("/window?index=1&at=5&at=5").rejected(400, "at")


def test_an_encoded_name_is_the_same_name(server):
    server.get("/window?offset=1&%6Fffset=2").rejected(400, "offset")
    assert server.get("/window?%6Fffset=25").json()["offset"] == 25


def test_the_second_of_index_and_item_is_named(server):
    server.get("/window?index=1&item=a1").rejected(400, "item")
    server.get("/window?item=a1&index=1").rejected(400, "index")


def test_the_second_of_align_and_at_is_named(server):
    server.get("/window?index=1&align=end&at=5").rejected(400, "at")
    server.get("/window?index=1&at=5&align=end").rejected(400, "align")


def test_align_and_at_need_an_item(server):
    server.get("/window?align=end").rejected(400, "align")
    server.get("/window?at=5").rejected(400, "at")
    server.get("/window?align=end&index=").rejected(400, "align")
    server.get("/window?at=5&item=").rejected(400, "at")


def test_clamp_needs_an_index_or_an_item(server):
    for other in ("clamp=true", "clamp=false", "clamp=true&index=", "clamp=true&item="):
        server.get(f"/window?{other}").rejected(400, "clamp")


@pytest.mark.parametrize(
    "name",
    [
        "strip", "offset", "width", "height", "overscan", "pool", "index", "item", "align", "at", "clamp", "wrap",
        "have", "revision", "format", "v",
    ],
)
def test_an_empty_parameter_is_absent(server, name):
    expected = server.get("/window")
    assert expected.status == 200, f"{expected}"
    for spelled in (f"{name}=", name):
        reply = server.get(f"/window?{spelled}")
        assert (reply.status, reply.body) == (200, expected.body), f"{reply}"
        assert reply.fields["cache-control"] == "no-cache"


def test_empty_pairs_are_ignored(server):
    assert server.get("/window?&&offset=10&").json()["offset"] == 10
    assert server.get("/window?").body == server.get("/window").body


def test_without_parameters_the_window_is_the_start_of_the_first_strip(server):
    revision = server.revision("mixed")
    assert server.get("/window").text == answer(samples.MIXED, revision, {})


@pytest.mark.parametrize("v", ["1", "0.1.0+abc", "../x", "", "日本", "<>", "1&w=2"])
def test_v_is_ignored(server, v):
    assert server.get(f"/window?v={quote(v, safe='')}").body == server.get("/window").body


@pytest.mark.parametrize("value", ["%", "%zz", "%4", "%ff", "%c3", "%ed%a0%80", "%c0%af", "%f8%88%80%80%80"])
@pytest.mark.parametrize("name", ["item", "strip", "offset"])
def test_malformed_escapes_and_utf_8_are_400_and_named(server, name, value):
    server.get(f"/window?{name}={value}").rejected(400, name)


@pytest.mark.parametrize("strip", ["none", "mixe", "mixed0", "0"])
def test_an_unknown_strip_is_404(server, strip):
    server.window(strip=strip).rejected(404, "strip")


@pytest.mark.parametrize("strip", ["Mixed", "mixed ", "-mixed", "a/b", "x" * 65, "é", "mixed\x00"])
def test_an_invalid_strip_name_is_rejected(server, strip):
    server.window(strip=strip).rejected((400, 404), "strip")


@pytest.mark.parametrize("item", ["none", "A1", "a1 ", "a", "日本"])
def test_an_unknown_item_is_404(server, item):
    for wrap in ("true", "false"):
        server.window(item=item, wrap=wrap).rejected(404, "item")


@pytest.mark.parametrize("item", ["x" * 257, "a\x00", "a\n"])
def test_an_invalid_item_id_is_rejected(server, item):
    server.window(item=item).rejected((400, 404), "item")


@pytest.mark.parametrize("index", ["-1", "11", "1000", "1000000000000"])
def test_an_index_outside_a_strip_that_does_not_wrap_is_404(server, index):
    for clamp in ("", "false"):
        server.window(index=index, clamp=clamp).rejected(404, "index")
    assert server.window(index="10").status == 200


def test_an_empty_strip_has_no_index_and_no_item(server):
    for wrap in ("true", "false"):
        server.window(strip="empty", index="0", wrap=wrap).rejected(404, "index")
        server.window(strip="empty", item="a", wrap=wrap).rejected(404, "item")


def test_a_strip_of_period_0_does_not_wrap(server):
    reply = server.window(strip="unseen", wrap="true").json()
    assert (reply["wrap"], reply["count"], reply["extent"], reply["items"]) == (False, 3, 0, [])
    server.window(strip="unseen", index="3", wrap="true").rejected(404, "index")
    for name, extent in [("empty", 14), ("unseen", 0)]:
        assert server.window(strip=name, wrap="true").json()["extent"] == extent


def test_a_window_of_more_than_4096_items_is_400(server):
    """`many` has 5,000 items of 1 px."""
    assert len(server.window(strip="many", width="4096").json()["items"]) == 4096
    server.window(strip="many", width="4096.015625").rejected(400)
    server.window(strip="many", width="4096", offset="0.5").rejected(400)
    server.window(strip="many", width="4000", overscan="49", offset="100").rejected(400)
    server.window(strip="many", width="65536").rejected(400)
    assert len(server.window(strip="many", width="65536", offset="1000").json()["items"]) == 4000


def test_a_wrapped_window_of_more_than_4096_items_is_400(server):
    """The ring has 5 items in 140 px."""
    assert server.window(strip="ring", width="65536").status == 200
    server.window(strip="ring", width="65536", overscan="65536").rejected(400)
    server.window(strip="many", width="65536", wrap="true").rejected(400)


def test_a_have_of_more_than_4096_items_is_400(server):
    revision = str(server.revision("many"))
    assert server.window(strip="many", have="0..4096", revision=revision).status == 200
    server.window(strip="many", have="0..4097", revision=revision).rejected(400, "have")
    server.window(strip="ring", have="-4000..97", revision=str(server.revision("ring"))).rejected(400, "have")


def test_have_needs_a_revision(server):
    server.window(have="0..3").rejected(400, "have")
    server.window(have="0..3", revision="").rejected(400, "have")


@pytest.mark.parametrize("have", ["1000000000000000..1000000000000001", f"{2**63 - 2}..{2**63 - 1}"])
def test_a_have_far_away_is_200_or_400(server, have):
    for strip in ("ring", "mixed"):
        reply = server.window(strip=strip, have=have, revision=str(server.revision(strip)))
        assert reply.status == 200 or reply.rejected(400)


@pytest.mark.parametrize("revision", ["0", "1", "12345"])
def test_a_revision_before_the_first_is_404_or_410(server, revision):
    server.window(revision=revision).rejected((404, 410), "revision")


def test_a_future_revision_is_404(server):
    newest = server.revision("mixed")
    for ahead in (1, 10**9):
        server.window(revision=str(newest + ahead)).rejected(404, "revision")
    server.window(revision="99999999999999999999999").rejected((400, 404), "revision")
    server.window(revision="-1").rejected((400, 404), "revision")


def test_a_revision_of_another_strip_is_rejected(server):
    server.window(strip="tens", revision=str(server.revision("ring"))).rejected((404, 410), "revision")
