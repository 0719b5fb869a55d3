"""Strips that wrap, narrower than their viewport."""

from cases import case
from test_plugins import made_with

# The offset after 30 frames.
LATER = "(strip) => new Promise((done) => { let n = 30; const frame = () => n-- ? requestAnimationFrame(frame) : done(strip.offset); frame(); })"


def test_a_narrow_loop_that_snaps_comes_to_rest_and_stays(open_page):
    page = open_page("/?strip=albums")
    for where, width in [("year 1959 TO 1965", 1280), ("id = a1", 375)]:
        page.set_viewport_size({"width": width, "height": 800})
        for snap in ["start", "center", "end"]:
            with case(where, snap):
                strip = made_with(page, "albums", loop="", snap=snap, where=where)
                offset = strip.offset
                assert strip.evaluate("(strip) => strip.meta.extent < strip.clientWidth")
                assert strip.evaluate(LATER) == offset
                strip.by(100)
                offset = strip.offset
                assert strip.evaluate(LATER) == offset
                assert strip.evaluate("(strip) => strip.offsetOf(strip.current)") == offset


FIVE = {"loop": "", "where": "id IN [a0, a1, a2, a3, a4]"}


def test_in_a_loop_events_and_items_have_the_index_in_the_strip_and_the_lap(open_page):
    page = open_page("/?strip=albums", reduced_motion="reduce")
    strip = made_with(page, "albums", snap="center", **FIVE)
    assert strip.evaluate("(strip) => strip.meta.count") == 5
    strip.evaluate("""(strip) => {
      window.told = {};
      for (const type of ["settle", "select", "deselect"]) {
        strip.addEventListener(type, ({ detail: { index, lap } }) => (window.told[type] = [index, lap]));
      }
    }""")
    both = "(strip) => [strip.selected, strip.current].map(({ index, lap }) => [index, lap])"
    for index, place, lap in [(16, 1, 3), (-4, 1, -1), (3, 3, 0), (-15, 0, -3)]:
        with case(index):
            strip.rest(lambda index=index: strip.evaluate("(strip, index) => strip.select(index)", index))
            assert strip.evaluate(both) == [[place, lap]] * 2
            strip.evaluate("(strip) => strip.deselect()")
            assert page.evaluate("() => window.told") == {type: [place, lap] for type in ["settle", "select", "deselect"]}
    strip.evaluate("(strip) => strip.select(-15)")
    strip.rest(lambda: strip.evaluate("(strip) => { strip.scrollTo({ index: 12 }) }"))
    assert strip.evaluate(both) == [[0, -3], [2, 2]]
    strip.evaluate("(strip) => strip.deselect()")
    assert page.evaluate("() => window.told.deselect") == [0, -3]
    # Those of cards, too.
    strip = made_with(page, "albums", **FIVE)
    strip.evaluate("""(strip) => {
      window.told = {};
      const tell = (name, items, node) => (told[name] ??= []).push(...items.map(({ id, index, lap }) => [id, index, node ? index + 5 * lap - node.dataset.index : lap % 1]));
      strip.kind("album", { fill: (card, item) => tell("fill", [item], card) });
      for (const type of ["willdisplay", "enddisplay"]) strip.addEventListener(type, ({ detail: { item, node } }) => tell(type, [item], node));
      strip.addEventListener("windowchange", ({ detail }) => { tell("items", detail.items); tell("former", detail.former); });
    }""")
    strip.scroll_to(index=16)
    strip.scroll_to(index=-9)
    told = strip.page.evaluate("() => told")
    assert told.keys() == {"fill", "willdisplay", "enddisplay", "items", "former"}
    for type, items in told.items():
        assert {tuple(item) for item in items} == {(f"a{k}", k, 0) for k in range(5)}, type
