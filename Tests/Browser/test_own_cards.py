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
        page.evaluate("""([card, list, script]) => {
          const made = document.createElement("carousel-strip");
          made.innerHTML = `<template data-kind="card">${card}</template>${list}`;
          made.strip = "albums";
          eval(script)(made);
          document.querySelector("carousel-strip").replaceWith(made);
          document.querySelector(".controls").remove(); // they control the former strip
        }""", [card, list, script])
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


CONDITIONS = '<p class="title">{title}</p><p data-if="year">From {year|number}</p><p data-if="!year">{none|date}No year</p>'


def test_a_card_formats_fields_and_hides_the_parts_of_others(with_card):
    style = "() => { const sheet = new CSSStyleSheet(); sheet.replaceSync('p { display: flex }'); document.adoptedStyleSheets.push(sheet) }"
    strip = with_card(CONDITIONS, script=style)
    expect(strip.card(1)).to_have_text(re.compile("From 1,9"))
    strip.page.route("**/window?*", without_odd_years)
    languages = []
    strip.page.route("**/words/de.json", lambda route: languages.append(route))
    strip.evaluate("(strip) => { strip.height = 150; strip.lang = 'de' }")
    expect(strip.card(0)).to_have_css("width", "150px")
    for offset in [4000, 0]:
        strip.scroll_to(offset=offset)
        while languages:
            languages.pop().continue_()  # while some cards are hidden
        for item in strip.window(offset=offset, width=strip.width, height=150)["items"]:
            year = f"From {item['fields']['year']:,}".replace(",", ".")
            expect(strip.card(item["index"]).locator("p:visible")).to_have_text([item["fields"]["title"], "No year" if item["index"] % 2 else year])


def without_odd_years(route):
    answer = route.fetch()
    body = answer.json()
    for item in body["items"]:
        if item["index"] % 2:
            del item["fields"]["year"]
    route.fulfill(response=answer, json=body)


def test_a_value_that_the_server_left_as_it_is_gets_its_format(open_page):
    page = open_page("about:blank")

    def leave(route):
        answer = route.fetch()
        body = re.sub(r'<p class="subtitle">((?!</p>).)*</p></template>', "<p>{year|number}</p></template>", answer.text(), count=1)
        route.fulfill(response=answer, body=re.sub(r'<p class="subtitle">((?!</p>).)*</p></li>', "<p>1959</p></li>", body))

    page.route("**/?strip=albums", leave)
    page.goto("/?strip=albums")
    strip = Strip(page, "albums")
    strip.settle()
    strip.scroll_to(offset=20)
    expect(strip.card(0).locator("p").last).to_have_text("1,959")


BUTTONS = '<p class="title">{title}</p><p><button type="button">Play {title}</button> <a href="/covers/a0.svg">Cover</a></p>'


def test_cards_with_buttons_are_items_of_a_list(with_card):
    strip = with_card(BUTTONS, list='<ul role="list"></ul>')
    expect(strip.page.get_by_role("listitem", name="Blue, Joni Mitchell, 7 of 50")).to_have_attribute("aria-posinset", "7")
    strip.evaluate("(strip) => strip.select(2)")
    expect(strip.card(2)).to_have_attribute("aria-current", "true")
    expect(strip.card(1)).to_have_attribute("aria-current", "false")
    assert violations(strip.page) == []
    expect(strip.element.locator("[aria-selected]")).to_have_count(0)


def test_a_selection_of_text_in_a_card_is_no_selection_of_an_item(with_card):
    """The browser dispatches `select` at an <input> as well, and it bubbles."""
    strip = with_card('<p class="title">{title}</p><input value="some words">', list='<ul role="list"></ul>')
    strip.evaluate("(strip) => { window.told = []; strip.addEventListener('select', ({ detail }) => window.told.push(detail?.id ?? null)) }")
    field = strip.card(1).locator("input")
    field.evaluate("""(input) => new Promise((done) => {
      input.addEventListener("select", done, { once: true });
      input.focus();
      input.select();
    })""")
    strip.evaluate("(strip) => strip.select(2)")
    assert strip.page.evaluate("() => window.told") == ["a2"]


