"""Strips that wrap, narrower than their viewport."""

import pytest

from test_plugins import made_with

# The offset after 30 frames.
LATER = "(strip) => new Promise((done) => { let n = 30; const frame = () => n-- ? requestAnimationFrame(frame) : done(strip.offset); frame(); })"


@pytest.mark.parametrize("snap", ["start", "center", "end"])
@pytest.mark.parametrize(("where", "width"), [("year 1959 TO 1965", 1280), ("id = a1", 375)])
def test_a_narrow_loop_that_snaps_comes_to_rest_and_stays(open_page, snap, where, width):
    page = open_page("/?strip=albums", viewport={"width": width, "height": 800})
    strip = made_with(page, "albums", loop="", snap=snap, where=where)
    offset = strip.offset
    assert strip.evaluate("(strip) => strip.meta.extent < strip.clientWidth")
    assert strip.evaluate(LATER) == offset
    strip.by(100)
    offset = strip.offset
    assert strip.evaluate(LATER) == offset
    assert strip.evaluate("(strip) => strip.offsetOf(strip.current)") == offset


@pytest.mark.parametrize(("index", "place", "lap"), [(16, 1, 3), (-4, 1, -1), (3, 3, 0)])
def test_in_a_loop_an_event_has_the_index_in_the_strip_and_the_lap(open_page, index, place, lap):
    strip = made_with(open_page("/?strip=albums"), "albums", loop="", snap="center", where="id IN [a0, a1, a2, a3, a4]")
    assert strip.evaluate("(strip) => strip.meta.count") == 5
    strip.evaluate(
        """(strip) => {
          window.told = {};
          for (const type of ["settle", "select", "deselect"]) {
            strip.addEventListener(type, ({ detail: { index, lap } }) => (window.told[type] = [index, lap]));
          }
        }"""
    )
    strip.rest(lambda: strip.evaluate("(strip, index) => strip.select(index)", index))
    strip.evaluate("(strip) => strip.deselect()")
    assert strip.page.evaluate("() => window.told") == {type: [place, lap] for type in ["settle", "select", "deselect"]}


def test_in_a_loop_events_of_cards_have_the_index_in_the_strip_and_the_lap(open_page):
    strip = made_with(open_page("/?strip=albums"), "albums", loop="", where="id IN [a0, a1, a2, a3, a4]")
    strip.evaluate(
        """(strip) => {
          window.told = {};
          const tell = (name, items, node) => (told[name] ??= []).push(...items.map(({ id, index, lap }) => [id, index, node ? index + 5 * lap - node.dataset.index : lap % 1]));
          strip.kind("album", { fill: (card, item) => tell("fill", [item], card) });
          for (const type of ["willdisplay", "enddisplay"]) strip.addEventListener(type, ({ detail: { item, node } }) => tell(type, [item], node));
          strip.addEventListener("windowchange", ({ detail }) => { tell("items", detail.items); tell("former", detail.former); });
        }"""
    )
    strip.scroll_to(index=16)
    strip.scroll_to(index=-9)
    told = strip.page.evaluate("() => told")
    assert told.keys() == {"fill", "willdisplay", "enddisplay", "items", "former"}
    for type, items in told.items():
        assert {tuple(item) for item in items} == {(f"a{k}", k, 0) for k in range(5)}, type


def test_a_strip_that_does_not_wrap_has_no_turns(open_strip):
    strip = open_strip("albums")
    strip.evaluate("(strip) => strip.addEventListener('select', ({ detail }) => (window.detail = detail))")
    strip.rest(lambda: strip.evaluate("(strip) => strip.select(20)"))
    assert strip.page.evaluate("() => [window.detail.index, 'lap' in window.detail]") == [20, False]


def test_in_a_loop_the_selected_and_the_current_item_have_the_index_in_the_strip(open_page):
    strip = made_with(open_page("/?strip=albums"), "albums", loop="", snap="center", where="id IN [a0, a1, a2, a3, a4]")
    strip.rest(lambda: strip.evaluate("(strip) => strip.select(-15)"))
    both = "(strip) => [strip.selected, strip.current].map(({ index, lap }) => [index, lap])"
    assert strip.evaluate(both) == [[0, -3], [0, -3]]
    strip.evaluate("(strip) => strip.addEventListener('deselect', ({ detail }) => (window.told = [detail.index, detail.lap]))")
    strip.rest(lambda: strip.evaluate("(strip) => { strip.scrollTo({ index: 12 }) }"))
    assert strip.evaluate(both) == [[0, -3], [2, 2]]
    strip.evaluate("(strip) => strip.deselect()")
    assert strip.page.evaluate("() => window.told") == [0, -3]
