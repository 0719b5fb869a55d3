"""The behaviours of a strip, alone and together."""

import json
import os

import pytest
from playwright.sync_api import expect

from conftest import run, serving
from strip import Strip, switches

# Records the events of a strip from now on.
LISTEN = """(strip, types) => {
  window.told = [];
  for (const type of types) {
    strip.addEventListener(type, ({ detail }) => window.told.push([type, detail?.id ?? detail?.item?.id ?? null]));
  }
}"""

SELECTOR = "document.querySelector('carousel-strip')"

# The ms between steps of autoplay. It is so long that a step only comes when a test advances the clock.
STEP = 60_000


def told(strip):
    return strip.page.evaluate("() => window.told")


def made_with(page, name="albums", **attributes):
    """Replaces the strip of the demo page, and its controls, by one with these attributes."""
    page.evaluate(
        """([name, attributes]) => {
          const former = document.querySelector("carousel-strip");
          const made = document.createElement("carousel-strip");
          made.append(...[...former.querySelectorAll("template")].map((one) => one.cloneNode(true)));
          for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
          made.strip = name;
          (former.closest(".shelf") ?? former).replaceWith(made);
        }""",
        [name, attributes],
    )
    strip = Strip(page, name)
    strip.arrive()
    return strip


REVERSED = """<!doctype html><html lang="en"><title>Reversed</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/css/strip.css">
<carousel-strip strip="albums" controls="previous dots next" indicator snap="start" autoplay="3600000"><template data-kind="card"><p>{title}</p></template></carousel-strip>
<script type="module">
  import { behaviours } from "/js/element/carousel-strip.js";
  import { define } from "/js/element/define.js";
  const strip = document.querySelector("carousel-strip");
  strip.remove();
  define();
  const [measure, breakpoints, ...others] = behaviours; // those that a start needs first
  behaviours.clear();
  for (const one of [measure, breakpoints, ...others.reverse()]) behaviours.add(one);
  document.body.append(strip);
</script>"""


def test_a_draw_shows_the_same_in_any_order_of_the_behaviours(open_page):
    page = open_page("about:blank")
    page.route("**/reversed", lambda route: route.fulfill(content_type="text/html", body=REVERSED))
    page.goto("/reversed")
    strip = Strip(page, "albums")
    strip.arrive()
    strip.rest(lambda: strip.evaluate("(strip) => strip.select(3)"))
    assert strip.evaluate("""(strip) => {
      const { dataset, ariaSelected, ariaLabel, tabIndex } = strip.nodeOf(3);
      const { parentNode, lastElementChild } = strip.viewport;
      return [dataset.selected, ariaSelected, !!ariaLabel, tabIndex, lastElementChild.hidden, [...parentNode.children].map((one) => one.part.value)];
    }""") == ["", "true", True, 0, False, ["pause", "viewport", "controls", "notice"]]


def test_it_reports_which_items_are_displayed(open_strip):
    strip = open_strip("albums")
    # In one call with LISTEN, since the strip may draw more items at any time.
    former = strip.evaluate(f"(strip) => {{ ({LISTEN})(strip, ['willdisplay', 'enddisplay']); return strip.items.map(({{ id }}) => id); }}")
    strip.scroll_to(offset=5000)
    told, now = strip.evaluate("(strip) => [window.told, strip.items.map(({ id }) => id)]")
    shown = set(former)
    for type, id in told:
        assert (id in shown) == (type == "enddisplay")
        shown ^= {id}
    assert shown == set(now)
    assert not shown & set(former)


def test_it_dispatches_settle_once_with_the_current_item(open_strip):
    strip = open_strip("albums")
    strip.evaluate(LISTEN, ["settle"])
    strip.by(950)
    assert told(strip) == [["settle", strip.evaluate("(strip) => strip.current.id")]]
    assert strip.evaluate("(strip) => strip.current.index") == 5


def test_a_selection_deselects_the_former_item(open_strip):
    strip = open_strip("albums")
    strip.card(1).click()
    strip.settle()
    strip.evaluate(LISTEN, ["select", "deselect"])
    strip.card(2).click()
    strip.evaluate("(strip) => strip.deselect()")
    assert told(strip) == [["deselect", "a1"], ["select", "a2"], ["deselect", "a2"]]


def test_a_selection_has_an_origin(open_strip):
    strip = open_strip("albums")
    strip.evaluate("(strip) => { window.origins = []; strip.addEventListener('select', ({ detail }) => window.origins.push(detail.origin)) }")
    strip.card(1).click()
    strip.page.keyboard.press("Tab")
    strip.card(2).focus()
    strip.page.keyboard.press("Enter")
    strip.evaluate("(strip) => strip.select(3)")
    assert strip.page.evaluate("() => window.origins") == ["tap", "key", "code"]


def test_an_item_in_view_for_a_second_makes_one_impression(open_page):
    page = open_page("about:blank")
    page.add_init_script(
        """window.seen = [];
        for (const type of ["willdisplay", "impression"]) {
          document.addEventListener(type, ({ detail }) => {
            const at = performance.now();
            if (type === "impression") window.seen.push({ id: detail.id, at });
            else window.first ??= at;
          });
        }"""
    )
    page.goto("/?strip=albums")
    strip = Strip(page, "albums")
    strip.settle()
    inside = strip.window(width=strip.width)["items"]
    half = [item["id"] for item in inside if item["start"] + item["size"] / 2 <= strip.width]
    page.wait_for_function("(count) => window.seen.length >= count", arg=len(half))
    seen, first = page.evaluate("() => [window.seen, window.first]")
    assert [one["id"] for one in seen] == half
    assert min(one["at"] for one in seen) - first >= 999
    strip.scroll_to(offset=3000)
    page.wait_for_function("(count) => window.seen.length > count", arg=len(half))
    strip.scroll_to(offset=0)
    ids = [one["id"] for one in page.evaluate("() => window.seen")]
    assert len(set(ids)) == len(ids)


