"""The controls of a strip: step buttons, dots and a scrubber, and what screen readers announce."""

import pytest
from playwright.sync_api import expect

from strip import switches
from test_plugins import made_with

pytestmark = pytest.mark.alone


def line(strip):
    return strip.page.locator("carousel-strip [part=controls]")


def dots(strip):
    return line(strip).locator("[part=dots]").get_by_role("button")


def current(strip):
    return dots(strip).evaluate_all("(dots) => dots.map((dot) => dot.ariaCurrent).indexOf('true')")


def test_the_step_buttons_scroll_and_are_disabled_at_the_ends(open_page):
    strip = made_with(open_page("/?strip=albums"), "albums", controls="previous next")
    back = line(strip).get_by_role("button", name="Previous")
    on = line(strip).get_by_role("button", name="Next")
    expect(back).to_have_attribute("aria-disabled", "true")
    strip.rest(on.click)
    assert strip.offset == strip.width
    expect(back).to_have_attribute("aria-disabled", "false")
    strip.rest(back.click)
    assert strip.offset == 0
    strip.rest(lambda: strip.scroll_to(offset=1e9))
    expect(on).to_have_attribute("aria-disabled", "true")
    # In a loop no step button is disabled.
    strip = made_with(strip.page, "albums", controls="previous next", loop="")
    expect(back).to_have_attribute("aria-disabled", "false")
    strip.rest(back.click)
    assert strip.offset == -strip.width


def test_controls_are_in_the_region_of_their_strip_and_nothing_is_outside(open_page):
    strip = made_with(open_page("/?strip=albums"), "albums", controls="previous scrubber dots next", autoplay="60000", indicator="")
    before = strip.page.evaluate("() => [...document.querySelector('main').children].map((one) => one.localName)")
    assert before == ["div", "div", "div", "div", "div", "details", "svg", "section"]
    strip.card(0).click()
    region = strip.page.get_by_role("region", name="albums")
    expect(region.get_by_role("slider", name="Position")).to_be_visible()
    for name in ["Previous", "Next", "Pause", "1 of 9"]:
        expect(region.get_by_role("button", name=name)).to_be_visible()
    # The page has as many elements as it gave the strip, besides the list.
    assert set(strip.evaluate("(strip) => [...strip.children].map((one) => one.localName)")) == {"ul", "template"}
    assert strip.evaluate("(strip) => strip.getAttributeNames()") == ["controls", "autoplay", "indicator", "strip"]


