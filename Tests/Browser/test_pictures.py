"""Pictures that fail, are missing, or come late."""

from playwright.sync_api import expect

PICTURES = "**/covers/*"


def test_a_picture_that_fails_leaves_a_card_with_its_title(open_page):
    page = open_page("about:blank", complains=True)
    page.route(PICTURES, lambda route: route.fulfill(status=404))
    page.goto("/?strip=albums")
    card = page.locator("li[data-index='1']")
    expect(card.locator("img")).to_have_attribute("data-failed", "")
    expect(card.locator("img")).to_be_hidden()
    expect(card.locator(".mark")).to_be_visible()
    expect(card.locator(".title")).to_be_visible()
    box = card.locator(".picture").bounding_box()
    assert box["height"] == 180 and box["width"] == 180


def test_pictures_that_failed_before_scripts_ran_are_noticed(open_page):
    page = open_page("about:blank", complains=True)
    page.route(PICTURES, lambda route: route.abort())
    held = []
    page.route("**/js/page.js", lambda route: held.append(route))
    page.goto("/?strip=albums", wait_until="commit")
    page.wait_for_function("() => document.querySelector(\"li[data-index='1'] img\")?.complete")
    held[0].continue_()
    expect(page.locator("li[data-index='1'] img")).to_have_attribute("data-failed", "")


def test_a_card_without_a_picture_has_no_broken_one(open_strip):
    strip = open_strip("billion")
    strip.scroll(2)
    assert strip.element.locator("img[src]").count() == 0
    expect(strip.element.locator("li:not([hidden]) img").first).to_be_hidden()
    expect(strip.element.locator("li:not([hidden]) .mark").first).to_be_visible()


def test_a_reused_node_never_shows_its_former_picture(open_page):
    page = open_page("/?strip=albums", viewport={"width": 400, "height": 700})
    page.wait_for_function("() => document.querySelector('carousel-strip').figures.pool > 0")
    page.wait_for_load_state("networkidle")
    held = []
    page.route(PICTURES, lambda route: held.append(route))
    page.evaluate("() => document.querySelector('carousel-strip').scrollTo({ offset: 5000 })")
    page.wait_for_function("() => document.querySelector('carousel-strip').items.length > 0")
    index = page.evaluate("() => document.querySelector('carousel-strip').items.at(-1).index")
    image = page.locator(f"li[data-index='{index}'] img")
    expect(image).to_have_attribute("data-coming", "")
    expect(image).to_have_css("opacity", "0")
    for route in held:
        route.continue_()
    expect(image).not_to_have_attribute("data-coming", "")
    expect(image).to_have_css("opacity", "1")
    assert image.evaluate("(image) => image.naturalWidth") > 0
