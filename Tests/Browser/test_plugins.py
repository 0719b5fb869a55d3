"""The plugins of a strip, alone and together."""

import json
import os

import pytest
from playwright.sync_api import expect

from strip import Strip, serve

SELECTOR = "document.querySelector('carousel-strip')"


def made_with(page, name="albums", **attributes):
    """Replaces the strip of the demo page, and its controls, by one with these attributes."""
    page.evaluate("""([name, attributes]) => {
      const former = document.querySelector("carousel-strip");
      const made = document.createElement("carousel-strip");
      made.append(...[...former.querySelectorAll("template")].map((one) => one.cloneNode(true)));
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      made.strip = name;
      (former.closest(".shelf") ?? former).replaceWith(made);
    }""", [name, attributes])
    strip = Strip(page, name)
    strip.arrive()
    return strip


REVERSED = """<!doctype html><html lang="en"><title>Reversed</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/css/strip.css">
<carousel-strip strip="albums" controls="previous dots next" indicator snap="start" autoplay="3600000"><template data-kind="card"><p>{title}</p></template></carousel-strip>
<script type="module">
  import { plugins } from "/js/element/carousel-strip.js";
  import { define } from "/js/element/define.js";
  const strip = document.querySelector("carousel-strip");
  strip.remove();
  define();
  const all = [...plugins].reverse();
  plugins.clear();
  for (const one of all) plugins.add(one);
  document.body.append(strip);
</script>"""


def test_a_draw_shows_the_same_in_any_order_of_the_plugins(open_page):
    page = open_page("about:blank")
    serve(page, "/reversed", REVERSED)
    page.goto("/reversed")
    strip = Strip(page, "albums")
    strip.arrive()
    strip.rest(lambda: strip.evaluate("(strip) => strip.select(3)"))
    assert strip.evaluate("""(strip) => {
      const { dataset, ariaSelected, ariaLabel, tabIndex } = strip.nodeOf(3);
      const { parentNode, lastElementChild } = strip.viewport;
      return [dataset.selected, ariaSelected, !!ariaLabel, tabIndex, lastElementChild.hidden, [...parentNode.children].map((one) => one.part.value)];
    }""") == ["", "true", True, 0, False, ["pause", "viewport", "controls", "notice"]]


def test_an_item_in_view_for_a_second_makes_one_impression(open_page):
    page = open_page("about:blank")
    page.add_init_script("""window.seen = [];
    for (const type of ["willdisplay", "impression"]) {
      document.addEventListener(type, ({ detail }) => {
        const at = performance.now();
        if (type === "impression") window.seen.push({ id: detail.id, at });
        else window.first ??= at;
      });
    }""")
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
        strip.page.wait_for_function("""(index) => {
          const strip = document.querySelector("carousel-strip");
          const indices = [...strip.querySelectorAll("li:not([hidden])")].map((node) => +node.dataset.index);
          const isWhole = indices[0] < index && indices.at(-1) * 1 === strip.items.at(-1).index;
          return isWhole && indices.every((one, k) => !k || one === indices[k - 1] + 1);
        }""", arg=index)


def test_images_are_requested_at_the_density_of_the_screen(open_page):
    page = open_page("/?strip=albums", device_scale_factor=2)
    page.route("**/picture*", lambda route: route.fulfill(path="Public/covers/a0.svg", content_type="image/svg+xml"))
    page.route("**/window?*", lambda route: fulfil_with_width(route))
    strip = made_with(page, "albums")
    expect(strip.card(0).locator("img")).to_have_js_property("currentSrc", page.url.split("/?")[0] + "/picture-480.svg")


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


def test_a_kind_without_a_template_has_the_default_card(open_page):
    page = open_page("/?strip=albums")
    page.evaluate("""async () => {
      await import("/js/embed.js");
      const made = document.createElement("carousel-strip");
      made.innerHTML = '<template data-kind="heading"><p>{title}</p></template>';
      made.strip = "albums";
      document.querySelector("carousel-strip").replaceWith(made);
    }""")
    strip = Strip(page, "albums")
    strip.settle()
    strip.must_be_right()


def test_events_bubble(open_page):
    page = open_page("about:blank")
    page.add_init_script("""window.heard = new Set();
    const types = ["windowchange", "willdisplay", "enddisplay", "select", "deselect", "settle", "reload", "error", "impression"];
    for (const type of types) document.addEventListener(type, () => window.heard.add(type));""")
    page.goto("/?strip=albums")
    strip = made_with(page, "albums")
    strip.card(1).click()
    strip.evaluate("(strip) => strip.deselect()")
    strip.by(4000)
    strip.evaluate("(strip) => strip.dispatchEvent(new CustomEvent('error', { bubbles: true }))")
    page.wait_for_function("() => window.heard.size === 9")


def test_other_items_at_the_same_indices_are_another_window(open_strip):
    strip = open_strip("elements", "&where=category=Actinide")
    strip.evaluate("""(strip) => new Promise((go) => {
      strip.addEventListener("windowchange", ({ detail: { items: [item] } }) => item.id === "La" && go());
      strip.where = "category = Lanthanide";
    })""")


def test_images_in_view_load_at_once_the_first_one_with_high_priority_others_lazily(open_page):
    strip = made_with(open_page("/?strip=albums", viewport={"width": 600, "height": 800}), "albums")
    cards = strip.evaluate("""(strip) => [...strip.querySelectorAll("li:not([hidden])")].map((node) => {
      const { loading, fetchPriority } = node.querySelector("img");
      return [Number(node.dataset.index), loading, fetchPriority];
    })""")
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
