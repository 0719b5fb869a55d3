"""Where a strip starts, comes to rest, and stays when its page changes."""

import pytest
from playwright.sync_api import expect

from cases import case
from strip import IDLE, Strip, poll
from test_plugins import made_with


def test_the_address_has_the_item_and_its_px_and_restores_them(open_strip, open_page):
    strip = open_strip("albums")
    strip.by(1234)
    address = strip.page.evaluate("() => location.href")
    assert "item=a6" in address and "at=-94" in address
    other = Strip(open_page(address), "albums")
    other.arrive()
    assert abs(other.offset - 1234) <= 1
    other.must_be_right()


def test_the_back_button_restores_the_position(open_strip):
    strip = open_strip("albums")
    for offset in [777, 8000]:
        with case(offset):
            strip.by(offset - strip.offset)
            strip.page.goto("/?strip=elements")
            strip.page.go_back()
            strip.arrive()
            assert abs(strip.offset - offset) <= 1
            strip.must_be_right()


def test_it_starts_at_an_item(open_page):
    page = open_page("/?strip=albums")
    for attributes, index, align in [
        ({"initial-index": "20"}, 20, "start"),
        ({"initial-item": "a20", "snap": "center"}, 20, "center"),
        ({"initial-index": "30", "snap": "start"}, 30, "start"),
        ({"initial-index": "30", "snap": "center", "loop": ""}, 30, "center"),
    ]:
        with case(attributes):
            strip = made_with(page, "albums", **attributes)
            place = strip.window(index=index, align=align, width=strip.width)
            page.wait_for_function("(offset) => Math.abs(document.querySelector('carousel-strip').offset - offset) <= 1", arg=place["offset"])
            strip.settle()
            strip.must_be_right()


def test_a_strip_that_snaps_to_the_centre_starts_with_its_first_item_there(open_page):
    page = open_page("/?strip=albums")
    for attributes in [{"loop": ""}, {"loop": "", "selection": "current"}, {"inset": "center"}]:
        with case(attributes):
            strip = made_with(page, "albums", snap="center", **attributes)
            card = strip.card(0).bounding_box()
            box = strip.element.bounding_box()
            assert card["x"] + card["width"] / 2 == pytest.approx(box["x"] + box["width"] / 2, abs=1)
            assert strip.evaluate("(strip) => strip.current.index") == 0


def test_an_inset_is_the_space_before_the_first_item_and_after_the_last(open_page):
    strip = made_with(open_page("/?strip=albums"), "albums", inset="40", controls="previous next scrubber")
    box, first = strip.element.bounding_box(), strip.card(0).bounding_box()
    assert first["x"] - box["x"] == pytest.approx(40, abs=1)
    expect(strip.page.locator("carousel-strip [part=controls]").get_by_role("button", name="Previous")).to_have_attribute("aria-disabled", "true")
    strip.card(0).focus()
    strip.rest(lambda: strip.page.keyboard.press("End"))
    last = strip.card(49).bounding_box()
    assert box["x"] + box["width"] - last["x"] - last["width"] == pytest.approx(40, abs=1)
    strip.rest(lambda: strip.page.keyboard.press("Home"))
    assert strip.card(0).bounding_box()["x"] - box["x"] == pytest.approx(40, abs=1)


def test_a_page_that_keeps_a_strip_from_rest_keeps_it_from_snapping(open_page):
    strip = made_with(open_page("/?strip=albums"), "elements", snap="start")
    strip.evaluate("(strip) => strip.addEventListener('rest', (event) => event.preventDefault())")
    strip.after("rest", lambda: strip.evaluate("(strip) => strip.scrollTo({ offset: 200.5 })"))
    assert strip.offset == 200.5
    assert strip.evaluate("(strip) => strip.clamp(strip.current.start)") != 200.5


def test_a_smooth_movement_keeps_its_goal_when_the_jump_before_it_ends(open_strip):
    strip = open_strip("albums")
    goals = strip.evaluate("""async (strip) => {
      const original = window.setTimeout;
      window.setTimeout = (go, delay, ...rest) => original(go, 60 * delay, ...rest); // a movement without steps counts as lost
      strip.scrollTo({ offset: 5000 });
      strip.scrollTo({ offset: 6000, behavior: "smooth" });
      const goals = [];
      for (let moves = true; moves; moves = strip.offset < 5999) {
        goals.push(strip.scrollTarget);
        await new Promise(requestAnimationFrame);
      }
      return goals;
    }""")
    assert set(goals) == {6000}
    strip.settle()
    assert strip.offset == 6000


