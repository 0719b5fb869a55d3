"""<carousel-search> and <carousel-facets> filter a strip, in Chromium, Firefox and WebKit."""

import json
from contextlib import ExitStack
from urllib.request import urlopen

import pytest

from anywhere import StripAnywhere
from test_foreign_pages import PAGE

pytestmark = pytest.mark.logic

# Loads the elements of a server, and replaces the content of the page by `html`.
SHOW = """async (_, [address, html]) => {
  await Promise.all(["embed", "filters/search", "filters/facets", "filters/filters"].map((name) => import(`${address}/js/${name}.js`)));
  document.body.innerHTML = html;
}"""

ELEMENTS = '<carousel-strip id="elements" strip="elements" aria-label="Elements"></carousel-strip>'
SEARCH = '<carousel-search for="elements"></carousel-search>'
CATEGORIES = '<carousel-facets for="elements" field="category" limit="20"></carousel-facets>'
FORM = """<carousel-search for="elements"><form slot="form"><input name="q">
  <select name="sort"><option value="">Number</option><option value="-number">Backwards</option></select></form></carousel-search>"""

TYPE = """(strip, text) => {
  const search = document.querySelector("carousel-search");
  const input = search.querySelector("[name=q]") ?? search.shadowRoot.querySelector("input");
  input.focus();
  input.value = text;
  input.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
}"""

# The chips of the page as [value, count, whether it is selected].
CHIPS = """() => [...document.querySelector("carousel-facets").shadowRoot.querySelectorAll("[part~=chip]")].map((chip) =>
  [chip.firstChild.textContent, +chip.lastChild.textContent, chip.ariaPressed === "true"])"""

PRESS = """(strip, value) => [...document.querySelector("carousel-facets").shadowRoot.querySelectorAll("[part~=chip]")]
  .find((chip) => chip.firstChild.textContent === value).click()"""

# The text of the first filter of the page, and whether it offers to clear the filters.
SAID = """() => {
  const { shadowRoot } = document.querySelector("carousel-search, carousel-facets");
  return [shadowRoot.querySelector("[part=status]").textContent, !shadowRoot.querySelector("[part=clear]").hidden];
}"""

COUNT = "(strip, count) => strip.meta?.count === count"


@pytest.fixture
def show(engine, address, elsewhere):
    """Opens a page with `html`, which has nothing else to draw. An error or warning in the console fails the test at its end."""
    with ExitStack() as pages:

        def show(html, width=1280):
            pages.enter_context(engine.show(width, 800, 1))
            strip = StripAnywhere(engine, address, "elements", 1)
            engine.goto(elsewhere(PAGE % {"address": address, "head": "", "body": ""}))
            strip.evaluate(SHOW, [address, html])
            strip.settle()
            return strip

        yield show
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


@pytest.fixture
def categories(address):
    """The categories of the elements, with their counts."""

    def categories(query=""):
        with urlopen(f"{address}/strips/elements/facets?field=category&limit=20{query}") as answer:
            return [(value["value"], value["count"]) for value in json.load(answer)["facets"][0]["values"]]

    return categories


def await_chips(strip, expected):
    """Waits until the chips are `expected`: [value, count, whether it is selected]."""
    strip.wait_until(f"(_, chips) => JSON.stringify(({CHIPS})()) === JSON.stringify(chips)", expected)


def await_said(strip, text, offers_to_clear=False):
    strip.wait_until(f"(_, said) => JSON.stringify(({SAID})()) === JSON.stringify(said)", [text, offers_to_clear])


def await_marked(strip, *texts):
    """Waits until these texts are marked as hits, once each, in any order."""
    if strip.evaluate("() => !!CSS.highlights"):
        strip.wait_until(
            """(_, texts) => JSON.stringify([...CSS.highlights.get("carousel-hit") ?? []].map(String).sort()) === JSON.stringify(texts)""",
            sorted(texts),
        )


def place_of(strip, title):
    """The distance of a card from the leading edge, in px. None if it is not in view."""
    return next((card["x"] for card in strip.visible() if card["title"] == title), None)


def test_a_search_selects_items_and_announces_their_number(show):
    strip = show(SEARCH + ELEMENTS)
    everything = strip.evaluate("(strip) => strip.meta.count")
    await_said(strip, "")
    strip.evaluate(TYPE, "xen")
    await_said(strip, "1 item")
    assert strip.evaluate("(strip) => strip.q") == "xen"
    assert [card["title"] for card in strip.visible()] == ["Xenon"]
    strip.evaluate(TYPE, "")
    await_said(strip, f"{everything} items")
    assert not strip.evaluate("(strip) => strip.hasAttribute('q')")


