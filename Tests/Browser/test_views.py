"""Views in the page: a strip with the attributes `where`, `q` and `sort`."""

import json
from urllib.parse import quote
from urllib.request import urlopen

import pytest

NOBLE = 'category = "Noble gas"'


@pytest.fixture
def facet(address):
    """The values of a field of the elements, with their counts."""

    def facet(field):
        with urlopen(f"{address}/strips/elements/facets?field={field}") as answer:
            [facet] = json.load(answer)["facets"]
        return {value["value"]: value["count"] for value in facet["values"]}

    return facet


def meta(strip):
    return strip.evaluate("(strip) => strip.meta")


def titles(strip):
    return [card["title"] for card in strip.visible()]


def test_the_page_shows_a_view_of_its_address(open_strip, facet):
    strip = open_strip("elements", f"&where={quote(NOBLE)}&sort=-number")
    assert meta(strip)["count"] == facet("category")["Noble gas"]
    assert meta(strip)["view"] == {"where": NOBLE, "sort": "-number"}
    assert titles(strip) == ["Radon", "Xenon", "Krypton", "Argon", "Neon", "Helium"]


def test_a_changed_attribute_shows_another_view(open_strip):
    strip = open_strip("elements")
    everything = meta(strip)["count"]
    strip.after("reload", lambda: strip.evaluate("(strip, where) => (strip.where = where)", NOBLE))
    assert titles(strip) == ["Helium", "Neon", "Argon", "Krypton", "Xenon", "Radon"]
    strip.after("reload", lambda: strip.evaluate("(strip) => (strip.q = 'xen')"))
    assert titles(strip) == ["Xenon"]
    strip.after("reload", lambda: strip.evaluate("(strip) => { strip.q = null; strip.where = null; }"))
    assert meta(strip)["count"] == everything
    assert "view" not in meta(strip)
