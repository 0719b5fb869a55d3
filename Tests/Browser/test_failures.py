"""Requests that fail, and answers that are rejected or outdated."""

import json

import pytest
from playwright.sync_api import expect

from cases import case
from conftest import run, serving
from strip import Strip
from test_plugins import made_with


def test_offline_cards_stay_and_a_notice_is_shown(open_page):
    strip = Strip(open_page("/?strip=billion", complains=True), "billion")
    strip.settle()
    strip.page.context.set_offline(True)
    strip.evaluate("(strip) => strip.scrollTo({ offset: 1e6 })")
    expect(strip.page.get_by_role("status")).to_contain_text("No answer")
    strip.page.context.set_offline(False)
    strip.settle()
    expect(strip.page.get_by_role("status")).to_be_empty()
    strip.must_be_right()


def test_a_jump_while_offline_resolves_and_is_made_once_the_server_is_back(open_page):
    strip = Strip(open_page("/?strip=billion", complains=True), "billion")
    strip.arrive()
    strip.page.context.set_offline(True)
    strip.evaluate("(strip) => strip.scrollTo({ index: 5e8 })")
    assert strip.offset == 0
    expect(strip.page.get_by_role("status")).to_contain_text("No answer")
    strip.page.context.set_offline(False)
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').items.some(({ index }) => index === 5e8)")
    strip.settle()
    assert strip.visible()[0]["index"] == 500_000_000
    strip.must_be_right()


def test_a_failed_request_is_retried_after_retry_after_with_a_skeleton_and_a_notice_until_then(open_page):
    page = open_page("/galleries/albums.html", complains=True)
    strip = Strip(page, "albums")
    for status, headers in [(429, {"Retry-After": "2"}), (503, {"Retry-After": "2"}), (502, {})]:
        with case(status):
            problem = {"status": status, "detail": "not now", "parameter": "strip"}
            page.route("**/window?*", lambda route: route.fulfill(status=status, headers=headers, json=problem))
            page.reload()
            expect(strip.element).to_have_attribute("data-waiting", "")
            expect(page.locator("[part=notice]")).to_contain_text("No answer")
            page.unroute("**/window?*")
            strip.settle()
            expect(page.locator("[part=notice]")).to_be_empty()
            expect(strip.element).not_to_have_attribute("data-waiting", "")
            strip.must_be_right()
            asked = page.evaluate(
                "() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/window?')).map(({ startTime }) => startTime)"
            )
            assert asked[1] - asked[0] >= (1990 if headers else 490)


def test_a_strip_whose_revisions_are_lost_repeatedly_is_requested_after_a_delay(open_page):
    strip = Strip(open_page("/?strip=albums"), "albums")
    strip.settle()
    strip.page.clock.install()
    strip.evaluate(
        """(strip) => {
          window.reloads = 0;
          strip.addEventListener("beforereload", (event) => { window.reloads += 1; event.preventDefault(); });
          window.lose = () => { strip.emit("error", { status: 410 }); return window.reloads; };
        }"""
    )
    assert strip.page.evaluate("() => [window.lose(), window.lose()]") == [1, 1]
    strip.page.clock.run_for(1000)
    assert strip.page.evaluate("() => [window.reloads, window.lose()]") == [2, 2]
    strip.page.clock.run_for(2000)
    assert strip.page.evaluate("() => window.reloads") == 3


REFUSED = "The server refuses the request."


def test_a_strip_that_shows_what_was_asked_for_is_not_reloaded(open_page):
    page = open_page("about:blank", complains=True)
    page.clock.install()
    page.goto("/galleries/albums.html")
    strip = Strip(page, "albums")
    strip.arrive()
    page.route("**/window?*", lambda route: route.fulfill(status=503, headers={"Retry-After": "20"}, json={"status": 503}))
    strip.evaluate("(strip) => strip.scrollTo({ index: 40 })")
    expect(page.locator("[part=notice]")).to_contain_text("No answer")
    page.unroute("**/window?*")
    strip.evaluate("(strip) => { strip.where = 'year > 1970' }")
    strip.settle()
    strip.evaluate("(strip) => { window.reloads = 0; strip.addEventListener('beforereload', () => (window.reloads += 1)) }")
    page.clock.run_for(40_000)
    assert page.evaluate("() => window.reloads") == 0