def test_a_strip_in_a_card_is_independent_of_the_outer_one(open_page):
    inner = '<carousel-strip strip="elements" height="40"><template data-kind="card"><p class="words">{symbol}</p></template><ul></ul></carousel-strip>'
    page = open_page("/?strip=albums")
    page.evaluate("""(card) => {
      const made = document.createElement("carousel-strip");
      made.innerHTML = `<template data-kind="card">${card}</template><ul></ul>`;
      made.strip = "albums";
      document.querySelector("carousel-strip").replaceWith(made);
    }""", f'<p class="title">{{title}}</p>{inner}')
    outer = Strip(page, "albums", nth=0)
    outer.arrive()
    nested = outer.element.locator(":scope > ul > li[data-index='0']").locator("carousel-strip")
    nested.locator("li[data-index='0']").click()
    assert outer.evaluate("(strip) => strip.selected") is None
    assert nested.evaluate("(strip) => strip.selected.index") == 0
    box = nested.bounding_box()
    page.mouse.move(box["x"] + 70, box["y"] + 20)
    page.mouse.down()
    for x in [60, 40, 5]:
        page.mouse.move(box["x"] + x, box["y"] + 20)
    page.mouse.up()
    page.wait_for_function("(strip) => strip.offset > 50", arg=nested.element_handle())
    assert outer.offset == 0
    for offset in [3000, 0]:
        outer.scroll_to(offset=offset)
        # In one call, since the strip may draw more items at any time.
        titles = outer.evaluate("(strip) => strip.items.map(({ index, fields }) => [strip.nodeOf(index).querySelector('.title').textContent, fields.title])")
        assert titles and all(shown == title for shown, title in titles)
    page.wait_for_function("(strip) => !strip.isWaiting", arg=nested.element_handle())
    words = nested.evaluate("(strip) => strip.items.map(({ index, fields }) => [strip.nodeOf(index)?.textContent, fields.symbol ?? ''])")
    assert words and all(shown == symbol for shown, symbol in words)


@pytest.fixture
def with_fields(open_page):
    """Opens the demo page, with other fields of the items that the page loads."""

    def with_fields(change, **routes):
        def answer(route):
            fetched = route.fetch()
            body = fetched.json()
            for item in body["items"]:
                change(item["index"], item["fields"])
            route.fulfill(response=fetched, json=body)

        page = open_page("/?strip=albums", complains=True)
        page.route("**/window?*", answer)
        for name, handle in routes.items():
            page.route(f"**/{name}.svg", handle)
        page.evaluate("""() => {
          const former = document.querySelector("carousel-strip"), made = former.cloneNode();
          made.append(...former.querySelectorAll("template"));
          delete made.dataset.window;
          former.replaceWith(made);
        }""")
        strip = Strip(page, "albums")
        strip.arrive()
        return strip

    return with_fields


def test_the_title_of_the_built_in_card_is_a_link(with_fields):
    strip = with_fields(lambda index, fields: index == 1 and fields.update(href="/covers/a1.svg"))
    expect(strip.card(1).locator("a.title")).to_have_attribute("href", re.compile("/covers/a1.svg$"))
    expect(strip.card(1).locator("a.title")).to_have_js_property("tabIndex", -1)
    expect(strip.card(2).locator("a.title")).not_to_have_attribute("href", re.compile(""))
    strip.card(1).focus()
    strip.page.keyboard.press("Enter")
    strip.page.wait_for_url("**/covers/a1.svg")


def test_cards_that_load_failed_or_have_no_picture_differ(with_fields):
    def change(index, fields):
        if index == 0:
            fields["image"] = "/never.svg"
        if index == 1:
            fields["image"] = "/broken.svg"
        if index == 2:
            del fields["image"]

    held = []
    strip = with_fields(change, never=lambda route: held.append(route), broken=lambda route: route.fulfill(status=404))
    expect(strip.card(0).locator("img")).to_have_attribute("data-coming", "")
    expect(strip.card(1).locator("img")).to_have_attribute("data-failed", "")
    looks = [
        strip.card(index).locator(".picture").evaluate(
            "(picture) => [getComputedStyle(picture).backgroundImage, getComputedStyle(picture, '::before').animationName].join()"
        )
        for index in range(4)
    ]
    assert len(set(looks)) == 3 and looks[2] == looks[3]
    for index in (1, 2):  # the title is once in the card
        expect(strip.card(index).locator(".mark")).to_be_visible()
        expect(strip.card(index).locator(".title")).to_have_css("opacity", "0")


# MARK: Handlers for a kind


def test_a_handler_fills_the_cards_of_its_kind(open_page):
    page = open_page("/?strip=elements")
    page.evaluate("""() => {
      const former = document.querySelector("carousel-strip"), made = document.createElement("carousel-strip");
      made.append(former.querySelector("template[data-kind=card]"));
      made.kind("gas", { fill: (card, { fields }) => (card.textContent = `${fields.symbol}!`) });
      made.strip = "elements";
      former.replaceWith(made);
    }""")
    strip = Strip(page, "elements")
    strip.arrive()
    expect(strip.card(2)).to_have_text("He!")
    expect(strip.card(1).locator(".title")).to_have_text("Hydrogen")