def test_an_item_that_is_not_loaded_makes_no_impression(open_page):
    page = open_page("about:blank")
    page.clock.install()
    page.add_init_script("window.seen = []; document.addEventListener('impression', ({ detail }) => window.seen.push(detail.fields?.title ?? null))")
    held = []
    page.route("**/window?**", lambda route: held.append(route))
    with page.expect_request("**/window?**"):
        page.goto("/?strip=albums")
    page.clock.run_for(1500)
    assert page.evaluate("() => window.seen") == []
    page.route("**/window?**", lambda route: route.continue_())
    for route in held:
        route.continue_()
    Strip(page, "albums").arrive()
    page.clock.run_for(1500)
    page.wait_for_function("() => window.seen.length > 3")
    assert None not in page.evaluate("() => window.seen")


def test_the_address_has_the_item_and_its_px_and_restores_them(open_strip, open_page):
    strip = open_strip("albums")
    strip.by(1234)
    address = strip.page.evaluate("() => location.href")
    assert "item=a6" in address and "at=-94" in address
    other = Strip(open_page(address), "albums")
    other.arrive()
    assert abs(other.offset - 1234) <= 1
    other.must_be_right()


@pytest.mark.parametrize("offset", [777, 8000])
def test_the_back_button_restores_the_position(open_strip, offset):
    strip = open_strip("albums")
    strip.by(offset)
    strip.page.goto("/?strip=elements")
    strip.page.go_back()
    strip.arrive()
    assert abs(strip.offset - offset) <= 1
    strip.must_be_right()


@pytest.mark.parametrize("align", ["start", "center", "end"])
def test_at_rest_an_item_is_aligned(open_page, align):
    strip = made_with(open_page("/"), "elements", snap=align)
    for px in [333, 1111, -450]:
        strip.by(px)
        item = strip.evaluate("(strip) => strip.current")
        place = strip.window(index=item["index"], align=align, width=strip.width)
        assert abs(strip.offset - place["offset"]) <= 1
        strip.must_be_right()


def test_a_page_that_keeps_a_strip_from_rest_keeps_it_from_snapping(open_page):
    strip = made_with(open_page("/"), "elements", snap="start")
    strip.evaluate("(strip) => strip.addEventListener('rest', (event) => event.preventDefault())")
    strip.after("rest", lambda: strip.evaluate("(strip) => strip.scrollTo({ offset: 200.5 })"))
    assert strip.offset == 200.5
    assert strip.evaluate("(strip) => strip.clamp(strip.current.start)") != 200.5


def test_near_snapping_ignores_items_that_are_far(open_page):
    strip = made_with(open_page("/"), "albums", snap="start near")
    strip.by(1140 + 20)
    assert abs(strip.offset - 1140) <= 1
    strip.by(80)
    assert abs(strip.offset - 1220) <= 1


def turn_page(strip, direction):
    strip.evaluate(
        """async (strip, direction) => {
          const { pageOffset, scrollSmoothly } = await import("/js/motion/navigation.js");
          scrollSmoothly(strip, pageOffset(strip, direction));
        }""",
        direction,
    )


def test_a_step_can_be_an_item(open_page):
    strip = made_with(open_page("/"), "elements", step="item")
    starts = [item["start"] for item in strip.window(width=2000)["items"]][1:4]
    for start in starts:
        strip.rest(lambda: turn_page(strip, 1))
        assert abs(strip.offset - start) <= 1
    strip.rest(lambda: turn_page(strip, -1))
    assert abs(strip.offset - starts[1]) <= 1


def test_any_strip_can_be_a_loop(open_page):
    strip = made_with(open_page("/"), "albums", loop="", snap="center")
    for px in [-500, -900]:
        strip.by(px)
        items = strip.window(offset=strip.offset, width=strip.width, wrap="true")["items"]
        assert [card["id"] for card in strip.visible()] == [item["id"] for item in items]
    assert strip.offset < -900


def test_the_mouse_drags_and_a_drag_is_not_a_click(open_strip):
    strip = open_strip("albums", reduced_motion="reduce")
    box = strip.element.bounding_box()
    strip.evaluate(LISTEN, ["select"])
    mouse = strip.page.mouse
    mouse.move(box["x"] + 700, box["y"] + 80)
    mouse.down()
    for x in range(690, 290, -40):
        mouse.move(box["x"] + x, box["y"] + 80)
    mouse.move(box["x"] + 300, box["y"] + 80)
    assert abs(strip.offset - 400) <= 1
    strip.rest(mouse.up)
    assert strip.offset >= 399
    assert told(strip) == []
    strip.must_be_right()


def test_a_button_released_elsewhere_ends_the_drag(open_strip):
    strip = open_strip("albums")
    box = strip.element.bounding_box()
    mouse = strip.page.mouse
    mouse.move(box["x"] + 700, box["y"] + 80)
    mouse.down()
    mouse.move(box["x"] + 700, box["y"] + box["height"] + 200)
    mouse.up()
    mouse.move(box["x"] + 700, box["y"] + 80)
    mouse.move(box["x"] + 400, box["y"] + 80)
    strip.settle()
    assert strip.offset == 0


