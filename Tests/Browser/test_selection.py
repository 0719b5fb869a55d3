"""The selection of a card by pointer and keys, and the focus."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from cases import case
from strip import Strip, poll
from test_plugins import SELECTOR, made_with

pytestmark = pytest.mark.alone


def selected(strip):
    return strip.element.locator("li[aria-selected='true']:not([hidden])")


def centre_of(card, strip):
    return card["x"] + card["size"] / 2 - strip.width / 2


def test_a_click_selects_highlights_and_centres_a_card(open_strip):
    strip = open_strip("albums")
    strip.scroll_to(offset=2000)
    index = strip.visible()[1]["index"]
    strip.card(index).click()
    strip.settle()
    expect(selected(strip)).to_have_count(1)
    expect(strip.card(index)).to_have_attribute("aria-selected", "true")
    card = next(card for card in strip.visible() if card["index"] == index)
    assert abs(centre_of(card, strip)) <= 1
    item = strip.window(index=index, width=1)["items"][0]
    details = strip.page.locator("#details")
    expect(details.get_by_role("heading")).to_have_text(item["fields"]["title"])
    for value in item["fields"].values():
        if value != item["fields"].get("image") and value != item["fields"].get("alt"):
            expect(details).to_contain_text(str(value))
    expect(details).to_have_attribute("aria-live", "polite")
    # Near an end it is as central as the strip allows.
    strip.scroll_to(offset=0)
    strip.card(0).click()
    strip.settle()
    expect(strip.card(0)).to_have_attribute("aria-selected", "true")
    assert strip.offset == 0


def test_a_key_selects_the_focused_card(open_strip):
    strip = open_strip("albums")
    strip.element.locator("li[tabindex='0']").focus()
    for key, index in [("Enter", 2), ("Space", 4)]:
        for _ in range(2):
            strip.page.keyboard.press("ArrowRight")
        strip.page.keyboard.press(key)
        expect(strip.card(index)).to_have_attribute("aria-selected", "true")
        expect(strip.card(index)).to_be_focused()
        title = strip.window(index=index, width=1)["items"][0]["fields"]["title"]
        expect(strip.page.locator("#details").get_by_role("heading")).to_have_text(title)


def test_code_selects_an_item_that_is_far_away(open_strip):
    strip = open_strip("billion")
    strip.evaluate("""(strip) => {
      window.told = [];
      strip.addEventListener("select", ({ detail, bubbles }) => window.told.push([detail.id, bubbles]));
      strip.select(777_777_777);
    }""")
    expect(strip.card(777_777_777)).to_have_attribute("aria-selected", "true")
    expect(strip.card(777_777_777)).to_have_attribute("aria-posinset", "777777778")
    expect(strip.card(777_777_777)).to_have_attribute("aria-setsize", "1000000000")
    strip.settle()
    item = strip.window(index=777_777_777, width=1)["items"][0]
    strip.page.wait_for_function("() => window.told.length === 1")
    assert strip.page.evaluate("() => window.told") == [[item["id"], True]]
    strip.must_be_right()


def test_an_item_that_does_not_exist_is_told_and_not_logged(open_page):
    """A browser logs each answer of 404, which fails this test."""
    page = open_page("/?strip=albums")
    page.evaluate("() => { window.told = []; document.addEventListener('error', ({ detail }) => detail && told.push([detail.status, detail.parameter, detail.message])) }")
    for loop in [{}, {"loop": ""}]:
        strip = made_with(page, "albums", **{"initial-item": "none"}, **loop)
        assert strip.offset == 0
        strip.scroll_to(offset=500)
        strip.scroll_to(item="gone")
        assert strip.offset == 500
        assert page.evaluate("() => told.splice(0)") == [[404, "item", f'No item "{id}"'] for id in ("none", "gone")]
        strip.scroll_to(item="a30")
        assert strip.visible()[0]["id"] == "a30"


def test_the_strip_ignores_keys_typed_into_a_card(open_strip):
    strip = open_strip("albums")
    strip.by(1000)
    before = strip.offset
    card = strip.card(strip.visible()[2]["index"])
    card.evaluate("(node) => node.insertAdjacentHTML('beforeend', '<input><select><option>1<option>2</select><p contenteditable>words</p>')")
    for field in ["input", "select", "[contenteditable]"]:
        typed = card.locator(field)
        typed.focus()
        for key in ["ArrowRight", "Home", "End", "PageDown"]:
            with case(field, key):
                assert typed.evaluate("(node, key) => node.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))", key)
                strip.page.evaluate("() => new Promise(requestAnimationFrame)")
                assert strip.offset == before
                expect(typed).to_be_focused()


def test_a_click_elsewhere_ends_what_a_key_has_begun(open_page):
    page = open_page("/?strip=albums", viewport={"width": 900, "height": 800})
    strip = made_with(page, "albums", snap="start")
    strip.scroll_to(index=49)
    page.locator("li[tabindex='0']").focus()
    page.keyboard.press("PageDown")  # at the end: the strip stays
    page.mouse.click(2, 790)  # on nothing that can have the focus
    strip.scroll_to(index=10)
    strip.settle()
    assert page.evaluate("() => document.activeElement === document.body")


def test_arrow_keys_move_through_every_card_and_keep_it_in_view(open_strip):
    strip = open_strip("elements", viewport={"width": 500, "height": 700})
    indices = [item["index"] for item in strip.window(width=4000)["items"]]
    strip.card(indices[0]).focus()
    for index in indices[1:]:
        # Without a loaded next item, an arrow key scrolls by a page.
        strip.page.wait_for_function("(next) => document.querySelector('carousel-strip').loadedItems.some(({ index }) => index === next)", arg=index)
        strip.page.keyboard.press("ArrowRight")
        expect(strip.card(index)).to_be_focused()
    strip.settle()
    card = next(card for card in strip.visible() if card["index"] == indices[-1])
    assert card["x"] >= -1 and card["x"] + card["size"] <= strip.width + 1
    strip.page.keyboard.press("ArrowLeft")
    expect(strip.card(indices[-2])).to_be_focused()


def test_home_end_and_page_keys_move_the_focus(open_strip):
    strip = open_strip("albums")
    strip.element.locator("li[tabindex='0']").focus()
    strip.page.keyboard.press("End")
    expect(strip.card(strip.window()["count"] - 1)).to_be_focused()
    strip.page.keyboard.press("Home")
    expect(strip.card(0)).to_be_focused()
    strip.page.keyboard.press("PageDown")
    strip.page.wait_for_function("(w) => document.querySelector('carousel-strip').offset === w", arg=strip.width)
    strip.settle()
    whole = [card for card in strip.visible() if card["x"] + card["size"] <= strip.width + 1]
    expect(strip.card(whole[-1]["index"])).to_be_focused()


def test_page_keys_move_the_focus_to_the_current_item_of_a_strip_that_snaps(open_page):
    page = open_page("/?strip=albums", viewport={"width": 900, "height": 600})
    for attributes in [{"snap": "start"}, {"snap": "center", "inset": "center", "selection": "current"}, {"snap": "end", "loop": ""}]:
        with case(attributes):
            strip = made_with(page, "albums", **attributes)
            page.locator("li[tabindex='0']").focus()
            indices = []
            for key in ["PageDown", "PageDown", "PageUp"]:
                strip.rest(lambda key=key: page.keyboard.press(key))
                page.wait_for_function("() => document.activeElement.dataset.index === String(document.querySelector('carousel-strip').current.index)")
                indices.append(page.evaluate("() => +document.activeElement.dataset.index"))
            assert 0 < indices[0] < indices[1] > indices[2], indices
            page.keyboard.press("ArrowRight")
            page.wait_for_function("(index) => +document.activeElement.dataset.index === index", arg=indices[2] + 1)
            page.keyboard.press("Enter")
            assert page.evaluate("() => document.querySelector('carousel-strip').selected.index") == indices[2] + 1


def test_the_end_key_focuses_the_last_card_though_others_are_loaded_first(open_page):
    strip = Strip(open_page("/galleries/menu.html"), "elements")
    strip.arrive()
    held, extent = [], strip.evaluate("(strip) => strip.meta.extent")

    def hold(route):
        query = parse_qs(urlsplit(route.request.url).query)
        held.append(route) if float(query["offset"][0]) + float(query["width"][0]) >= extent else route.continue_()

    strip.page.route("**/window?**", hold)
    strip.card(0).focus()
    strip.page.keyboard.press("End")
    strip.page.wait_for_function(f"() => {{ const {{ offset, maxOffset, items }} = {SELECTOR}; return offset === maxOffset && items.length; }}")
    strip.page.route("**/window?**", lambda route: route.continue_())
    for route in held:
        route.continue_()
    expect(strip.card(strip.window()["count"] - 1)).to_be_focused()


def test_keys_go_to_the_strip_when_nothing_has_the_focus(open_strip):
    strip = open_strip("billion", "&xray")
    strip.page.keyboard.press("End")
    expect(strip.card(999_999_999)).to_be_focused()
    strip.page.get_by_label("Go to item").focus()
    strip.page.keyboard.press("Home")
    strip.settle()
    expect(strip.card(999_999_999)).to_be_visible()


def test_a_focused_card_keeps_its_item_while_its_slot_is_reused(open_strip):
    strip = open_strip("albums")
    strip.card(1).focus()
    stop = strip.scroll(5, every=5)["stops"][-1]
    strip.must_show(stop["offset"], stop["cards"])
    expect(strip.card(1)).to_be_focused()
    assert strip.nodes() <= strip.figures["pools"]["album"] + 1
    strip.scroll_to(offset=0)
    strip.must_be_right()
    expect(strip.card(1)).to_be_focused()
    expect(strip.card(1)).to_have_count(1)


def test_the_sticky_heading_follows_the_group(open_strip):
    strip = open_strip("elements", viewport={"width": 640, "height": 700})
    line = strip.element.locator(".group")
    for offset in [0, 700, 3000, 100, 6000]:
        strip.scroll_to(offset=offset)
        group = strip.window(offset=strip.offset, width=strip.width)["group"]
        expect(line).to_have_text(group["title"])
        expect(line).to_be_in_viewport()


ROLES = """button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem"""
CONTENT = """<p class="title">{title}</p><button>Buy</button><a class="more" href="#more">More</a><label>Keep<input type="checkbox"></label>
  <u class="cancelled">Cancelled</u><u>Plain</u><b contenteditable="false">Fixed</b>""" + "".join(f'<span role="{role}"><i>{role}</i></span>' for role in ROLES.split())


def test_a_tap_on_interactive_content_and_a_cancelled_one_select_nothing(open_page):
    page = open_page("/?strip=albums")
    page.evaluate("(html) => { document.querySelector('carousel-strip template').innerHTML = html }", CONTENT)
    strip = made_with(page, "albums", height="300")
    selected = strip.evaluate("""(strip) => {
      strip.querySelector("ul").addEventListener("click", (event) => event.target.matches(".cancelled, .more") && event.preventDefault());
      const tapped = [...strip.nodeOf(1).querySelectorAll("button, .more, label, u, b, i")];
      return [tapped.length, tapped.filter((one) => (strip.deselect(), one.click(), strip.selected)).map((one) => one.textContent)];
    }""")
    assert selected == [6 + len(ROLES.split()), ["Plain", "Fixed"]]


def test_a_tap_selects_after_all_listeners_of_its_click_unless_one_cancels_it(open_strip):
    """A page, or the root of a framework, can listen above the strip. A card can stop the event."""
    strip = open_strip("albums")
    for listens in ["strip", "strip.parentNode", "document", "window"]:
        for stops in (False, True):
            with case(listens, stops):
                strip.evaluate("""(strip, [listens, stops]) => {
                  window.told = [];
                  strip.deselect();
                  window.listening?.abort();
                  const { signal } = (window.listening = new AbortController());
                  const listen = (event) => {
                    told.push(["click", strip.selected?.index ?? null]);
                    if (event.target.closest("[data-index='1']")) event.preventDefault();
                    if (stops) event.stopPropagation();
                  };
                  eval(listens).addEventListener("click", listen, { signal });
                  strip.addEventListener("select", ({ detail }) => told.push(["select", detail.index]), { signal });
                }""", [listens, stops])
                for index in (1, 2):
                    strip.card(index).click()
                    strip.settle()
                assert strip.page.evaluate("() => told") == [["click", None], ["click", None], ["select", 2]]
    strip.evaluate("(strip) => { window.listening.abort(); strip.deselect(); strip.nodeOf(1).addEventListener('click', (event) => event.stopPropagation()); }")
    strip.card(1).click()
    assert strip.evaluate("(strip) => strip.selected") is None


def test_a_pair_of_which_one_is_filtered_selects_each_item_once(open_page):
    page = open_page("/galleries/albums.html")
    page.evaluate("""() => {
      document.querySelector("carousel-strip").replaceWith(...["main", "other"].map((id) => {
        const strip = document.createElement("carousel-strip");
        Object.assign(strip, { strip: "albums", id, for: id === "other" ? "main" : null, where: id === "main" ? "year > 1970" : null });
        return strip;
      }));
      window.selected = [];
      document.addEventListener("select", ({ target, detail }) => selected.push([target.id, detail.index]));
    }""")
    main, other = Strip(page, "albums", 0), Strip(page, "albums", 1)
    main.settle()
    other.settle()
    main.evaluate("(strip) => strip.select(3)")
    page.wait_for_function("() => document.getElementById('other').selected?.fields")
    main.settle()
    other.settle()
    assert sorted(page.evaluate("() => selected")) == [["main", 3], ["other", 3]]


def test_the_escape_key_ends_the_selection(open_strip):
    strip = open_strip("albums")
    strip.card(2).click()
    strip.settle()
    strip.evaluate("(strip) => { window.told = []; strip.addEventListener('deselect', ({ detail }) => told.push(detail.index)); document.addEventListener('keydown', (event) => told.push([event.key, event.defaultPrevented])); }")
    strip.page.keyboard.press("Escape")
    strip.page.keyboard.press("Escape")
    assert strip.page.evaluate("() => told") == [2, ["Escape", False]]  # a dialog of the page hears the second one only
    assert strip.evaluate("(strip) => strip.selected") is None
    expect(strip.card(2)).not_to_have_attribute("data-selected", "")


def test_letters_lead_to_the_next_title_that_begins_with_them(open_page):
    page = open_page("/?strip=albums")
    for keys in ["b", "li"]:
        strip = made_with(page, "elements", height="120")
        titles = strip.evaluate("(strip) => strip.loadedItems.map(({ fields }) => fields.title)")
        first = titles.index("Hydrogen")
        strip.card(first).focus()
        for key in keys:
            page.keyboard.press(key)
        title = next(title for title in titles[first + 1 :] if title.lower().startswith(keys))
        page.wait_for_function("(title) => document.activeElement.ariaLabel.split(',')[0] === title", arg=title)
        page.keyboard.press("Alt+ArrowRight")  # a key of the browser
        assert strip.evaluate("() => document.activeElement.ariaLabel.split(',')[0]") == title
        assert strip.evaluate("(strip) => strip.selected") is None


def test_a_title_that_is_found_late_does_not_take_the_reader_back(open_page):
    page = open_page("/galleries/albums.html")
    strip = Strip(page, "albums")
    strip.arrive()
    held = []
    page.route("**/type-ahead*.js", lambda route: held.append(route))
    page.locator("carousel-strip li[tabindex='0']").focus()
    page.keyboard.press("h")
    poll(lambda: page.evaluate("() => true") and held, lambda: "the module was not requested")
    strip.evaluate("""(strip) => {
      document.activeElement.blur();
      window.moves = 0;
      strip.addEventListener("beforescrollto", () => (window.moves += 1));
    }""")
    held[0].continue_()
    page.evaluate("(url) => import(url)", held[0].request.url)
    assert page.evaluate("() => window.moves") == 0