@pytest.mark.engines
def test_a_mistyped_search_says_which_words_it_found_and_marks_them(show):
    strip = show(SEARCH + ELEMENTS)
    everything = strip.evaluate("(strip) => strip.meta.count")

    strip.evaluate(TYPE, "xenom")
    await_said(strip, "Showing results for xenon. 1 item")
    await_marked(strip, "Xenon")
    strip.evaluate(TYPE, "xe")
    await_said(strip, "1 item")
    await_marked(strip, "Xenon")
    strip.evaluate(TYPE, "nobel gases ")
    await_said(strip, "Showing results for noble gases. 6 items")
    await_marked(strip, *["Noble", "gas"] * 6)  # in the subtitles
    strip.evaluate("() => (document.documentElement.lang = 'de')")
    await_said(strip, "Ergebnisse für noble gases. 6 Elemente")
    strip.evaluate("() => (document.documentElement.lang = 'en')")
    strip.evaluate(TYPE, "")
    await_said(strip, f"{everything} items")
    await_marked(strip)


def test_a_search_sorts_by_relevance_unless_the_page_names_another_order(show):
    strip = show(SEARCH + ELEMENTS)
    sort = lambda: strip.evaluate("(strip) => strip.getAttribute('sort')")  # noqa: E731
    strip.evaluate(TYPE, "xen")
    strip.wait_until("(strip) => strip.meta?.view?.sort === 'relevance'")
    strip.evaluate(TYPE, "")
    strip.wait_until("(strip) => strip.meta && !strip.meta.view")
    assert sort() is None
    strip.evaluate("(strip) => (strip.sort = '-number')")
    strip.evaluate(TYPE, "xen")
    strip.wait_until("(strip) => strip.meta?.view?.q === 'xen'")
    assert sort() == "-number"


# Where the strip is, whether the status is inside of its element, and whether it is cut.
PLACED = """(strip) => {
  const search = document.querySelector("carousel-search");
  const status = search.shadowRoot.querySelector("[part=status]");
  const [outer, inner] = [search, status].map((node) => node.getBoundingClientRect());
  const isInside = inner.top >= outer.top && inner.bottom <= outer.bottom && inner.right <= outer.right;
  return [strip.getBoundingClientRect().top, isInside, status.scrollHeight > status.clientHeight + 1];
}"""


@pytest.mark.parametrize("width, is_cut", [(500, True), (1000, False)])
def test_the_words_that_were_searched_stay_beside_the_field(show, width, is_cut):
    strip = show(SEARCH + ELEMENTS, width)
    strip.evaluate("() => document.querySelectorAll('link, style').forEach((sheet) => sheet.remove())")
    top = strip.evaluate(PLACED)[0]
    strip.evaluate(TYPE, "transitoin metals ")
    await_said(strip, "Showing results for transition metals. 42 items")
    assert strip.evaluate(PLACED) == [top, True, is_cut]


@pytest.mark.engines
def test_marks_stay_on_the_words_when_the_order_changes_and_changes_back(show):
    strip = show(SEARCH + ELEMENTS)
    strip.evaluate(TYPE, "ne")
    for sort in ("", "-number", "", "relevance"):
        strip.evaluate("(strip, sort) => (strip.sort = sort)", sort)
        await_marked(strip, "Neon", "Neodymium", "Neptunium")


def test_an_empty_result_offers_to_clear_all_filters(show):
    strip = show(SEARCH + CATEGORIES + ELEMENTS)
    everything = strip.evaluate("(strip) => strip.meta.count")
    strip.evaluate("(strip) => (strip.where = 'category = \"Noble gas\"')")
    await_said(strip, "6 items")
    strip.evaluate(TYPE, "nothing at all")
    await_said(strip, "", True)
    strip.wait_until("(strip) => strip.shadowRoot.querySelector('[part=notice]').textContent === 'No items match.'")
    strip.evaluate("() => document.querySelector('carousel-search').shadowRoot.querySelector('[part=clear]').click()")
    await_said(strip, f"{everything} items")
    assert strip.evaluate("(strip) => [strip.q, strip.where]") == [None, None]
    assert strip.evaluate("() => document.querySelector('carousel-search').shadowRoot.activeElement.value") == ""


