"""The race page: a strip, a list, and their figures."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.alone, pytest.mark.documents]


def figure(page, lane, name):
    return int(page.locator(f"#{lane}-{name}").inner_text().replace(",", ""))


def test_both_show_the_same_cards_and_the_figures_are_right(open_page):
    page = open_page("/galleries/race.html")
    page.get_by_label("Items").select_option("1000")
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("button", name="Run again")).to_be_enabled()
    expect(page.locator("#list-all")).not_to_have_text("–")
    titles = page.request.get("/window?strip=billion&width=1000").json()["items"]
    for k, item in enumerate(titles[:4]):
        title = item["fields"]["title"]
        expect(page.locator(f"carousel-strip li[data-index='{k}'] .title")).to_have_text(title)
        expect(page.locator(".list > li").nth(k).locator(".title")).to_have_text(title)
    expect(page.locator(".list > li")).to_have_count(1000)
    expect(page.locator(".list > li").last.locator(".title")).to_have_text("No. 1,000")
    assert figure(page, "list", "nodes") == page.locator("#list-place *").count() > 5000
    assert figure(page, "strip", "nodes") < 160
    page.wait_for_function("""() => {
      const [list, strip] = ["list", "strip"].map((lane) => Number(document.getElementById(`${lane}-bytes`).textContent.replaceAll(",", "")));
      return list > 10 * strip && strip > 0;
    }""")
    for lane in ["strip", "list"]:
        assert 0 < figure(page, lane, "first") <= figure(page, lane, "all")
    card = page.locator("carousel-strip li:not([hidden])").first.bounding_box()
    assert page.locator(".list > li").first.bounding_box()["width"] == card["width"]


def test_the_strip_reaches_the_last_of_the_billion(open_page):
    page = open_page("/galleries/race.html")
    page.get_by_label("Items").select_option("1000")
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("button", name="Run again")).to_be_enabled()
    page.locator("carousel-strip li[tabindex='0']").focus()
    page.keyboard.press("End")
    expect(page.locator("carousel-strip li[data-index='999999999']")).to_be_focused()