def test_it_keeps_its_position_when_dir_changes(open_strip):
    strip = open_strip("albums")
    for offset, dir in [(0, "rtl"), (0, "ltr"), (3000, "rtl"), (3000, "ltr")]:
        strip.scroll_to(offset=offset)
        strip.page.evaluate("(dir) => { document.documentElement.dir = dir }", dir)
        edge = {"ltr": "left", "rtl": "right"}[dir]
        strip.page.wait_for_function("""([offset, edge]) => {
          const strip = document.querySelector("carousel-strip");
          const far = ({ index, start }) => Math.abs(strip.nodeOf(index).getBoundingClientRect()[edge]
            - strip.getBoundingClientRect()[edge]) - Math.abs(start - offset);
          return Math.abs(strip.offset - offset) <= 1 && strip.items.every((item) => Math.abs(far(item)) <= 1);
        }""", arg=[offset, edge])


def test_it_keeps_its_position_when_moved_in_the_document(open_page):
    page = open_page("/?strip=albums")
    for attributes in [{}, {"initial-index": "3"}, {"snap": "center", "controls": "previous next"}]:
        with case(attributes):
            strip = made_with(page, "albums", **attributes)
            strip.by(3000)
            before = {card["id"]: card["x"] for card in strip.visible()}
            strip.after("reload", lambda: strip.evaluate("(strip) => document.querySelector('main').prepend(strip)"))
            assert {card["id"]: card["x"] for card in strip.visible()} == pytest.approx(before, abs=1)
            strip.must_be_right()