def test_right_to_left_is_the_mirror_image(open_page):
    page = open_page("/")
    page.evaluate("() => { document.documentElement.dir = 'rtl' }")
    strip = made_with(page, "albums")
    for offset in [0, 1234, 1e9]:
        strip.scroll_to(offset=offset)
        items = strip.window(offset=strip.offset, width=strip.width)["items"]
        right = strip.evaluate("(strip) => strip.getBoundingClientRect().right")
        for item in items:
            edge = strip.card(item["index"]).evaluate("(node) => node.getBoundingClientRect().right")
            assert abs((right - edge) - (item["start"] - strip.offset)) <= 1
    strip.scroll_to(offset=0)
    strip.card(0).focus()
    page.keyboard.press("ArrowLeft")
    expect(strip.card(1)).to_be_focused()


def test_it_keeps_its_position_when_dir_changes(open_strip):
    strip = open_strip("albums")
    for offset, dir in [(0, "rtl"), (0, "ltr"), (3000, "rtl"), (3000, "ltr")]:
        strip.scroll_to(offset=offset)
        strip.page.evaluate("(dir) => { document.documentElement.dir = dir }", dir)
        edge = {"ltr": "left", "rtl": "right"}[dir]
        strip.page.wait_for_function(
            """([offset, edge]) => {
              const strip = document.querySelector("carousel-strip");
              const far = ({ index, start }) => Math.abs(strip.nodeOf(index).getBoundingClientRect()[edge]
                - strip.getBoundingClientRect()[edge]) - Math.abs(start - offset);
              return Math.abs(strip.offset - offset) <= 1 && strip.items.every((item) => Math.abs(far(item)) <= 1);
            }""",
            arg=[offset, edge],
        )


@pytest.mark.parametrize("attributes", [{}, {"initial-index": "3"}, {"snap": "center", "controls": "previous next"}])
def test_it_keeps_its_position_when_moved_in_the_document(open_page, attributes):
    strip = made_with(open_page("/"), "albums", **attributes)
    strip.by(3000)
    before = {card["id"]: card["x"] for card in strip.visible()}
    strip.after("reload", lambda: strip.evaluate("(strip) => document.querySelector('main').prepend(strip)"))
    assert {card["id"]: card["x"] for card in strip.visible()} == pytest.approx(before, abs=1)
    strip.must_be_right()


def test_a_billion_items_from_right_to_left_end_exactly(open_page):
    page = open_page("/")
    page.evaluate("() => { document.documentElement.dir = 'rtl' }")
    strip = made_with(page, "billion")
    strip.scroll_to(offset=1e15)
    left = strip.evaluate("(strip) => strip.getBoundingClientRect().left")
    edge = strip.card(999_999_999).evaluate("(node) => node.getBoundingClientRect().left")
    assert abs(edge - left) <= 1


def test_autoplay_steps_until_it_is_paused(open_page):
    page = open_page("about:blank")
    page.clock.install()
    page.goto("/")
    strip = made_with(page, "albums", autoplay=STEP, step="item")
    page.mouse.move(5, 5)
    strip.rest(lambda: page.clock.run_for(STEP + 100))
    assert abs(strip.offset - 190) <= 1
    button = page.get_by_role("button", name="Pause")
    button.click()
    page.clock.run_for(STEP + 100)
    assert abs(strip.offset - 190) <= 1
    page.mouse.move(5, 5)
    page.get_by_role("button", name="Play").click()
    page.mouse.move(5, 700)
    strip.rest(lambda: page.clock.run_for(STEP + 100))
    assert abs(strip.offset - 380) <= 1


@pytest.mark.parametrize("where", ["strip", "Next", "Pause", "dots"])
@pytest.mark.parametrize("why", ["focus", "pointer"])
def test_autoplay_waits_while_the_strip_or_its_controls_are_in_use(open_page, why, where):
    page = open_page("about:blank")
    page.clock.install()
    page.goto("/")
    strip = made_with(page, "albums", autoplay=STEP, step="item", controls="next dots")
    controls = page.locator("carousel-strip [part=controls]")
    place = {
        "strip": strip.card(0),
        "dots": controls.locator("[part=dot]").nth(3),
        "Next": controls.get_by_role("button", name="Next"),
        "Pause": page.get_by_role("button", name="Pause"),
    }[where]
    place.focus() if why == "focus" else place.hover()
    page.clock.run_for(STEP + 100)
    assert strip.offset == 0


def test_autoplay_is_off_with_reduced_motion(open_page):
    page = open_page("/", reduced_motion="reduce")
    made_with(page, "albums", autoplay="3000")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)


def test_at_rest_the_document_is_in_reading_order(open_strip):
    strip = open_strip("elements")
    order = "(strip) => [...strip.querySelectorAll('li:not([hidden])')].map((node) => Number(node.dataset.index))"
    for px in [700, 3000, -1500]:
        strip.by(px)
        indices = strip.evaluate(order)
        assert indices == sorted(indices)
    card = strip.visible()[2]["index"]
    strip.card(card).focus()
    strip.by(400)
    expect(strip.card(card)).to_be_focused()
    indices = strip.evaluate(order)
    assert indices == sorted(indices)


# Scrolls at random, with rest in between. Counts the cards that were removed from the document although they were in view
# before and after. The random numbers are those of an LCG, from `seed`.
REMOVALS = """async (strip, { scrolls, seed }) => {
  const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
  const cards = () => new Map([...strip.querySelectorAll("[data-index]")].map((node) => [node, node.dataset.id]));
  let removed = [];
  const collect = (changes) => removed.push(...changes.flatMap((change) => [...change.removedNodes]));
  const observer = new MutationObserver(collect);
  observer.observe(strip.querySelector("ul"), { childList: true });
  let count = 0;
  for (let k = 0; k < scrolls; k += 1) {
    const before = cards();
    removed = [];
    const settled = new Promise((resolve) => strip.addEventListener("settle", resolve, { once: true }));
    const former = strip.offset;
    strip.scrollBy({ left: (random() - 0.45) * 1.5 * strip.clientWidth, behavior: "instant" });
    if (strip.offset === former) continue;
    await settled;
    collect(observer.takeRecords());
    count += removed.filter((node) => before.has(node) && before.get(node) === cards().get(node)).length;
  }
  return count;
}"""