def test_clearing_keeps_the_filter_of_the_page(show):
    strip = show(SEARCH + CATEGORIES + ELEMENTS.replace(" strip", " where='number < 50' strip"))
    strip.evaluate(TYPE, "nothing at all")
    await_said(strip, "", True)
    strip.evaluate("() => document.querySelector('carousel-search').shadowRoot.querySelector('[part=clear]').click()")
    await_said(strip, "49 items")
    assert strip.evaluate("(strip) => strip.where") == "number < 50"


def test_chips_count_what_the_other_filters_select(show, categories):
    strip = show(CATEGORIES + ELEMENTS.replace(" strip", " where='number < 20 AND category = Halogen' strip"))
    found = categories("&where=number%20%3C%2020")
    await_chips(strip, [[value, count, value == "Halogen"] for value, count in found])
    strip.evaluate("(strip) => strip.removeAttribute('where')")
    await_chips(strip, [[value, count, False] for value, count in categories()])


@pytest.mark.engines
def test_the_focused_chip_keeps_the_focus_when_the_order_changes(show, categories):
    strip = show(CATEGORIES + ELEMENTS)
    await_chips(strip, [[value, count, False] for value, count in categories()])
    focused = "document.querySelector('carousel-facets').shadowRoot.activeElement?.firstChild.textContent"
    strip.evaluate(f"() => {{ {PRESS.replace('(strip, value) => ', '').replace('=== value', '=== `Halogen`').replace('click', 'focus')} }}")
    strip.evaluate("(strip) => (strip.where = 'number < 20')")
    await_chips(strip, [[value, count, False] for value, count in categories("&where=number%20%3C%2020")])
    assert strip.evaluate(f"() => {focused}") == "Halogen"


def test_filters_show_what_the_page_sets(show, categories):
    strip = show(SEARCH + CATEGORIES + ELEMENTS)
    strip.evaluate("(strip) => { strip.q = 'gas'; strip.where = 'category = \"Noble gas\"'; }")
    strip.wait_until("() => document.querySelector('carousel-search').shadowRoot.querySelector('input').value === 'gas'")
    strip.wait_until(f"() => ({CHIPS})().some(([value, _, isSelected]) => isSelected && value === 'Noble gas')")


