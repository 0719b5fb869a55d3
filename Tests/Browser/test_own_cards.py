"""Custom cards: the content of templates, content that a page adds to cards, and their labels for screen readers."""

import re

import pytest
from playwright.sync_api import expect

from strip import Strip
from test_accessibility import violations


@pytest.fixture
def with_card(open_page):
    """Replaces the strip of the demo page by one with a custom card and list."""

    def with_card(card, list="<ul></ul>", script="() => {}"):
        page = open_page("/?strip=albums")
        page.evaluate(
            """([card, list, script]) => {
              const made = document.createElement("carousel-strip");
              made.innerHTML = `<template data-kind="card">${card}</template>${list}`;
              made.strip = "albums";
              eval(script)(made);
              document.querySelector("carousel-strip").replaceWith(made);
              document.querySelector(".controls").remove(); // they control the former strip
            }""",
            [card, list, script],
        )
        strip = Strip(page, "albums")
        strip.arrive()
        return strip

    return with_card


PUT_IN_FRONT = """(strip) => strip.addEventListener("willdisplay", ({ detail: { node } }) => {
  if (!node.querySelector(".badge")) node.firstElementChild.insertAdjacentHTML("beforebegin", '<b class="badge"><i>new</i></b>');
})"""


def test_content_that_a_page_adds_to_a_card_moves_no_field(with_card):
    strip = with_card('<p class="title">{title}</p><p class="subtitle">{subtitle}</p>', script=PUT_IN_FRONT)
    for offset in [3000, 6000, 0]:
        strip.scroll_to(offset=offset)
        strip.must_be_right()
        assert set(strip.element.locator("li:not([hidden]) .badge").all_text_contents()) == {"new"}


def test_a_template_can_mix_text_and_elements(with_card):
    strip = with_card('{genre}: <b class="title">{title}</b> by {subtitle}, <i>{none}</i>{year}')
    for offset in [4000, 0]:
        strip.scroll_to(offset=offset)
        strip.must_be_right()
        for item in strip.window(offset=offset, width=strip.width)["items"]:
            said = "{genre}: {title} by {subtitle}, {year}".format(**item["fields"])
            expect(strip.card(item["index"])).to_have_text(said)


def test_mixed_text_that_the_server_rendered_is_filled_again(open_page):
    page = open_page("about:blank")

    def mix(route):
        answer = route.fetch()
        body = answer.text().replace('<p class="subtitle">{subtitle}</p></template>', "{none}<b>{none}</b>{year}</template>", 1)
        route.fulfill(response=answer, body=re.sub('<p class="subtitle">[^<]*</p></li>', "<b></b>1959</li>", body))

    page.route("**/?strip=albums", mix)
    page.goto("/?strip=albums")
    strip = Strip(page, "albums")
    strip.settle()
    strip.scroll_to(offset=5000)
    for item in strip.window(offset=strip.offset, width=strip.width)["items"]:
        expect(strip.card(item["index"])).to_contain_text(str(item["fields"]["year"]))


BUTTONS = '<p class="title">{title}</p><p><button type="button">Play {title}</button> <a href="/covers/a0.svg">Cover</a></p>'


def test_cards_with_buttons_are_items_of_a_list(with_card):
    strip = with_card(BUTTONS, list='<ul role="list"></ul>')
    expect(strip.page.get_by_role("listitem", name="Blue, Joni Mitchell, 7 of 50")).to_have_attribute("aria-posinset", "7")
    strip.evaluate("(strip) => strip.select(2)")
    expect(strip.card(2)).to_have_attribute("aria-current", "true")
    expect(strip.card(1)).to_have_attribute("aria-current", "false")
    assert violations(strip.page) == []
    expect(strip.element.locator("[aria-selected]")).to_have_count(0)


def test_the_label_of_a_card_without_a_title_is_its_text(with_card):
    strip = with_card("<p>{subtitle}</p><p>{year}</p>")
    assert strip.page.get_by_role("option", name="Joni Mitchell 1971").count() == 0  # its label is the title, which the card does not show
    strip.page.route("**/window?*", untitled)
    strip.evaluate("(strip) => { strip.height = 150 }")
    expect(strip.page.get_by_role("option", name="Joni Mitchell 1971")).to_be_visible()


def untitled(route):
    answer = route.fetch()
    body = answer.json()
    for item in body["items"]:
        del item["fields"]["title"]
    route.fulfill(response=answer, json=body)