@pytest.mark.parametrize("name", ["elements", "billion"])
def test_a_card_that_stays_in_view_is_never_removed_for_the_reading_order(open_strip, name):
    strip = open_strip(name)
    scrolls = int(os.environ.get("SCROLLS", 40))
    assert strip.evaluate(REMOVALS, {"scrolls": scrolls, "seed": 7}) == 0


def test_after_a_jump_the_document_is_in_reading_order_with_items_loaded_later(open_strip):
    strip = open_strip("billion")
    for index in [500, 2500, 700_000_000]:
        strip.scroll_to(index=index)
        strip.page.wait_for_function(
            """(index) => {
              const strip = document.querySelector("carousel-strip");
              const indices = [...strip.querySelectorAll("li:not([hidden])")].map((node) => +node.dataset.index);
              const isWhole = indices[0] < index && indices.at(-1) * 1 === strip.items.at(-1).index;
              return isWhole && indices.every((one, k) => !k || one === indices[k - 1] + 1);
            }""",
            arg=index,
        )


def test_the_label_of_a_card_has_its_position(open_strip):
    strip = open_strip("albums")
    expect(strip.page.get_by_role("option", name="Blue, Joni Mitchell, 7 of 50")).to_be_visible()
    expect(strip.element).to_have_attribute("aria-roledescription", "carousel")


def test_images_are_requested_at_the_density_of_the_screen(open_page):
    page = open_page("/?strip=albums", device_scale_factor=2)
    page.route("**/picture*", lambda route: route.fulfill(path="Public/covers/a0.svg", content_type="image/svg+xml"))
    page.route("**/window?*", lambda route: fulfil_with_width(route))
    strip = made_with(page, "albums")
    expect(strip.card(0).locator("img")).to_have_js_property("currentSrc", page.url.split("/?")[0] + "/picture-360.svg")


def fulfil_with_width(route):
    answer = route.fetch()
    body = answer.json()
    for item in body["items"]:
        item["fields"]["image"] = "/picture-{w}.svg"
    route.fulfill(response=answer, body=json.dumps(body))


def test_a_repeated_arrow_key_moves_from_card_to_card(open_page):
    strip = Strip(open_page("/?strip=billion", reduced_motion="reduce"), "billion")
    strip.settle()
    first = strip.evaluate("(strip) => strip.items[0].index")
    # Without a loaded next item, an arrow key scrolls by a page. Answers may arrive in any order.
    strip.page.wait_for_function(f"(index) => {SELECTOR}.loadedItems.filter((item) => item.index >= index && item.index <= index + 20).length === 21", arg=first)
    strip.card(first).focus()
    for _ in range(20):
        strip.page.keyboard.down("ArrowRight")
    strip.page.keyboard.up("ArrowRight")
    expect(strip.card(first + 20)).to_be_focused()
    strip.settle()
    strip.must_be_right()


def test_an_offset_that_is_not_a_number_scrolls_to_the_start(open_strip):
    strip = open_strip("albums")
    strip.scroll_to(offset=2000)
    strip.evaluate("(strip) => strip.scrollTo({ offset: NaN })")
    strip.settle()
    assert strip.offset == 0
    strip.must_be_right()


def test_a_kind_without_a_template_has_the_default_card(open_page):
    page = open_page("/?strip=albums")
    page.evaluate(
        """async () => {
          await import("/js/embed.js");
          const made = document.createElement("carousel-strip");
          made.innerHTML = '<template data-kind="heading"><p>{title}</p></template>';
          made.strip = "albums";
          document.querySelector("carousel-strip").replaceWith(made);
        }"""
    )
    strip = Strip(page, "albums")
    strip.settle()
    strip.must_be_right()


def test_a_finger_stops_a_marquee(open_page):
    strip = made_with_marquee(open_page("/", has_touch=True), 60)
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').offset > 5")
    touch = strip.page.context.new_cdp_session(strip.page)
    box = strip.element.bounding_box()
    point = {"x": box["x"] + 200, "y": box["y"] + 60}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').isTouched")
    held = strip.offset
    still = "(strip) => new Promise((done) => { let n = 30; const frame = () => n-- ? requestAnimationFrame(frame) : done(strip.offset); frame(); })"
    assert strip.evaluate(still) == pytest.approx(held, abs=2)


def test_offline_cards_stay_and_a_notice_is_shown(open_page):
    strip = Strip(open_page("/?strip=billion", complains=True), "billion")
    strip.settle()
    strip.page.context.set_offline(True)
    strip.evaluate("(strip) => strip.scrollTo({ offset: 1e6 })")
    expect(strip.page.get_by_role("status")).to_contain_text("No answer")
    strip.page.context.set_offline(False)
    strip.settle()
    expect(strip.page.get_by_role("status")).to_be_empty()
    strip.must_be_right()


def test_a_jump_while_offline_ends_once_the_server_is_back(open_page):
    strip = Strip(open_page("/?strip=billion", complains=True), "billion")
    strip.settle()
    strip.page.context.set_offline(True)
    strip.evaluate("(strip) => { window.landed = false; strip.scrollTo({ index: 5e8 }).then(() => (window.landed = true)) }")
    expect(strip.page.get_by_role("status")).to_contain_text("No answer")
    strip.page.context.set_offline(False)
    strip.page.wait_for_function("() => window.landed")
    strip.settle()
    assert strip.visible()[0]["index"] == 500_000_000
    strip.must_be_right()


