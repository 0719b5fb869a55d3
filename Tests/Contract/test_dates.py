"""Dates of RFC 3339 in filters, sorts and facets: "compares with dates, by time"."""


import pytest

from command import import_items
from server import Server

TAKEN = {
    "a": "2018-12-31T23:59:59Z",
    "b": "2019",
    "c": "2019-04",
    "d": "2019-04-01",
    "e": "2019-04-01T12:00:00+02:00",
    "f": "2019-04-01T11:00:00Z",
    "g": "2019-12-31T23:30:00-05:00",
    "h": "2020-06-30T23:59:59",
    "i": "2020-07",
    "j": "unknown",
    "k": 2018,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    database = tmp_path_factory.mktemp("dates") / "dates.db"
    items= [{"id": id, "fields": {"taken": taken, "title": "x"}} for id, taken in TAKEN.items()]
    items += [{"id": "l", "fields": {"title": "x"}}]
    import_items(database, items, "--filterable", "taken", "--searchable", "title")
    with Server("--database", database) as server:
        yield server


def ids(server, **asked) -> str:
    return "".join(item["id"] for item in server.window(strip="s", width="60000", **asked).json()["items"])


@pytest.mark.parametrize(
    "where, found",
    [
        ("taken >= 2019", "bcdefghi"),
        ("taken > 2019", "hi"),
        ("taken < 2019", "ak"),
        ("taken <= 2019", "abcdefgk"),
        ("taken = 2019", "bcdefg"),
        ("taken IN [2019, 2018]", "abcdefgk"),
        ("taken 2019 TO 2020-06", "bcdefgh"),
        ("taken = 2019-04", "cdef"),
        ("taken = 2019-01", ""),  # all of 2019 is not in January
        ("taken >= 2019-01", "bcdefghi"),  # but it does not begin before it
        ("taken = 2019-04-01", "def"),
        ("taken 2019-04-01 TO 2019-04-01", "cdef"),  # April begins on that day
        ("taken < 2019-04-02", "abcdefk"),
        ("taken = 2019-12-31", "g"),  # by the clock of its place
        ("taken >= 2020-01-01T00:00:00Z", "ghi"),  # with an offset, by UTC
        ("taken = 2019-04-01T10:00:00Z", "e"),
        ("taken = 2019-04-01T12:00", "e"),
        ("taken != 2019", "ahijkl"),
        ('taken = "2019"', "b"),  # a text
        ("taken = 2018.0", "k"),  # a number that is no year
        ("taken >= 2017.5", "bk"),
        ("taken = 2019-13", ""),  # no date
        ("taken EXISTS AND NOT taken > 0 AND NOT taken >= 0000-01", "j"),
    ],
)
def test_a_filter_compares_dates(server, where, found):
    assert ids(server, where=where) == found


def test_the_canonical_spelling_of_a_text_that_looks_like_a_date_has_quotes(server):
    for where in ('taken = "2019-04"', "taken = 2019-04", 'taken IN ["2019", 2019, "2019-04-01T10:00"]'):
        assert server.window(strip="s", where=where).json()["view"]["where"] == where


def test_dates_sort_by_time_between_the_numbers_of_years(server):
    assert ids(server, sort="taken") == "kabcdefghijl"
    assert ids(server, sort="-taken") == "jihgfedcbakl"


def test_facets_count_dates_by_year_and_month(server):
    def values(by: str) -> dict[str, int]:
        facet = server.get(f"/strips/s/facets?field=taken&by={by}").json()["facets"][0]
        assert (facet["absent"], facet["distinct"]) == (1, len(facet["values"]))
        return {entry["value"]: entry["count"] for entry in facet["values"]}

    years = {"2019": 6, "2018": 2, "2020": 2, "unknown": 1}
    assert values("year") == years
    for year in ("2018", "2019", "2020"):
        assert len(ids(server, where=f"taken = {year}")) == years[year]
    assert values("month") == {
        "2019-04": 4, "2018": 1, "2018-12": 1, "2019": 1, "2019-12": 1, "2020-06": 1, "2020-07": 1, "unknown": 1,
    }  # fmt: skip
    server.get("/strips/s/facets?field=taken&by=day").rejected(400, "by")
    plain = server.get("/strips/s/facets?field=taken").body
    assert server.get("/strips/s/facets?field=taken&by=").body == plain