def test_the_page_styles_parts_and_fills_slots(open_page):
    page = open_page("/?strip=albums")
    page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("carousel-strip::part(step) { background: rgb(1, 2, 3) } .row { display: flex } .row > carousel-strip { flex: 1 }");
      document.adoptedStyleSheets = [sheet];
    }""")
    strip = made_with(page, "albums", controls="previous next")
    button = line(strip).get_by_role("button", name="Next")
    expect(button).to_have_css("background-color", "rgb(1, 2, 3)")
    strip.evaluate("""(strip) => {
      const icon = Object.assign(document.createElement("i"), { slot: "next", textContent: "on" });
      const more = Object.assign(document.createElement("a"), { slot: "controls", textContent: "All" });
      strip.append(icon, more);
    }""")
    icon, more = strip.element.locator("i").bounding_box(), strip.element.locator("a[slot]").bounding_box()
    box = button.bounding_box()
    assert box["x"] < icon["x"] < icon["x"] + icon["width"] < box["x"] + box["width"]
    assert more["y"] > strip.card(0).bounding_box()["y"] + strip.card(0).bounding_box()["height"]
    # In a row, the strip and its controls are one item.
    strip.evaluate("""(strip) => {
      const row = Object.assign(document.createElement("div"), { className: "row" });
      strip.replaceWith(row);
      row.append(strip, "Beside");
    }""")
    strip.settle()
    assert strip.element.bounding_box()["width"] > 1000
    assert button.bounding_box()["y"] > strip.card(0).bounding_box()["y"]


def test_a_step_by_a_button_announces_the_current_item_and_nothing_else_does(open_page):
    strip = made_with(open_page("/?strip=albums"), "albums", controls="previous next", step="item")
    status = line(strip).get_by_role("status")
    # The scrolling of a reader announces nothing.
    strip.by(570)
    expect(status).to_be_empty()
    strip.rest(line(strip).get_by_role("button", name="Next").click)
    expect(status).to_have_text("Tapestry, Carole King, 5 of 50")
    strip.evaluate("(strip) => new Promise((go) => { strip.addEventListener('settle', go, { once: true }); strip.where = 'year > 9999'; })")  # no item is announced
    assert strip.evaluate("() => window.errors") == []


def test_a_dot_scrolls_to_its_page_and_the_current_one_is_marked(open_page):
    strip = made_with(open_page("/?strip=albums", viewport={"width": 1280, "height": 800}), "albums", controls="dots")
    expect(dots(strip)).to_have_count(-(-9490 // strip.width))
    assert current(strip) == 0
    strip.rest(dots(strip).nth(4).click)
    last = dots(strip).count() - 1
    assert strip.offset == pytest.approx(strip.evaluate("(strip) => strip.maxOffset") * 4 / last, abs=1)
    assert current(strip) == 4
    strip.scroll_to(offset=1e9)
    assert current(strip) == last
    expect(dots(strip).nth(last)).to_have_accessible_name(f"{last + 1} of {last + 1}")


def test_the_scrubber_shows_the_title_of_each_group_above_its_part(open_page):
    strip = made_with(open_page("/?strip=albums"), "elements", controls="scrubber")
    titles = line(strip).locator("[part=titles] > span")
    expect(titles).to_have_text([f"Period {n}" for n in range(1, 8)])
    box = line(strip).locator("[part=titles]").bounding_box()
    groups = strip.page.request.get("/strips/elements/groups").json()["groups"]
    extent = strip.evaluate("(strip) => strip.meta.extent")
    ends = [group["start"] for group in groups[1:]] + [extent]
    for k, (group, end) in enumerate(zip(groups, ends)):
        place = titles.nth(k).bounding_box()
        assert place["x"] - box["x"] == pytest.approx(group["start"] / extent * box["width"], abs=2)
        assert place["width"] == pytest.approx((end - group["start"]) / extent * box["width"], abs=2)
    # It scrolls anywhere, and names the group.
    scrubber = line(strip).get_by_role("slider", name="Position")
    expect(scrubber).to_have_attribute("aria-valuetext", "0% Period 1")
    scrubber.fill("0.5")
    strip.settle()
    assert strip.offset == pytest.approx(strip.evaluate("(strip) => strip.maxOffset") / 2, abs=1)
    title = strip.window(offset=strip.offset, width=1)["group"]["title"]
    expect(scrubber).to_have_attribute("aria-valuetext", f"50% {title}")
    # From right to left it and its titles are mirrored.
    page = strip.page
    page.evaluate("() => { document.documentElement.dir = 'rtl' }")
    strip = made_with(page, "elements", controls="scrubber")
    titles = line(strip).locator("[part=titles] > span")
    first, last = titles.first.bounding_box(), titles.last.bounding_box()
    assert first["x"] > last["x"]
    box = line(strip).get_by_role("slider").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    strip.settle()
    assert strip.offset > strip.evaluate("(strip) => strip.maxOffset") / 2


def test_while_scrubbing_a_bubble_names_the_group(open_page):
    page = open_page("/?strip=albums")
    strip = made_with(page, "elements", controls="scrubber")
    strip.await_titles()
    scrubber, bubble = line(strip).get_by_role("slider"), line(strip).locator("[part=bubble]")
    expect(bubble).to_be_hidden()
    box = scrubber.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in [0.2, 0.5, 0.8]:
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        strip.settle()
        title = strip.window(offset=strip.offset, width=1)["group"]["title"]
        expect(bubble).to_be_visible()
        expect(bubble).to_have_text(title)
        place = bubble.bounding_box()
        assert abs(place["x"] + place["width"] / 2 - box["x"] - share * box["width"]) < 30
    page.mouse.up()
    page.mouse.click(5, 5)
    expect(bubble).to_be_hidden()


def test_the_demo_page_has_switches_for_plugins(open_strip):
    strip = open_strip("albums")
    box = switches(strip.page)
    box.get_by_label("Effects").check()
    expect(strip.card(0).locator(".picture")).not_to_have_css("transform", "none")
    box.get_by_label("Indicator").check()
    strip.card(1).click()
    expect(strip.element.locator("[part=indicator]")).to_be_visible()
    box.get_by_label("Indicator").uncheck()
    expect(strip.element.locator("[part=indicator]")).to_have_count(0)
    box.get_by_label("Dots").check()
    expect(dots(strip).first).to_be_visible()
    box.get_by_label("Loop").check()
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').meta?.wrap")


def test_the_demo_page_and_the_galleries_are_linked(open_page):
    page = open_page("/?strip=albums")
    page.get_by_role("link", name="Galleries").click()
    page.get_by_role("link", name="Photo wall").click()
    names = ["Option bar", "Album browser", "Tabs", "Mixed cards", "Centered cards", "In your page", "A billion against a list"]
    menu = page.get_by_role("navigation", name="Galleries")
    for name in names:
        menu.locator("summary").click()
        menu.get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        expect(menu.locator("a", has_text=name)).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="carousel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Everything you have, on one page")