@pytest.mark.parametrize("status", [429, 503, 502])
def test_a_failed_request_is_retried_after_retry_after_with_a_skeleton_and_a_notice_until_then(open_page, status):
    page = open_page("about:blank", complains=True)
    page.goto("/galleries/albums.html")
    headers = {"Retry-After": "2"} if status != 502 else {}
    problem = {"status": status, "detail": "not now", "parameter": "strip"}
    page.route("**/window?*", lambda route: route.fulfill(status=status, headers=headers, json=problem))
    page.reload()
    strip = Strip(page, "albums")
    expect(strip.element).to_have_attribute("data-waiting", "")
    expect(page.locator("[part=notice]")).to_contain_text("No answer")
    page.unroute("**/window?*")
    strip.settle()
    expect(page.locator("[part=notice]")).to_be_empty()
    expect(strip.element).not_to_have_attribute("data-waiting", "")
    strip.must_be_right()
    asked = page.evaluate(
        "() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/window?')).map(({ startTime }) => startTime)"
    )
    assert asked[1] - asked[0] >= (1990 if headers else 490)


def test_a_strip_whose_revisions_are_lost_repeatedly_is_requested_after_a_delay(open_page):
    strip = Strip(open_page("/?strip=albums"), "albums")
    strip.settle()
    strip.page.clock.install()
    strip.evaluate(
        """(strip) => {
          window.reloads = 0;
          strip.addEventListener("beforereload", (event) => { window.reloads += 1; event.preventDefault(); });
          window.lose = () => { strip.emit("error", { status: 410 }); return window.reloads; };
        }"""
    )
    assert strip.page.evaluate("() => [window.lose(), window.lose()]") == [1, 1]
    strip.page.clock.run_for(600)
    assert strip.page.evaluate("() => [window.reloads, window.lose()]") == [2, 2]
    strip.page.clock.run_for(1100)
    assert strip.page.evaluate("() => window.reloads") == 3


def test_a_page_that_prevents_a_reload_requests_the_windows_itself(open_page):
    strip = made_with(open_page("/"), "elements")
    asked = strip.evaluate("""(strip) => {
      const asked = [], { refetch } = strip;
      strip.refetch = (...rest) => asked.push(rest.length);
      strip.reload();
      strip.addEventListener("beforereload", (event) => event.preventDefault());
      strip.reload();
      strip.refetch = refetch;
      return asked;
    }""")
    assert asked == [2]


REFUSED = "The server refuses the request."


@pytest.mark.parametrize(("status", "parameter", "notice"), [
    (404, "strip", "There is no such strip."), (404, "list", "not so"), (401, None, "not so"), (422, "where", "not so"),
    (403, None, REFUSED),
])
def test_a_rejected_request_is_not_repeated(open_page, status, parameter, notice):
    page = open_page("about:blank", complains=True)
    page.clock.install()
    asked = []

    def reject(route):
        asked.append(route.request.url)
        route.fulfill(status=status, json={"status": status, **({"detail": "not so"} if notice != REFUSED else {}), "parameter": parameter})

    page.route("**/window?*", reject)
    page.goto("/galleries/albums.html")
    expect(page.locator("[part=notice]")).to_have_text(notice)
    assert page.locator("carousel-strip[data-waiting]").count() == 0
    page.clock.fast_forward(120_000)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert len(asked) == 1


def test_a_failed_reload_keeps_the_cards_and_the_strip_settles(open_page):
    strip = Strip(open_page("/?strip=albums", complains=True), "albums")
    strip.settle()
    strip.page.route("**/window?*", lambda route: route.fulfill(status=404, json={"status": 404, "detail": "none"}))
    strip.after("error", lambda: strip.evaluate("(strip) => strip.reload()"))
    strip.page.unroute("**/window?*")
    strip.by(700)
    strip.must_be_right()


@pytest.fixture
def changing(tmp_path):
    """A server of a strip `s` of 400 items, and a function that replaces them."""
    database, file = tmp_path / "s.db", tmp_path / "s.jsonl"

    def write(items, *more):
        file.write_text("".join(json.dumps(item) + "\n" for item in items))
        run("import", file, "--database", database, "--strip", "s", "--gap", "8", *more)

    items = [{"id": f"i{n}", "width": 80 + n * 13 % 100, "fields": {"title": f"Item {n}"}} for n in range(400)]
    write(items)
    with serving("--database", database) as address:
        yield address, items, lambda changed: write(changed, "--replace")


def test_a_new_revision_keeps_items_in_view_in_place(open_page, changing):
    address, items, replace = changing
    strip = Strip(open_page(f"{address}/?strip=s", base_url=address, complains=True), "s")
    strip.settle()
    strip.scroll_to(offset=5000)
    before = {card["id"]: card["x"] for card in strip.visible()}
    first = next(iter(before))
    revision = strip.window()["revision"]
    new = [{"id": f"new{n}", "width": 200, "fields": {"title": f"New {n}"}} for n in range(9)]
    replace(new + [item for item in items if item["id"] != first])
    strip.await_revision_after(revision)
    strip.evaluate("(strip) => { for (const node of strip.querySelectorAll('li')) node.mark = node.dataset.id }")
    strip.after("reload", lambda: strip.evaluate("(strip) => strip.reload()"))
    strip.must_be_right()
    after = {card["id"]: card["x"] for card in strip.visible()}
    still = before.keys() & after.keys()
    assert len(still) == len(before) - 1
    for id in still:
        assert abs(after[id] - before[id]) <= 1
        assert strip.element.locator(f"li[data-id='{id}']").evaluate("(node) => node.mark") == id


