"""The selection of a card by pointer and keys, and the focus."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

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


def test_near_an_end_the_selected_card_is_as_central_as_the_strip_allows(open_strip):
    strip = open_strip("albums")
    strip.card(0).click()
    strip.settle()
    expect(strip.card(0)).to_have_attribute("aria-selected", "true")
    assert strip.offset == 0


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_selects_the_focused_card(open_strip, key):
    strip = open_strip("albums")
    strip.element.locator("li[tabindex='0']").focus()
    for _ in range(3):
        strip.page.keyboard.press("ArrowRight")
    strip.page.keyboard.press(key)
    expect(strip.card(3)).to_have_attribute("aria-selected", "true")
    expect(strip.card(3)).to_be_focused()
    title = strip.window(index=3, width=1)["items"][0]["fields"]["title"]
    expect(strip.page.locator("#details").get_by_role("heading")).to_have_text(title)


def test_a_selection_survives_the_reuse_of_its_node(open_strip):
    strip = open_strip("albums", "&xray")
    strip.card(2).click()
    strip.page.get_by_label("Go to item").focus()
    strip.scroll_to(offset=6000)
    expect(selected(strip)).to_have_count(0)
    strip.scroll_to(offset=0)
    expect(strip.card(2)).to_have_attribute("aria-selected", "true")
    expect(selected(strip)).to_have_count(1)


def test_code_selects_an_item_that_is_far_away(open_strip):
    strip = open_strip("billion")
    strip.evaluate(
        """(strip) => {
          window.told = [];
          strip.addEventListener("select", ({ detail, bubbles }) => window.told.push([detail.id, bubbles]));
          strip.select(777_777_777);
        }"""
    )
    expect(strip.card(777_777_777)).to_have_attribute("aria-selected", "true")
    strip.settle()
    item = strip.window(index=777_777_777, width=1)["items"][0]
    strip.page.wait_for_function("() => window.told.length === 1")
    assert strip.page.evaluate("() => window.told") == [[item["id"], True]]
    strip.must_be_right()


@pytest.mark.parametrize(("index", "nearest"), [(3.7, 4), (30.2, 30), (-0.4, 0), ("abc", 0), ("30", 30)])
@pytest.mark.parametrize("loop", [False, True])
def test_an_index_that_is_not_whole_is_the_nearest_one(open_page, index, nearest, loop):
    strip = made_with(open_page("/?strip=albums", reduced_motion="reduce"), "albums", **({"loop": ""} if loop else {}))
    strip.evaluate("(strip, index) => strip.select(index)", index)
    strip.settle()
    assert strip.evaluate("(strip) => [strip.selected.id, strip.selected.index]") == [f"a{nearest}", nearest]
    strip.scroll_to(offset=3000)
    strip.scroll_to(index=index)
    assert strip.visible()[0]["id"] == f"a{nearest}"


@pytest.mark.parametrize("value", ["abc", "", "1e999"])
def test_an_attribute_that_is_no_number_counts_as_absent(open_page, value):
    strip = made_with(open_page("/?strip=albums"), "albums", height="100", **{"initial-index": value})
    assert strip.evaluate("(strip) => [strip.initialIndex, strip.offset, strip.meta.height]") == [None, 0, 100]
    strip.evaluate("(strip, value) => strip.setAttribute('height', value)", value)
    strip.page.wait_for_function(f"() => {SELECTOR}.meta.height === 180")


@pytest.mark.parametrize("loop", [{}, {"loop": ""}])
def test_an_item_that_does_not_exist_is_told_and_not_logged(open_page, loop):
    """A browser logs each answer of 404, which fails this test."""
    page = open_page("/?strip=albums")
    page.evaluate("() => { window.told = []; addEventListener('error', ({ detail }) => detail && told.push([detail.status, detail.parameter, detail.message])) }")
    strip = made_with(page, "albums", **{"initial-item": "none"}, **loop)
    assert strip.offset == 0
    strip.scroll_to(offset=500)
    strip.scroll_to(item="gone")
    assert strip.offset == 500
    assert page.evaluate("() => told") == [[404, "item", f'There is no item "{id}".'] for id in ("none", "gone")]
    strip.scroll_to(item="a30")
    assert strip.visible()[0]["id"] == "a30"


def test_another_strip_has_nothing_selected(open_strip):
    strip = open_strip("albums")
    strip.card(1).click()
    strip.after("reload", lambda: strip.evaluate("(strip) => { strip.strip = 'elements' }"))
    assert strip.evaluate("(strip) => strip.selected") is None
    expect(selected(strip)).to_have_count(0)


@pytest.mark.parametrize("key", ["ArrowRight", "Home", "End", "PageDown"])
@pytest.mark.parametrize("field", ["<input>", "<select><option>1<option>2</select>", "<p contenteditable>words</p>"])
def test_the_strip_ignores_keys_typed_into_a_card(open_page, key, field):
    strip = Strip(open_page("/?strip=albums"), "albums")
    strip.settle()
    strip.by(1000)
    before = strip.offset
    card = strip.card(strip.visible()[2]["index"])
    card.evaluate("(node, field) => node.insertAdjacentHTML('beforeend', field)", field)
    typed = card.locator("input, select, [contenteditable]")
    typed.focus()
    prevented = typed.evaluate(
        """(node, key) => !node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))""", key
    )
    assert not prevented
    strip.page.evaluate("() => new Promise(requestAnimationFrame)")
    assert strip.offset == before
    expect(typed).to_be_focused()


def test_a_click_elsewhere_ends_what_a_key_has_begun(open_page):
    page = open_page("/?strip=albums", viewport={"width": 900, "height": 900})
    strip = made_with(page, "albums", snap="start")
    strip.scroll_to(index=49)
    page.locator("li[tabindex='0']").focus()
    page.keyboard.press("PageDown")  # at the end: the strip stays
    page.mouse.click(2, 890)  # on nothing that can have the focus
    strip.scroll_to(index=10)
    strip.settle()
    assert page.evaluate("() => document.activeElement === document.body")


def test_one_card_is_in_the_tab_order(open_strip):
    strip = open_strip("albums")
    expect(strip.element.locator("li:not([hidden])[tabindex='0']")).to_have_count(1)
    strip.scroll_to(offset=4000)
    reachable = strip.element.locator("li:not([hidden])[tabindex='0']")
    expect(reachable).to_have_count(1)
    assert int(reachable.get_attribute("data-index")) in [card["index"] for card in strip.visible()]


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


@pytest.mark.parametrize("attributes", ['snap="start"', 'snap="center" inset="center" selection="current"', 'snap="end" loop'])
def test_page_keys_move_the_focus_to_the_current_item_of_a_strip_that_snaps(open_page, attributes):
    page = open_page("about:blank", viewport={"width": 900, "height": 600})
    html = f'<!doctype html><html lang="en"><title>Snap</title><script type="module" src="/js/embed.js"></script><carousel-strip strip="albums" {attributes}></carousel-strip>'
    page.route("**/snap", lambda route: route.fulfill(content_type="text/html", body=html))
    page.goto("/snap")
    strip = Strip(page, "albums")
    strip.arrive()
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


def test_a_card_that_loses_the_focus_is_reused(open_strip):
    strip = open_strip("albums", "&xray")
    strip.card(1).focus()
    strip.scroll(5)
    strip.page.get_by_label("Go to item").focus()
    expect(strip.card(1)).to_have_count(0)
    strip.scroll(3)
    assert strip.nodes() <= strip.figures["pools"]["album"] + 1
    strip.must_be_right()


def test_cards_have_aria_posinset_and_setsize(open_strip):
    strip = open_strip("billion")
    strip.scroll_to(index=499_999_999)
    card = strip.card(499_999_999)
    expect(card).to_have_attribute("aria-posinset", "500000000")
    expect(card).to_have_attribute("aria-setsize", "1000000000")


def test_the_sticky_heading_follows_the_group(open_strip):
    strip = open_strip("elements", viewport={"width": 640, "height": 700})
    line = strip.element.locator(".group")
    for offset in [0, 700, 3000, 100, 6000]:
        strip.scroll_to(offset=offset)
        group = strip.window(offset=strip.offset, width=strip.width)["group"]
        expect(line).to_have_text(group["title"])
        expect(line).to_be_in_viewport()


@pytest.mark.parametrize(("index", "nearest"), [(500, 49), (-3, 0), (50, 49)])
def test_a_selected_index_outside_of_the_strip_is_the_nearest_one(open_strip, index, nearest):
    strip = open_strip("albums")
    strip.scroll_to(offset=3000)
    strip.rest(lambda: strip.evaluate("(strip, index) => strip.select(index)", index))
    assert strip.evaluate("(strip) => strip.selected.index") == nearest
    expect(strip.card(nearest)).to_be_in_viewport()


def test_an_initial_index_past_the_end_is_the_last_one(open_page):
    strip = made_with(open_page("/?strip=albums"), "albums", **{"initial-index": "60"})
    assert strip.visible()[-1]["index"] == 49
    assert strip.offset == strip.evaluate("(strip) => strip.maxOffset")


def test_scrolling_to_an_index_past_the_end_goes_to_the_last_item(open_strip):
    strip = open_strip("albums")
    strip.rest(lambda: strip.evaluate("(strip) => { strip.scrollTo({ index: 500 }) }"))
    assert strip.offset == strip.evaluate("(strip) => strip.maxOffset")


@pytest.mark.parametrize(("index", "nearest"), [(500, 49), (-3, 0)])
def test_an_index_outside_that_is_selected_before_the_first_window_is_the_nearest_one(open_page, index, nearest):
    page = open_page("/?strip=albums")
    page.evaluate(
        """(index) => {
          const former = document.querySelector("carousel-strip");
          const made = former.cloneNode(true);
          made.querySelector("ul").replaceChildren();
          delete made.dataset.window;
          former.replaceWith(made);
          made.select(index);
        }""",
        index,
    )
    is_selected = "(nearest) => { const { selected } = document.querySelector('carousel-strip'); return selected?.id && selected.index === nearest; }"
    page.wait_for_function(is_selected, arg=nearest)
    strip = Strip(page, "albums")
    strip.settle()
    expect(strip.card(nearest)).to_be_in_viewport()


@pytest.mark.parametrize("origin", ["tap", "key", "code", "slide"])
def test_a_listener_can_keep_the_selection(open_page, origin):
    attributes = {"snap": "center", "inset": "center", "selection": "current"} if origin == "slide" else {}
    strip = made_with(open_page("/?strip=albums", reduced_motion="reduce"), "albums", **attributes)
    strip.evaluate("(strip) => { strip.select(2) }")
    strip.settle()
    strip.evaluate(
        """(strip) => {
          window.told = [];
          strip.addEventListener("willselect", (event) => {
            told.push([event.detail.index, event.detail.origin]);
            if (event.detail.index < 5) event.preventDefault();
          });
          for (const type of ["select", "deselect"]) strip.addEventListener(type, ({ detail }) => told.push([type, detail.index]));
        }"""
    )

    def select(index):
        if origin == "tap":
            strip.card(index).click()
        elif origin == "key":
            strip.card(index).focus()
            strip.page.keyboard.press("Enter")
        elif origin == "code":
            strip.evaluate("(strip, index) => { strip.select(index) }", index)
        else:
            strip.rest(lambda: strip.evaluate("(strip, index) => { strip.scrollTo({ index }) }", index))

    select(3)
    strip.settle()
    assert strip.evaluate("(strip) => strip.selected.index") == 2
    select(5)
    strip.settle()
    assert strip.evaluate("(strip) => strip.selected.index") == 5
    assert strip.page.evaluate("() => told") == [[3, origin], [5, origin], ["deselect", 2], ["select", 5]]


CONTENT = """<p class="title">{title}</p><button>Buy</button><a class="more" href="#more">More</a><label><input type="checkbox">Keep</label>
  <span class="cancelled">Cancelled</span><span class="plain">Plain</span><b contenteditable="false">Fixed</b>"""


@pytest.mark.parametrize("target", ["button", ".more", "label", ".cancelled", ".plain", "b"])
def test_a_tap_on_interactive_content_and_a_cancelled_one_select_nothing(open_page, target):
    page = open_page("/?strip=albums")
    page.evaluate("(html) => { document.querySelector('carousel-strip template').innerHTML = html }", CONTENT)
    strip = made_with(page, "albums", height="300")
    strip.evaluate(
        """(strip) => strip.querySelector("ul").addEventListener("click", (event) => {
          if (event.target.matches(".cancelled, .more")) event.preventDefault();
        })"""
    )
    strip.card(1).locator(target).first.evaluate("(node) => node.click()")
    assert strip.evaluate("(strip) => strip.selected?.index ?? null") == (1 if target in (".plain", "b") else None)


ROLES = """button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem"""


def test_a_tap_on_an_element_with_the_role_of_a_control_selects_nothing(open_page):
    controls = "".join(f'<span role="{role}"><i>{role}</i></span>' for role in ROLES.split())
    page = open_page("/?strip=albums")
    page.evaluate("(html) => { document.querySelector('carousel-strip template').innerHTML = html }", controls + "<u>Plain</u>")
    strip = made_with(page, "albums", height="300")
    taps = "(strip) => [...strip.nodeOf(1).querySelectorAll('i, u')].filter((one) => (strip.deselect(), one.click(), strip.selected)).map((one) => one.textContent)"
    assert strip.evaluate(taps) == ["Plain"]


@pytest.mark.parametrize("listens", ["strip", "strip.parentNode", "document", "window"])
@pytest.mark.parametrize("stops", [False, True])
def test_a_tap_selects_after_all_listeners_of_its_click_unless_one_cancels_it(open_strip, listens, stops):
    """A page, or the root of a framework, can listen above the strip."""
    strip = open_strip("albums")
    strip.evaluate(
        """(strip, [listens, stops]) => {
          window.told = [];
          eval(listens).addEventListener("click", (event) => {
            told.push(["click", strip.selected?.index ?? null]);
            if (event.target.closest("[data-index='1']")) event.preventDefault();
            if (stops) event.stopPropagation();
          });
          strip.addEventListener("select", ({ detail }) => told.push(["select", detail.index]));
        }""",
        [listens, stops],
    )
    for index in (1, 2):
        strip.card(index).click()
        strip.settle()
    assert strip.page.evaluate("() => told") == [["click", None], ["click", None], ["select", 2]]


def test_a_tap_that_a_card_stops_selects_nothing(open_strip):
    strip = open_strip("albums")
    strip.evaluate("(strip) => strip.querySelector('ul').addEventListener('click', (event) => event.target.closest('[data-index=\"1\"]') && event.stopPropagation())")
    strip.card(1).click()
    strip.card(2).click()
    assert strip.evaluate("(strip) => strip.selected.index") == 2


def test_a_kind_can_be_marked_as_not_selectable(open_page):
    page = open_page("/?strip=albums")
    page.evaluate("() => (document.querySelector('template[data-kind=heading]').dataset.select = 'none')")
    strip = made_with(page, "elements", snap="start", selection="current")
    index = strip.evaluate("(strip) => strip.items.find(({ kind }) => kind === 'heading').index")
    strip.evaluate("(strip) => strip.deselect()")
    strip.scroll_to(index=index)
    strip.card(index).click()
    strip.card(index).press("Enter")
    assert strip.evaluate("(strip) => strip.selected") is None
    strip.evaluate("(strip, index) => { strip.select(index) }", index)
    assert strip.evaluate("(strip) => strip.selected.index") == index


def test_headings_of_the_servers_page_and_items_without_fields_are_not_selected(open_strip, open_page):
    strip = open_strip("elements")
    strip.card(0).click()
    assert strip.evaluate("(strip) => strip.selected") is None
    page = open_page("about:blank")
    html = '<!doctype html><html lang="en"><title>One</title><script type="module" src="/js/embed.js"></script><body><carousel-strip strip="moons" aria-label="One"></carousel-strip>'
    page.route("**/one", lambda route: route.fulfill(content_type="text/html", body=html))
    page.goto("/one")
    page.locator("li[data-id=before-mars]").click()
    Strip(page, "moons").settle()
    assert page.locator("carousel-strip").evaluate("(strip) => strip.selected ?? null") is None


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
    assert strip.evaluate("(strip) => [strip.selected, strip.nodeOf(2).dataset.selected ?? null]") == [None, None]


@pytest.mark.parametrize("keys", ["b", "li"])
def test_letters_lead_to_the_next_title_that_begins_with_them(open_page, keys):
    strip = made_with(open_page("/?strip=albums"), "elements", height="120")
    titles = strip.evaluate("(strip) => strip.loadedItems.map(({ fields }) => fields.title)")
    first = titles.index("Hydrogen")
    strip.card(first).focus()
    for key in keys:
        strip.page.keyboard.press(key)
    title = next(title for title in titles[first + 1 :] if title.lower().startswith(keys))
    strip.page.wait_for_function("(title) => document.activeElement.ariaLabel.split(',')[0] === title", arg=title)
    strip.page.keyboard.press("Alt+ArrowRight")  # a key of the browser
    assert strip.evaluate("() => document.activeElement.ariaLabel.split(',')[0]") == title
    assert strip.evaluate("(strip) => strip.selected") is None


def test_an_item_that_is_selected_at_first_was_not_selected_by_sliding(open_page):
    page = open_page("about:blank")
    page.add_init_script("window.told = []; addEventListener('select', ({ detail }) => told.push(detail.origin));")
    page.goto("/?strip=albums")
    strip = made_with(page, "albums", snap="center", inset="center", selection="current")
    strip.rest(lambda: strip.evaluate("(strip) => { strip.scrollTo({ index: 3 }) }"))
    assert page.evaluate("() => told") == ["code", "slide"]


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