def test_state_that_a_page_keeps_by_id_stays_with_its_item(open_page):
    """The recipe of the embedding page."""
    strip = Strip(open_page("/galleries/embedding.html"), "elements")
    strip.arrive()
    card = strip.visible()[1]
    strip.card(card["index"]).locator(".heart").click()
    expect(strip.card(card["index"]).locator(".heart")).to_have_attribute("aria-pressed", "true")
    hearts = "(strip) => strip.items.filter(({ index }) => strip.nodeOf(index).querySelector('.heart[aria-pressed=true]')).map(({ id }) => id)"
    strip.page.evaluate("() => document.activeElement.blur()")
    for offset in [3000, 6000, 9000]:
        strip.scroll_to(offset=offset)
        assert strip.evaluate(hearts) == []
    strip.scroll_to(offset=0)
    assert strip.evaluate(hearts) == [card["id"]]


def test_a_card_fills_its_frame(with_card):
    strip = with_card("<p>{title}</p>")
    box = strip.card(1).bounding_box()
    assert box["height"] >= strip.evaluate("(strip) => strip.meta.height")
    strip.page.mouse.click(box["x"] + 20, box["y"] + box["height"] - 5)
    strip.settle()
    assert strip.evaluate("(strip) => strip.selected.index") == 1


MARK_ALL = """(strip) => {
  for (const node of strip.querySelectorAll("[data-index]")) {
    node.classList.add("marked");
    node.style.opacity = "0.5";
    node.title = node.dataset.mine = "marked";
    node.append("text");
    node.querySelector("button").before(document.createElement("b"));
    node.querySelector("button").textContent = "Liked";
    node.querySelector("p.static").remove();
    node.querySelector(".box").scrollTop = 30;
    const title = node.querySelector(".title");
    title.style.color = "red";
    title.classList.add("new");
    node.querySelector("button").setAttribute("aria-pressed", "true");
    const [note, done, size] = node.querySelectorAll("input, select");
    note.value = "typed";
    done.checked = true;
    size.value = "large";
  }
}"""

# What is left of MARK_ALL on cards, by id.
MARKS = """(strip) => Object.fromEntries([...strip.querySelectorAll("[data-index]")].map((node) => {
  const title = node.querySelector(".title");
  const [note, done, size] = node.querySelectorAll("input, select");
  return [node.dataset.id, [
    [...node.childNodes].map((one) => one.localName ?? one.data.trim()).filter((one) => one).join(), node.querySelector(".box").scrollTop,
    node.querySelector("button").textContent, node.title, node.dataset.mine ?? "",
    node.className, node.style.opacity, title.className, title.style.color,
    node.querySelector("button").getAttribute("aria-pressed"), note.value, done.checked, size.value, node.querySelector("x-heart")?.className,
  ]];
}))"""

FORM_CARD = """<p class="title">{title}</p><button aria-pressed="false">Like</button><input value="{year}"><input type="checkbox">
<select><option value="small">Small</option><option value="large">Large</option></select>
<p class="static">Static</p><div class="box"><div></div></div><x-heart></x-heart>"""
BOX = "() => { customElements.define('x-heart', class extends HTMLElement { connectedCallback() { this.ready ??= setTimeout(() => (this.className = 'ready')) } }); const sheet = new CSSStyleSheet(); sheet.replaceSync('.box { height: 10px; overflow: auto } .box div { height: 100px }'); document.adoptedStyleSheets.push(sheet) }"


def test_what_a_page_and_a_reader_change_in_a_card_does_not_appear_on_another_item(with_card):
    strip = with_card(FORM_CARD, script=BOX)
    marked = set(strip.evaluate(MARKS))
    strip.evaluate(MARK_ALL)
    assert strip.evaluate(MARKS)["a1"][1] == 30
    for offset in [3000, 6000]:
        strip.scroll_to(offset=offset)
        years = {item["id"]: item["fields"]["year"] for item in strip.window(offset=offset, width=strip.width)["items"]}
        marks = {id: values for id, values in strip.evaluate(MARKS).items() if id in years and id not in marked}
        assert marks
        for id, values in marks.items():
            assert values == [
                "p,button,input,input,select,p,div,x-heart", 0, "Like", "", "", "", "", "title", "", "false", str(years[id]), False, "small", "ready"
            ]  # fmt: skip