# MARK: Initial position, and positions that are kept


@pytest.mark.parametrize("attributes, index, align", [
    ({"initial-index": "20"}, 20, "start"),
    ({"initial-item": "a20", "snap": "center"}, 20, "center"),
    ({"initial-index": "30", "snap": "start"}, 30, "start"),
    ({"initial-index": "30", "snap": "center", "loop": ""}, 30, "center"),
])
def test_it_starts_at_an_item(open_page, attributes, index, align):
    strip = made_with(open_page("/"), "albums", **attributes)
    place = strip.window(index=index, align=align, width=strip.width)
    strip.page.wait_for_function("(offset) => Math.abs(document.querySelector('carousel-strip').offset - offset) <= 1", arg=place["offset"])
    strip.settle()
    strip.must_be_right()


@pytest.mark.parametrize("snap", ["center", "end", "start"])
def test_an_aligned_item_stays_aligned_when_the_strip_is_resized(open_page, snap):
    strip = made_with(open_page("/"), "albums", snap=snap)
    strip.by(3000)
    id = strip.evaluate("(strip) => strip.current.id")
    for width in [1100, 700, 1500]:
        strip.page.set_viewport_size({"width": width, "height": 800})
        strip.settle()
        item = strip.evaluate("(strip, id) => strip.items.find((item) => item.id === id)", id)
        place = strip.window(item=id, align=snap, width=strip.width)
        assert abs(strip.offset - place["offset"]) <= 1
        assert strip.evaluate("(strip) => strip.current.id") == item["id"] == id


@pytest.mark.parametrize(("where", "index"), [("id IN [a0, a1]", 0), ("id IN [a0, a1]", 1), ("id IN [a0, a1, a2]", 0), ("id IN [a0, a1, a2]", 1), ("year > 0", 40)])
def test_the_current_item_stays_current_when_the_screen_is_rotated(open_page, where, index):
    upright, across = {"width": 375, "height": 812}, {"width": 812, "height": 375}
    page = open_page("/", viewport=upright)
    attributes = {"snap": "center", "inset": "center", "selection": "current", "initial-index": str(index)}
    strip = made_with(page, "albums", where=where, **attributes)
    for size in [across, upright] * 2:
        page.set_viewport_size(size)
        page.wait_for_function("([width]) => document.querySelector('carousel-strip').clientWidth <= width && innerWidth === width", arg=[size["width"]])
        strip.settle()
        assert strip.evaluate("(strip) => [strip.current.index, strip.selected.index]") == [index, index]
        assert strip.evaluate("(strip) => Math.abs(strip.offsetOf(strip.current) - strip.offset)") < 1


@pytest.mark.parametrize("snap", ["center", "end"])
def test_an_aligned_item_stays_aligned_when_the_strip_outgrows_its_windows(open_page, snap):
    page = open_page("/", viewport={"width": 360, "height": 800})
    strip = made_with(page, "albums", snap=snap, **{"initial-index": "20"})
    for width in [1500, 360, 1280]:
        page.set_viewport_size({"width": width, "height": 800})
        strip.settle()
        assert strip.evaluate("(strip) => strip.current.index") == 20
        place = strip.window(index=20, align=snap, width=strip.width)
        assert abs(strip.offset - place["offset"]) <= 1


def test_a_strip_that_grew_does_not_come_to_rest_before_its_larger_windows_are_loaded(open_page):
    page = open_page("/", viewport={"width": 360, "height": 800})
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


@pytest.mark.parametrize("name, index", [("albums", 30), ("elements", 90), ("billion", 500_000_000)])
def test_with_snap_a_jump_aligns_the_item(open_page, name, index):
    strip = made_with(open_page("/"), name, snap="center")
    strip.scroll_to(index=index)
    assert strip.evaluate("(strip) => strip.current.index") == index
    place = strip.window(index=index, align="center", width=strip.width)
    assert abs(strip.offset - place["offset"]) <= 1


def test_without_snap_a_resize_keeps_the_offset(open_page):
    strip = made_with(open_page("/"), "albums")
    strip.by(1234)
    for width in [1100, 500, 1700]:
        strip.page.set_viewport_size({"width": width, "height": 800})
        strip.settle()
        assert abs(strip.offset - 1234) <= 1
        strip.must_be_right()


@pytest.mark.parametrize("width, count", [(1280, 5), (500, 2.3)])
def test_cards_per_view_by_breakpoint(open_page, width, count):
    page = open_page("/", viewport={"width": 900, "height": 800})
    page.evaluate(
        """() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync("carousel-strip { --per-view: 5 } @media (width < 800px) { carousel-strip { --per-view: 2.3 } }");
          document.adoptedStyleSheets = [sheet];
        }"""
    )
    strip = made_with(page, "albums")
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_function(
        """(count) => {
          const { items, clientWidth } = document.querySelector("carousel-strip");
          const [one, next] = items;
          const gap = next && next.start - one.start - one.size;
          const shown = next && (clientWidth + gap) / (next.start - one.start);
          return shown >= count && shown < count + 0.1;
        }""",
        arg=count,
    )


def test_other_cards_per_view_at_the_same_width(open_page):
    page = open_page("/")
    made_with(page, "albums")
    for count in [5, 3]:
        page.evaluate(
            """(count) => {
              const sheet = new CSSStyleSheet();
              sheet.replaceSync(`carousel-strip { --per-view: ${count} }`);
              document.adoptedStyleSheets = [sheet];
            }""",
            count,
        )
        page.wait_for_function(
            """(count) => {
              const { items: [one, next], clientWidth } = document.querySelector("carousel-strip");
              return Math.abs((clientWidth + next.start - one.start - one.size) / (next.start - one.start) - count) < 0.1;
            }""",
            arg=count,
        )


