"""The x-ray shows what the machine does, and what it shows is so."""

from urllib.parse import urlparse

import pytest
from playwright.sync_api import expect

from strip import Strip


@pytest.fixture
def xrayed(open_strip):
    strip = open_strip("billion")
    strip.page.get_by_role("checkbox", name="X-ray").check()
    return strip


def figure(strip, name):
    return int(strip.page.locator(f"#xray-{name}").inner_text().replace(",", ""))


def test_the_figures_are_those_of_the_page(open_page):
    page = open_page("about:blank")
    asked = []
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: "/window?" in request.url and asked.append(request))
    page.goto("/?strip=billion")
    page.get_by_role("checkbox", name="X-ray").check()
    strip = Strip(page, "billion")
    strip.settle()
    strip.scroll(20)
    page.wait_for_load_state("networkidle")
    page.wait_for_function(
        "(n) => document.getElementById('xray-requests').innerText === String(n)", arg=len(asked)
    )
    figures = strip.figures
    assert figure(strip, "nodes") == strip.nodes() == figures["nodes"]
    assert figure(strip, "made") == figures["made"]
    assert figure(strip, "reuses") == figures["reuses"] > 100
    assert figure(strip, "bytes") > 1000
    expect(page.locator("#xray-pools")).to_have_text(f"card {figures['pools']['card']}")


def test_each_slot_has_a_tint_and_says_its_name(xrayed):
    cards = xrayed.element.locator("li:not([hidden])")
    tints = cards.evaluate_all(
        "(nodes) => nodes.map((n) => getComputedStyle(n.firstElementChild, '::before').backgroundColor)"
    )
    assert len(set(tints)) > 3
    names = cards.evaluate_all("(nodes) => nodes.map((n) => getComputedStyle(n, '::after').content)")
    slots = cards.evaluate_all("(nodes) => nodes.map((n) => n.dataset.slot)")
    for name, slot in zip(names, slots):
        assert slot in name


def test_a_command_asks_for_the_window_that_it_shows(xrayed, address):
    command = xrayed.page.locator("#xray-commands code").first.inner_text()
    found = command.removeprefix("curl '").removesuffix("'")
    assert found.startswith(f"{address}/window?")
    answer = xrayed.page.request.get(f"{urlparse(found).path}?{urlparse(found).query}")
    expect(answer).to_be_ok()
    assert answer.json()["items"]


def test_a_command_is_copied(xrayed):
    xrayed.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row = xrayed.page.locator("#xray-commands li").first
    row.get_by_role("button").click()
    expect(row.get_by_role("button")).to_have_text("Copied")
    copied = xrayed.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == row.locator("code").inner_text()


def test_off_it_leaves_no_trace(xrayed):
    xrayed.page.get_by_role("checkbox", name="X-ray").uncheck()
    expect(xrayed.page.locator("#xray")).to_be_hidden()
    content = xrayed.card(0).evaluate("(node) => getComputedStyle(node, '::after').content")
    assert content == "none"


def test_while_on_scrolling_makes_no_element_either(xrayed):
    xrayed.scroll(20)
    before = xrayed.made
    xrayed.scroll(20)
    assert xrayed.made == before
