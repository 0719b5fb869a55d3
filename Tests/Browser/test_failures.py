"""Requests that fail, and answers that are rejected or outdated."""

from playwright.sync_api import expect

from cases import case
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
    for status, headers in [(429, {"Retry-After": "2"}), (502, {})]:
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


def test_a_place_that_was_asked_for_survives_a_failure_and_a_reload(open_page):
    page = open_page("/?strip=albums", complains=True, viewport={"width": 1280, "height": 800})
    strip = made_with(page, "albums")
    page.route("**/window?*", lambda route: route.fulfill(status=503, json={"status": 503}))
    strip.evaluate("(strip) => { strip.sort = '-year'; strip.scrollTo({ index: 30, align: 'start' }); }")
    expect(page.locator("[part=notice]")).to_contain_text("No answer")
    page.unroute("**/window?*")
    strip.after("reload", lambda: strip.evaluate("(strip) => strip.reload()"))
    assert strip.visible()[0]["index"] == 30


def test_a_failed_reload_keeps_the_cards_and_the_strip_settles(open_page):
    strip = Strip(open_page("/?strip=albums", complains=True), "albums")
    strip.settle()
    strip.page.route("**/window?*", lambda route: route.fulfill(status=404, json={"status": 404, "detail": "none"}))
    strip.after("error", lambda: strip.evaluate("(strip) => strip.reload()"))
    strip.page.unroute("**/window?*")
    strip.by(700)
    strip.must_be_right()