# MARK: Autoplay


def test_a_marquee_moves_steadily_and_never_settles(open_page):
    page = open_page("/")
    page.mouse.move(5, 5)
    strip = made_with_marquee(page, 200)
    page.wait_for_function("() => document.querySelector('carousel-strip').offset > 100")
    places = strip.evaluate(
        """async (strip) => {
          const places = [];
          for (let k = 0; k < 30; k += 1) {
            const now = await new Promise(requestAnimationFrame);
            places.push([now, strip.offset]);
          }
          return places;
        }"""
    )
    offsets = [offset for _, offset in places]
    assert offsets == sorted(offsets) and len(set(offsets)) > 5
    assert page.evaluate("() => window.told") == []
    page.get_by_role("button", name="Pause").click()
    page.mouse.move(5, 5)
    strip.settle()
    assert ["settle", strip.evaluate("(strip) => strip.current.id")] in page.evaluate("() => window.told")


def made_with_marquee(page, speed):
    """A strip with a marquee, which is never at rest."""
    page.evaluate(
        """(speed) => {
          const former = document.querySelector("carousel-strip");
          const made = document.createElement("carousel-strip");
          made.append(former.querySelector("template[data-kind=card]").cloneNode(true));
          window.told = [];
          made.autoplay = `marquee ${speed}`;
          made.loop = true;
          made.strip = "albums";
          former.replaceWith(made);
          made.addEventListener("reload", () => {
            made.addEventListener("settle", ({ detail }) => window.told.push(["settle", detail.id]));
          }, { once: true });
        }""",
        speed,
    )
    return Strip(page, "albums")


def test_autoplay_waits_while_the_page_is_hidden(open_page):
    page = open_page("about:blank")
    page.clock.install()
    page.goto("/")
    strip = made_with(page, "albums", autoplay=STEP, step="item")
    page.mouse.move(5, 5)
    page.evaluate("() => Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })")
    page.clock.run_for(STEP + 100)
    assert strip.offset == 0
    page.evaluate("() => { delete document.hidden }")
    strip.rest(lambda: page.clock.run_for(STEP + 100))
    assert strip.offset > 0


def test_autoplay_returns_from_the_end_to_the_start(open_page):
    page = open_page("about:blank", reduced_motion="no-preference")
    page.clock.install()
    page.goto("/")
    strip = made_with(page, "albums", autoplay=STEP)
    page.mouse.move(5, 5)
    strip.scroll_to(offset=1e9)
    page.clock.run_for(STEP + 100)
    page.wait_for_function("() => document.querySelector('carousel-strip').offset < 100")


def test_a_marquee_returns_from_the_end_to_the_start(open_page):
    page = open_page("/")
    page.mouse.move(5, 5)
    strip = made_with(page, "albums", **{"initial-index": "49"})
    strip.evaluate("(strip) => { strip.autoplay = 'marquee 40' }")
    # It stands at the end until it returns. A busy browser may draw its next frame seconds later.
    page.wait_for_function("() => { const { offset, maxOffset } = document.querySelector('carousel-strip'); return offset > 0 && offset < maxOffset / 2 }")


@pytest.mark.parametrize("value", ["soon", "-3000", "marquee", ""])
def test_an_invalid_autoplay_is_off(open_page, value):
    page = open_page("/")
    made_with(page, "albums", autoplay=value)
    expect(page.locator("[part=pause]")).to_have_count(0)


def test_autoplay_follows_a_change_of_reduced_motion(open_page):
    page = open_page("/")
    made_with(page, "albums", autoplay="30000")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)


# MARK: Selection, display, images


def test_with_selection_none_neither_tap_nor_key_selects(open_page):
    strip = made_with(open_page("/"), "albums", selection="none")
    strip.evaluate(LISTEN, ["select"])
    strip.card(1).click()
    strip.card(2).focus()
    strip.page.keyboard.press("Enter")
    strip.evaluate("(strip) => strip.select(3)")
    expect(strip.card(3)).to_have_attribute("aria-selected", "true")
    assert told(strip) == [["select", "a3"]]


def test_events_bubble(open_page):
    page = open_page("about:blank")
    page.add_init_script(
        """window.heard = new Set();
        const types = ["windowchange", "willdisplay", "enddisplay", "select", "deselect", "settle", "reload", "error", "impression"];
        for (const type of types) document.addEventListener(type, () => window.heard.add(type));"""
    )
    page.goto("/")
    strip = made_with(page, "albums")
    strip.card(1).click()
    strip.evaluate("(strip) => strip.deselect()")
    strip.by(4000)
    strip.evaluate("(strip) => strip.dispatchEvent(new CustomEvent('error', { bubbles: true }))")
    page.wait_for_function("() => window.heard.size === 9")


def test_hidden_nodes_are_inert(open_strip):
    strip = open_strip("albums")
    strip.by(3000)
    strip.scroll_to(offset=1e9)
    nodes = strip.evaluate("(strip) => [...strip.querySelectorAll('li')].map(({ hidden, inert }) => [hidden, inert])")
    assert [True, True] in nodes and [False, False] in nodes
    assert all(hidden == inert for hidden, inert in nodes)