def resize(page, width, height=800):
    """Resizes a page, and waits until its strip has the new width."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("(width) => innerWidth === width && document.querySelector('carousel-strip').clientWidth <= width", arg=width)


def test_the_current_item_stays_current_when_the_screen_is_rotated(open_page):
    upright, across = (375, 812), (812, 375)
    page = open_page("/?strip=albums", viewport={"width": 375, "height": 812})
    for where, index in [("id IN [a0, a1]", 0), ("id IN [a0, a1]", 1), ("id IN [a0, a1, a2]", 0), ("id IN [a0, a1, a2]", 1), ("year > 0", 40)]:
        attributes = {"snap": "center", "inset": "center", "selection": "current", "initial-index": str(index)}
        strip = made_with(page, "albums", where=where, **attributes)
        for size in [across, upright] * 2:
            with case(where, index, size):
                resize(page, *size)
                strip.settle()
                assert strip.evaluate("(strip) => [strip.current.index, strip.selected.index]") == [index, index]
                assert strip.evaluate("(strip) => Math.abs(strip.offsetOf(strip.current) - strip.offset)") < 1


def test_an_aligned_item_stays_aligned_when_the_strip_outgrows_its_windows(open_page):
    page = open_page("/?strip=albums", viewport={"width": 360, "height": 800})
    for snap in ["center", "end"]:
        resize(page, 360)
        strip = made_with(page, "albums", snap=snap, **{"initial-index": "20"})
        for width in [1500, 360, 1280]:
            with case(snap, width):
                resize(page, width)
                strip.settle()
                assert strip.evaluate("(strip) => strip.current.index") == 20
                place = strip.window(index=20, align=snap, width=strip.width)
                assert abs(strip.offset - place["offset"]) <= 1


def test_a_strip_that_grew_does_not_come_to_rest_before_its_larger_windows_are_loaded(open_page):
    page = open_page("/?strip=albums", viewport={"width": 360, "height": 800})
    strip = made_with(page, "albums", snap="end", **{"initial-index": "20"})
    pool, held = strip.figures["pool"], []

    def hold(route):
        if f"pool={pool}&" in route.request.url + "&":
            route.continue_()
        else:
            held.append(route)

    page.route("**/window?*", hold)
    page.set_viewport_size({"width": 1500, "height": 800})
    # The previous windows now cover the larger viewport.
    page.wait_for_function(
        "(strip) => strip.clientWidth > 1000 && strip.loadedItems.at(-1).start > strip.offset + strip.clientWidth",
        arg=strip.element.element_handle(),
    )
    strip.evaluate("async () => { for (let k = 0; k < 20; k += 1) await new Promise(requestAnimationFrame); }")
    page.route("**/window?*", lambda route: route.continue_())
    for route in held:
        route.continue_()
    strip.settle()
    assert strip.evaluate("(strip) => strip.current.index") == 20


def test_a_reader_who_scrolls_ends_the_way_to_an_item(open_strip):
    strip, held = open_strip("albums"), []
    strip.page.route("**/window?*item=a40*", lambda route: held.append(route))
    strip.evaluate("(strip) => { strip.scrollTo({ item: 'a40' }) }")
    poll(lambda: strip.page.evaluate(IDLE) or held, lambda: "the item is not sought")
    strip.evaluate("(strip) => { strip.shadowRoot.querySelector('[part=viewport]').scrollLeft += 40 }")
    strip.page.wait_for_function("() => !document.querySelector('carousel-strip').pendingScroll.place")
    offset = strip.offset
    for route in held:
        route.continue_()
    strip.settle()
    assert strip.offset == offset


def test_without_snap_a_resize_keeps_the_offset(open_page):
    strip = made_with(open_page("/?strip=albums"), "albums")
    strip.by(1234)
    for width in [1100, 500, 1700]:
        strip.page.set_viewport_size({"width": width, "height": 800})
        strip.settle()
        assert abs(strip.offset - 1234) <= 1
        strip.must_be_right()


def test_cards_per_view_follow_breakpoints_and_other_styles(open_page):
    page = open_page("/?strip=albums", viewport={"width": 900, "height": 800})
    breakpoints = "carousel-strip { --per-view: 5 } @media (width < 800px) { carousel-strip { --per-view: 2.3 } }"
    made_with(page, "albums")
    for css, width, count in [(breakpoints, 1280, 5), (breakpoints, 500, 2.3), ("carousel-strip { --per-view: 5 }", 500, 5), ("carousel-strip { --per-view: 3 }", 500, 3)]:
        with case(css, width):
            page.evaluate("(css) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); document.adoptedStyleSheets = [sheet]; }", css)
            resize(page, width)
            page.wait_for_function("""(count) => {
              const { items: [one, next], clientWidth } = document.querySelector("carousel-strip");
              return next && Math.abs((clientWidth + next.start - one.start - one.size) / (next.start - one.start) - count) < 0.1;
            }""", arg=count)


def test_without_cards_per_view_the_height_is_that_of_the_page_again(open_page):
    page = open_page("/?strip=albums", viewport={"width": 900, "height": 800})
    strip = made_with(page, "albums", height=120)
    for count, height in [(3, None), (0, 120)]:
        strip.evaluate("(strip, count) => strip.style.setProperty('--per-view', count)", count)
        page.wait_for_function("(height) => { const strip = document.querySelector('carousel-strip'); return height ? strip.height === height : strip.height !== 120; }", arg=height)


def test_a_strip_is_seen_in_a_parent_as_wide_as_its_content(open_page):
    page = open_page("/?strip=albums")
    for parent in ["display: inline-block", "float: left", "width: fit-content", "display: flex", "display: inline-grid"]:
        with case(parent):
            page.evaluate("""(style) => {
              const former = document.querySelector("carousel-strip"), made = document.createElement("carousel-strip");
              const parent = document.createElement("div");
              parent.className = "parent";
              parent.style = style;
              made.append(...former.querySelectorAll("template"));
              made.strip = "billion";
              parent.append(made);
              (former.closest(".parent") ?? former).replaceWith(parent);
            }""", parent)
            strip = Strip(page, "billion")
            strip.arrive()
            assert 300 < strip.width <= 1280
            assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280
            strip.must_be_right()


RECORD = """() => {
  window.asked = [];
  const original = window.fetch;
  window.fetch = (...rest) => { window.asked.push(String(rest[0])); return original(...rest); };
}"""


def test_a_hidden_strip_scrolls_once_it_is_shown(open_page):
    page = open_page("/?strip=billion")
    strip = Strip(page, "billion")
    strip.arrive()
    page.evaluate(RECORD)
    strip.evaluate("(strip) => { strip.hidden = true; strip.style.display = 'none' }")
    page.wait_for_function("() => document.querySelector('carousel-strip').clientWidth === 0")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for place in [{"index": 7000, "align": "center"}, {"index": 5000}]:
        strip.evaluate("(strip, place) => strip.scrollTo(place)", place)  # it resolves though the strip is hidden
    strip.evaluate("(strip) => { strip.hidden = false; strip.style.display = '' }")
    page.wait_for_function("() => document.querySelector('carousel-strip').items.some(({ index }) => index === 5000)")
    strip.settle()
    assert abs(strip.offset - strip.window(index=5000, width=strip.width)["offset"]) <= 1
    assert [url for url in page.evaluate("() => window.asked") if "width=0" in url] == []
    strip.must_be_right()


def test_a_strip_keeps_its_offset_while_it_is_hidden(open_strip):
    strip = open_strip("albums")
    strip.scroll_to(offset=3210)
    strip.evaluate("(strip) => { strip.style.display = 'none' }")
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').clientWidth === 0")
    strip.after("reload", lambda: strip.evaluate("(strip) => { strip.style.display = '' }"))
    assert abs(strip.offset - 3210) <= 1
    strip.must_be_right()


@pytest.mark.logic
@pytest.mark.parametrize("change", ["strip = 'landscapes'", "where = 'year > 1960'", "sort = '-year'"])
def test_a_place_and_a_selection_that_are_set_with_other_items_are_among_these(open_strip, change):
    strip = open_strip("albums")
    strip.after("reload", lambda: strip.evaluate(f"(strip) => {{ strip.{change}; strip.select(20); strip.scrollTo({{ index: 9 }}) }}"))
    assert strip.visible()[0]["index"] == 9 and abs(strip.visible()[0]["x"]) <= 1
    strip.scroll_to(index=20)
    expect(strip.card(20)).to_have_attribute("aria-selected", "true")
