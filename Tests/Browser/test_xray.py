"""The x-ray panel, and its figures."""

from urllib.parse import urlparse

import pytest
from playwright.sync_api import expect

from strip import Strip, poll

# The figures of the panel and of the page, in one call, since the strip may draw more items at any time.
FIGURES = """(strip) => {
  const said = (name) => Number(document.getElementById(`xray-${name}`).textContent.replaceAll(",", ""));
  return [["nodes", "made", "reuses", "bytes"].map(said), document.getElementById("xray-pools").textContent, strip.figures];
}"""


@pytest.fixture
def xrayed(open_strip):
    strip = open_strip("billion", "&xray")
    strip.page.get_by_role("checkbox", name="X-ray").check()
    return strip


def figure(strip, name):
    return int(strip.page.locator(f"#xray-{name}").inner_text().replace(",", ""))


def test_the_figures_are_those_of_the_page(open_page):
    page = open_page("about:blank")
    begun = []
    page.on("request", lambda request: "/window?" in request.url and begun.append(request))
    page.goto("/?strip=billion&xray")
    page.get_by_role("checkbox", name="X-ray").check()
    strip = Strip(page, "billion")
    strip.arrive()
    strip.scroll(20)
    # The panel counts a request at its end.
    poll(
        lambda: len(begun) == figure(strip, "requests"),
        lambda: f"{len(begun)} requests have begun, and the panel shows {figure(strip, 'requests')}",
    )
    (nodes, made, reuses, bytes), pools, figures = strip.evaluate(FIGURES)
    assert nodes == strip.nodes() == figures["nodes"]
    assert made == figures["made"]
    assert reuses == figures["reuses"] > 100
    assert bytes > 1000
    assert pools == f"card {figures['pools']['card']}"


def test_each_slot_has_a_color_and_shows_its_name(xrayed):
    cards = xrayed.evaluate("""(strip) => [...strip.querySelectorAll("li:not([hidden])")].map((node) => [
      getComputedStyle(node.firstElementChild, "::before").backgroundColor, getComputedStyle(node, "::after").content, node.dataset.slot,
    ])""")
    assert len({tint for tint, _, _ in cards}) > 3
    for _, name, slot in cards:
        assert slot in name


def test_a_command_requests_its_window(xrayed, address):
    expect(xrayed.page.locator("#xray-commands code").first).to_contain_text("curl")
    command = xrayed.page.locator("#xray-commands code").first.inner_text()
    found = command.removeprefix("curl '").removesuffix("'")
    assert found.startswith(f"{address}/window?")
    answer = xrayed.page.request.get(f"{urlparse(found).path}?{urlparse(found).query}")
    expect(answer).to_be_ok()
    assert answer.json()["items"]


def test_a_command_is_copied(xrayed):
    xrayed.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row = xrayed.page.locator("#xray-commands li").first
    # Stored at the click, since the row shows another command after the next request.
    row.evaluate("(row) => row.addEventListener('click', () => (window.shown = row.querySelector('code').textContent), { capture: true })")
    row.get_by_role("button").click()
    expect(row.get_by_role("button")).to_have_text("Copied")
    copied, shown = xrayed.page.evaluate("async () => [await navigator.clipboard.readText(), window.shown]")
    assert copied == shown != ""


def test_switched_off_it_leaves_no_trace(xrayed):
    xrayed.page.get_by_role("checkbox", name="X-ray").uncheck()
    expect(xrayed.page.locator("#xray")).to_be_hidden()
    content = xrayed.card(0).evaluate("(node) => getComputedStyle(node, '::after').content")
    assert content == "none"


def test_switched_on_scrolling_creates_no_element(xrayed):
    xrayed.scroll(20)
    before = xrayed.made
    xrayed.scroll(20)
    assert xrayed.made == before