def test_images_in_view_load_at_once_the_first_one_with_high_priority_others_lazily(open_page):
    strip = made_with(open_page("/", viewport={"width": 600, "height": 800}), "albums")
    cards = strip.evaluate(
        """(strip) => [...strip.querySelectorAll("li:not([hidden])")].map((node) => {
          const { loading, fetchPriority } = node.querySelector("img");
          return [Number(node.dataset.index), loading, fetchPriority];
        })"""
    )
    view = {card["index"] for card in strip.visible()}
    assert len(cards) > len(view)
    for index, loading, priority in cards:
        assert loading == ("eager" if index in view else "lazy"), index
        assert priority == ("high" if index == 0 else "auto"), index


def test_an_item_makes_one_impression_for_a_page_view_in_all_elements(open_page):
    page = open_page("about:blank")
    page.clock.install()
    page.add_init_script("window.seen = []; document.addEventListener('impression', ({ detail }) => window.seen.push(detail.id))")
    page.goto("/?strip=albums")
    Strip(page, "albums").settle()
    page.clock.run_for(1500)
    page.wait_for_function("() => window.seen.length > 3")
    before = page.evaluate("() => window.seen.length")
    strip = made_with(page, "albums")
    page.clock.run_for(1500)
    strip.by(3000)
    page.clock.run_for(1500)
    page.wait_for_function("(count) => window.seen.length > count", arg=before)
    ids = page.evaluate("() => window.seen")
    assert len(set(ids)) == len(ids)


# MARK: Hidden strips, narrow parents, and positions

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


def test_a_jump_while_offline_resolves_and_is_made_once_the_server_is_back(open_page):
    strip = Strip(open_page("/?strip=billion", complains=True), "billion")
    strip.arrive()
    strip.page.context.set_offline(True)
    strip.evaluate("(strip) => strip.scrollTo({ index: 5e8 })")
    assert strip.offset == 0
    strip.page.context.set_offline(False)
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').items.some(({ index }) => index === 5e8)")
    strip.settle()
    assert strip.visible()[0]["index"] == 500_000_000
    strip.must_be_right()


@pytest.mark.parametrize("parent", ["display: inline-block", "float: left", "width: fit-content", "display: flex", "display: inline-grid"])
def test_a_strip_is_seen_in_a_parent_as_wide_as_its_content(open_page, parent):
    page = open_page("/")
    page.evaluate(
        """(style) => {
          const former = document.querySelector("carousel-strip"), made = document.createElement("carousel-strip");
          const parent = document.createElement("div");
          parent.style = style;
          made.append(...former.querySelectorAll("template"));
          made.strip = "billion";
          parent.append(made);
          former.replaceWith(parent);
        }""",
        parent,
    )
    strip = Strip(page, "billion")
    strip.arrive()
    assert 300 < strip.width <= 1280
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280
    strip.must_be_right()


@pytest.mark.parametrize("attributes", [{"loop": ""}, {"loop": "", "selection": "current"}, {"inset": "center"}])
def test_a_strip_that_snaps_to_the_centre_starts_with_its_first_item_there(open_page, attributes):
    strip = made_with(open_page("/"), "albums", snap="center", **attributes)
    card = strip.card(0).bounding_box()
    box = strip.element.bounding_box()
    assert card["x"] + card["width"] / 2 == pytest.approx(box["x"] + box["width"] / 2, abs=1)
    assert strip.evaluate("(strip) => strip.current.index") == 0


def test_an_inset_is_the_space_before_the_first_item_and_after_the_last(open_page):
    strip = made_with(open_page("/"), "albums", inset="40", controls="previous next scrubber")
    box, first = strip.element.bounding_box(), strip.card(0).bounding_box()
    assert first["x"] - box["x"] == pytest.approx(40, abs=1)
    expect(strip.page.locator("carousel-strip [part=controls]").get_by_role("button", name="Previous")).to_have_attribute("aria-disabled", "true")
    strip.card(0).focus()
    strip.rest(lambda: strip.page.keyboard.press("End"))
    last = strip.card(49).bounding_box()
    assert box["x"] + box["width"] - last["x"] - last["width"] == pytest.approx(40, abs=1)
    strip.rest(lambda: strip.page.keyboard.press("Home"))
    assert strip.card(0).bounding_box()["x"] - box["x"] == pytest.approx(40, abs=1)


# MARK: The marquee


def test_turning_on_the_marquee_moves_nothing_else_and_it_runs(open_strip):
    strip = open_strip("albums")
    before = strip.element.bounding_box()
    switches(strip.page).get_by_label("Marquee").click()
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').offset > 5")
    assert strip.element.bounding_box() == before
    expect(strip.page.get_by_role("button", name="Pause")).to_be_in_viewport()


def test_a_marquee_goes_on_after_a_tap(open_page):
    page = open_page("/galleries/cards.html", has_touch=True, is_mobile=True, viewport={"width": 400, "height": 800})
    strip = Strip(page, "albums")
    strip.arrive()
    page.get_by_label("Marquee").tap()
    page.wait_for_function("() => document.querySelector('carousel-strip').offset > -20")
    box = strip.element.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 60)
    page.wait_for_function("() => document.querySelector('carousel-strip').selected")
    for _ in range(2):
        offset = strip.offset
        page.wait_for_function("(offset) => document.querySelector('carousel-strip').offset > offset + 20", arg=offset)


@pytest.mark.parametrize("snap", ["", "center"])
def test_a_strip_settles_after_a_movement_whose_end_the_browser_does_not_report(open_strip, snap):
    strip = open_strip("albums")
    strip.evaluate("(strip, snap) => { if (snap) strip.snap = snap; strip.viewport.addEventListener('scrollend', (event) => event.stopImmediatePropagation(), true); }", snap)
    strip.settle()
    strip.rest(lambda: strip.evaluate("(strip) => strip.viewport.scrollBy(1000, 0)"))
    assert strip.offset > 900
    strip.must_be_right()


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
