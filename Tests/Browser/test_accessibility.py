"""axe-core finds nothing on any page, in either scheme, at rest and in use."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from strip import Strip

PAGES = ["/?strip=albums", "/?strip=elements", "/?strip=billion"]
PAGES += [f"/galleries/{name}.html" for name in ["options", "albums", "menu", "modules", "cards"]]


def violations(page):
    found = Axe().run(page).response["violations"]
    return [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(open_page, path):
    strip = Strip(open_page(path), "")
    strip.settle()
    assert violations(strip.page) == []


@pytest.mark.parametrize("path", ["/?strip=albums", "/galleries/menu.html"])
def test_axe_finds_nothing_in_the_dark_with_a_card_selected(open_page, path):
    strip = Strip(open_page(path, color_scheme="dark", reduced_motion="reduce"), "")
    strip.settle()
    strip.scroll_to(offset=3000)
    strip.card(strip.visible()[1]["index"]).click()
    strip.settle()
    assert violations(strip.page) == []