def test_a_place_that_was_asked_for_survives_a_failure_and_a_reload(open_page):
    page = open_page("/?strip=albums", complains=True, viewport={"width": 1280, "height": 800})
    strip = made_with(page, "albums")
    page.route("**/window?*", lambda route: route.fulfill(status=503, json={"status": 503}))
    strip.evaluate("(strip) => { strip.sort = '-year'; strip.scrollTo({ index: 30, align: 'start' }); }")
    expect(page.locator("[part=notice]")).to_contain_text("No answer")
    page.unroute("**/window?*")
    strip.after("reload", lambda: strip.evaluate("(strip) => strip.reload()"))
    assert strip.visible()[0]["index"] == 30


def test_a_rejected_request_is_not_repeated(open_page):
    page = open_page("about:blank", complains=True)
    page.clock.install()
    asked = []

    def reject(route):
        asked.append(route.request.url)
        route.fulfill(status=status, json={"status": status, **({"detail": "not so"} if notice != REFUSED else {}), "parameter": parameter})

    page.route("**/window?*", reject)
    for status, parameter, notice in [
        (404, "strip", "There is no such strip."), (404, "list", "not so"), (401, None, "not so"), (422, "where", "not so"),
        (403, None, REFUSED),
    ]:
        with case(status, parameter):
            asked.clear()
            page.goto("/galleries/albums.html")
            expect(page.locator("[part=notice]")).to_have_text(notice)
            assert page.locator("carousel-strip[data-waiting]").count() == 0
            page.clock.fast_forward(120_000)
            page.evaluate("() => new Promise(requestAnimationFrame)")
            assert len(asked) == 1


def test_a_failed_reload_keeps_the_cards_and_the_strip_settles(open_page):
    strip = Strip(open_page("/?strip=albums", complains=True), "albums")
    strip.settle()
    strip.page.route("**/window?*", lambda route: route.fulfill(status=404, json={"status": 404, "detail": "none"}))
    strip.after("error", lambda: strip.evaluate("(strip) => strip.reload()"))
    strip.page.unroute("**/window?*")
    strip.by(700)
    strip.must_be_right()


def test_a_page_that_prevents_a_reload_requests_the_windows_itself(open_page):
    strip = made_with(open_page("/?strip=albums"), "elements")
    asked = strip.evaluate("""(strip) => {
      const asked = [], { refetch } = strip;
      strip.refetch = (...rest) => asked.push(rest.length);
      strip.reload();
      strip.addEventListener("beforereload", (event) => event.preventDefault());
      strip.reload();
      strip.refetch = refetch;
      return asked;
    }""")
    assert asked == [2]


@pytest.fixture
def changing(tmp_path):
    """A server of a strip `s` of 400 items, and a function that replaces them."""
    database, file = tmp_path / "s.db", tmp_path / "s.jsonl"

    def write(items, *more):
        file.write_text("".join(json.dumps(item) + "\n" for item in items))
        run("import", file, "--database", database, "--strip", "s", "--gap", "8", *more)

    items = [{"id": f"i{n}", "width": 80 + n * 13 % 100, "fields": {"title": f"Item {n}"}} for n in range(400)]
    write(items)
    with serving("--database", database) as address:
        yield address, items, lambda changed: write(changed, "--replace")


def test_a_new_revision_keeps_items_in_view_in_place(open_page, changing):
    address, items, replace = changing
    strip = Strip(open_page(f"{address}/?strip=s", base_url=address, complains=True), "s")
    strip.settle()
    strip.scroll_to(offset=5000)
    before = {card["id"]: card["x"] for card in strip.visible()}
    first = next(iter(before))
    revision = strip.window()["revision"]
    new = [{"id": f"new{n}", "width": 200, "fields": {"title": f"New {n}"}} for n in range(9)]
    replace(new + [item for item in items if item["id"] != first])
    strip.await_revision_after(revision)
    strip.evaluate("(strip) => { for (const node of strip.querySelectorAll('li')) node.mark = node.dataset.id }")
    strip.after("reload", lambda: strip.evaluate("(strip) => strip.reload()"))
    strip.must_be_right()
    after = {card["id"]: card["x"] for card in strip.visible()}
    still = before.keys() & after.keys()
    assert len(still) == len(before) - 1
    for id in still:
        assert abs(after[id] - before[id]) <= 1
        assert strip.element.locator(f"li[data-id='{id}']").evaluate("(node) => node.mark") == id