def test_a_form_of_the_page_searches_and_sorts(show):
    strip = show(FORM + ELEMENTS)
    last = strip.evaluate("(strip) => strip.meta.count") - 1
    strip.evaluate("""() => {
      const select = document.querySelector("select");
      select.value = "-number";
      select.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    strip.wait_until("(strip) => strip.meta.view?.sort === '-number' && strip.items[0].fields")
    strip.settle()
    assert strip.offset == 0
    assert strip.visible()[0]["title"] == strip.window(index=last, sort=None or "")["items"][-1]["fields"]["title"]
    strip.evaluate(TYPE, "xen")
    strip.wait_until(COUNT, 1)
    before = strip.evaluate("() => location.href")
    strip.evaluate("() => document.querySelector('form').requestSubmit()")
    assert strip.evaluate("() => location.href") == before


def test_the_current_item_keeps_its_place_in_another_view(show):
    strip = show(CATEGORIES + ELEMENTS, 500)
    everything = strip.evaluate("(strip) => strip.meta.count")
    strip.wait_until("() => document.querySelector('carousel-facets').shadowRoot.querySelector('[part~=chip]')")
    strip.scroll_to(index=next(item["index"] for item in strip.window(width=20000)["items"] if item["fields"]["title"] == "Silver"), at=10)
    place = place_of(strip, "Silver")
    strip.evaluate(PRESS, "Transition metal")
    strip.wait_until("(strip) => !!strip.meta.view")
    strip.settle()
    assert abs(place_of(strip, "Silver") - place) <= 1
    strip.evaluate(PRESS, "Transition metal")
    strip.wait_until(COUNT, everything)
    strip.settle()
    assert abs(place_of(strip, "Silver") - place) <= 1


# Answers the first `count` requests of a new view whose path matches `path` with `status`. A status of 0 is a network error.
FAIL = """(strip, [path, status, count]) => {
  window.asked = 0;
  const original = window.fetch;
  window.fetch = async (url, ...rest) => {
    const { pathname, search } = new URL(url, location);
    if (!/where=/.test(search) || !RegExp(path).test(pathname) || asked >= count) return original(url, ...rest);
    asked += 1;
    if (!status) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify({ status, title: "x" }), { status, headers: { "Retry-After": "1" } });
  };
}"""


@pytest.mark.parametrize("failure", [("/items$", 414, 99), ("/items$", 0, 1), ("/(items|window)$", 503, 4)])
def test_the_current_item_keeps_its_place_if_the_question_about_ids_fails(show, failure):
    strip = show(ELEMENTS, 500)
    strip.scroll_to(index=46, at=10)
    title = strip.visible()[0]["title"]
    place = place_of(strip, title)
    strip.evaluate(FAIL, failure)
    strip.evaluate("(strip) => (strip.where = 'number > 20')")
    strip.wait_until("(strip) => !!strip.meta.view")
    strip.settle()
    assert strip.evaluate("() => asked") > 0
    assert abs(place_of(strip, title) - place) <= 1
    assert strip.evaluate("(strip) => strip.ariaBusy") is None


def test_an_item_that_another_view_lacks_is_found_out_by_a_second_question(show):
    strip = show(ELEMENTS, 500)
    strip.rest(lambda: strip.evaluate("(strip) => { strip.select(60); }"))
    strip.evaluate(FAIL, ("/items$", 503, 1))
    strip.evaluate("(strip) => (strip.where = 'number < 30')")
    strip.wait_until("(strip) => !!strip.meta.view && !strip.selected")
    strip.settle()
    assert strip.offset == 0


def test_a_view_without_the_current_item_starts_at_the_front(show):
    strip = show(CATEGORIES + ELEMENTS, 500)
    strip.scroll_to(index=60)
    strip.evaluate("(strip) => (strip.where = 'number < 30')")
    strip.wait_until("(strip) => !!strip.meta.view")
    strip.settle()
    strip.wait_until("(strip) => strip.offset === 0")
    assert [card["title"] for card in strip.visible()][0] == "Hydrogen"


def test_a_view_without_items_has_no_scrubber(show):
    strip = show(SEARCH + ELEMENTS.replace(" strip", " controls='previous scrubber next' strip"))
    is_visible = "(strip) => strip.shadowRoot.querySelector('[part=scrubber]').checkVisibility({ visibilityProperty: true })"
    strip.wait_until(is_visible)
    strip.evaluate(TYPE, "nothing at all")
    await_said(strip, "", True)
    strip.wait_until(f"(strip) => !({is_visible})(strip)")
    strip.evaluate(TYPE, "n")  # finds more than fits
    strip.wait_until(is_visible)


# Counts the requests of a search, and holds the answers about ids until a window of the new view is requested. The strip may
# still prefetch windows of the former view.
HOLD = """(strip) => {
  window.asked = [];
  const original = window.fetch;
  let go;
  const isAsked = new Promise((resolve) => (go = resolve));
  window.fetch = async (url, ...rest) => {
    const { pathname, search } = new URL(url, location);
    if (pathname === "/window" && /[?&](q|where)=/.test(search)) {
      go();
      asked.push(strip.ariaBusy);
    } else if (pathname.endsWith("/items")) {
      await isAsked;
      asked.push("probe");
    }
    return original(url, ...rest);
  };
}"""


def test_a_search_at_the_front_waits_for_one_answer(show):
    strip = show(SEARCH + ELEMENTS)
    strip.evaluate(HOLD)
    strip.evaluate(TYPE, "xen")
    await_said(strip, "1 item")
    assert strip.evaluate("(strip) => [strip.ariaBusy, asked]") == [None, ["true"]]


def test_a_filter_elsewhere_looks_for_the_current_item_at_the_same_time(show):
    strip = show(SEARCH + ELEMENTS)
    strip.scroll_to(offset=3000)
    strip.evaluate(HOLD)
    strip.evaluate("(strip) => { strip.where = 'number = 54' }")
    await_said(strip, "1 item")
    assert sorted(strip.evaluate("() => asked")) == ["probe", "true"]
    assert strip.evaluate("(strip) => [strip.ariaBusy, strip.offset]") == [None, 0]


# The value of the chip that has the focus, and the number of chips in the tab order.
FOCUSED = """() => {
  const { shadowRoot } = document.querySelector("carousel-facets");
  const stops = [...shadowRoot.querySelectorAll("[part~=chip]")].filter((chip) => chip.tabIndex === 0);
  return [shadowRoot.activeElement?.firstChild.textContent ?? null, stops.length];
}"""

PRESS_KEY = """(strip, key) => {
  const { activeElement } = document.querySelector("carousel-facets").shadowRoot;
  activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}"""


@pytest.mark.engines
def test_chips_are_one_tab_stop_and_arrows_move_between_them(show, categories):
    strip = show(CATEGORIES + ELEMENTS)
    names = [name for name, _ in categories()]
    await_chips(strip, [[name, count, False] for name, count in categories()])
    strip.evaluate("() => document.querySelector('carousel-facets').shadowRoot.querySelector('[part~=chip]').focus()")
    for key, expected in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", -1), ("ArrowRight", -1), ("Home", 0), ("ArrowLeft", 0)]:
        strip.evaluate(PRESS_KEY, key)
        assert strip.evaluate(FOCUSED) == [names[expected], 1]


FILTERS = '<carousel-filters for="elements"></carousel-filters>'
ACTIVE = """() => [...document.querySelector("carousel-filters").shadowRoot.querySelectorAll("[part=chip]")].map((chip) => [chip.firstChild.textContent, chip.ariaLabel])"""
REMOVE = "(strip, k) => document.querySelector('carousel-filters').shadowRoot.querySelectorAll('[part=chip]')[k].click()"
FILTERED = """<carousel-strip id="elements" strip="elements" q="n" aria-label="Elements"
  where="number 1 TO 60 AND category IN ['Noble gas', Nonmetal] AND NOT category = Metalloid AND number != 7"></carousel-strip>"""


def test_active_filters_are_visible_and_each_can_be_removed(show):
    strip = show(FILTERS + FILTERED)
    texts = ["“n”", "Atomic number: 1 – 60", "Category: Noble gas", "Category: Nonmetal", "not Category: Metalloid", "Atomic number ≠ 7"]
    strip.wait_until(f"(_, count) => ({ACTIVE})().length === count", len(texts))
    assert strip.evaluate(ACTIVE) == [[text, f"Remove {text}"] for text in texts]
    strip.evaluate("() => document.querySelector('carousel-filters').shadowRoot.querySelectorAll('[part=chip]')[1].focus()")
    strip.evaluate(REMOVE, 1)
    del texts[1]
    assert [text for text, _ in strip.evaluate(ACTIVE)] == texts
    focused = "() => document.querySelector('carousel-filters').shadowRoot.activeElement.firstChild.textContent"
    assert strip.evaluate(focused) == texts[1]
    assert strip.evaluate("(strip) => strip.getAttribute('where')") == "category IN [ 'Noble gas' , Nonmetal ] AND NOT category = Metalloid AND number != 7"
    strip.evaluate(REMOVE, 0)
    assert strip.evaluate("(strip) => [strip.hasAttribute('q'), strip.hasAttribute('where')]") == [False, True]
    strip.evaluate("() => document.querySelector('carousel-filters').shadowRoot.querySelector('[part=all]').click()")
    assert strip.evaluate(ACTIVE) == []
    strip.wait_until(COUNT, 125)


@pytest.mark.engines
def test_active_filters_are_one_tab_stop_and_arrow_keys_move_between_them(show):
    strip = show(FILTERS + FILTERED)
    strip.wait_until(f"(_, count) => ({ACTIVE})().length === count", 6)
    bar = "document.querySelector('carousel-filters').shadowRoot"
    stops = f"() => [...{bar}.querySelectorAll('[part=chip]')].map(({{ tabIndex }}, k) => tabIndex ? [] : k).flat()"
    focused = f"() => [...{bar}.querySelectorAll('[part=chip]')].indexOf({bar}.activeElement)"
    press = f"(_, key) => void {bar}.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}))"
    assert strip.evaluate(stops) == [0]
    assert strip.evaluate(f"() => {bar}.querySelector('[part=chips]').role") == "toolbar"
    strip.evaluate(f"() => {bar}.querySelector('[part=chip]').focus()")
    for key, expected in [("ArrowRight", 1), ("End", 5), ("ArrowRight", 5), ("ArrowLeft", 4), ("Home", 0), ("ArrowDown", 1)]:
        strip.evaluate(press, key)
        assert [strip.evaluate(focused), strip.evaluate(stops)] == [expected, [expected]]
    strip.evaluate(REMOVE, 1)
    assert [strip.evaluate(focused), strip.evaluate(stops)] == [1, [1]]
    strip.evaluate(press, "End")
    strip.evaluate(REMOVE, 4)
    assert [strip.evaluate(focused), strip.evaluate(stops)] == [3, [3]]


def test_each_value_of_a_field_is_a_filter_that_can_be_removed(show):
    strip = show(FILTERS + CATEGORIES + ELEMENTS)
    strip.wait_until(f"() => ({CHIPS})().length > 0")
    strip.evaluate(PRESS, "Noble gas")
    strip.evaluate(PRESS, "Nonmetal")
    strip.wait_until(f"() => ({ACTIVE})().length === 2")
    assert [text for text, _ in strip.evaluate(ACTIVE)] == ["Category: Noble gas", "Category: Nonmetal"]
    strip.evaluate(REMOVE, 0)
    assert [text for text, _ in strip.evaluate(ACTIVE)] == ["Category: Nonmetal"]
    strip.wait_until(f"() => JSON.stringify(({CHIPS})().flatMap(([name, , isSelected]) => isSelected ? name : [])) === '[\"Nonmetal\"]'")


@pytest.mark.parametrize("where", [pytest.param("number = 1 OR number = 2", marks=pytest.mark.engines), "number > 200"])
def test_the_strip_has_the_focus_after_the_last_filter_is_removed(show, where):
    strip = show(FILTERS + ELEMENTS)
    strip.evaluate("(strip, where) => (strip.where = where)", where)
    for count in range(2 if "OR" in where else 1, 0, -1):
        strip.wait_until(f"(_, count) => ({ACTIVE})().length === count", count)
        strip.evaluate("() => document.querySelector('carousel-filters').shadowRoot.querySelector('[part=chip]').focus()")
        strip.evaluate(REMOVE, 0)
    strip.wait_until("(strip) => strip.meta.count > 100")
    strip.settle()
    assert strip.evaluate("(strip) => document.activeElement === strip || strip.contains(document.activeElement)")


def test_active_filters_are_in_the_language_of_the_page(show):
    strip = show(f'<div lang="de">{FILTERS}</div>' + FILTERED)
    strip.wait_until("() => " + ACTIVE[6:] + "[0]?.[1] === '“n” entfernen'")


YEARS = '<carousel-facets for="elements" field="number"></carousel-facets>'
LIMITS = """() => [...document.querySelector("carousel-facets").shadowRoot.querySelectorAll("[part=limit]")].map((one) => [one.value, one.placeholder])"""
ENTER = """(strip, [k, value]) => {
  const input = document.querySelector("carousel-facets").shadowRoot.querySelectorAll("[part=limit]")[k];
  input.focus();
  input.value = value;
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
}"""
WHERE = "(strip) => strip.getAttribute('where')"


def test_a_field_of_many_numbers_has_a_range(show):
    strip = show(YEARS + ELEMENTS.replace("<carousel-strip", "<carousel-strip where='category != Nonmetal'"))
    strip.wait_until(f"(_, expected) => JSON.stringify(({LIMITS})()) === JSON.stringify(expected)", [["", "2"], ["", "118"]])
    # Until the style sheet is loaded, both are hidden.
    strip.wait_until("""() => {
      const [range, chips] = ["range", "chips"].map((part) => document.querySelector("carousel-facets").shadowRoot.querySelector(`[part=${part}]`));
      return range.checkVisibility() && !chips.checkVisibility();
    }""")
    strip.evaluate(ENTER, [0, "7"])
    assert strip.evaluate(WHERE) == "category != Nonmetal AND number >= 7"
    strip.evaluate(ENTER, [1, "12"])
    strip.evaluate("(_, facets) => { const one = document.querySelector(facets); one.replaceWith(one.cloneNode()); }", "carousel-facets")  # as in a page that is loaded again
    strip.wait_until(f"(_, expected) => JSON.stringify(({LIMITS})()) === JSON.stringify(expected)", [["7", "2"], ["12", "118"]])


@pytest.mark.engines
def test_hits_are_marked_in_titles_that_are_in_place_of_a_picture(show):
    strip = show(SEARCH + ELEMENTS.replace("<carousel-strip", "<carousel-strip q=xenon"))
    strip.wait_until("""(strip) => !CSS.highlights || [...CSS.highlights.get("carousel-hit") ?? []].some(({ startContainer }) =>
      startContainer.parentElement.matches(".mark") && startContainer.parentElement.checkVisibility({ visibilityProperty: true }))""")


@pytest.mark.engines
def test_hits_are_marked_in_the_strip_that_takes_the_place_of_another(show):
    strip = show(SEARCH + ELEMENTS)
    strip.evaluate(TYPE, "xenon")
    await_marked(strip, "Xenon")
    strip.evaluate("""(strip) => {
      const other = document.createElement("carousel-strip");
      Object.assign(other, { id: "elements", strip: "elements", q: "krypton" });
      strip.replaceWith(other);
    }""")
    await_marked(strip, "Krypton")
