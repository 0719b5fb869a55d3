"""Another width or height changes the slots of items. A card that still shows its item is not filled again."""

from cases import case

# Marks every shown node, and records writes to the content of marked nodes.
MARK = """(strip) => {
  window.filled = [];
  for (const node of strip.querySelectorAll("li")) node.mark = node.hidden ? null : node.dataset.id;
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const node = (target.nodeType === 1 ? target : target.parentElement).closest("li");
      if (node && node !== target && node.mark) window.filled.push(node.mark);
    }
  }).observe(strip, { childList: true, characterData: true, attributes: true, subtree: true });
}"""

KEPT = """(strip) => [...strip.querySelectorAll("li:not([hidden])")]
  .filter((node) => node.mark && node.mark === node.dataset.id).map((node) => node.mark)"""


def test_a_resize_fills_no_card_again_that_is_still_right(open_strip):
    strip = open_strip("elements")
    strip.scroll_to(offset=2000)
    for width in [500, 900, 2000]:
        with case(width):
            before = {card["id"] for card in strip.visible()}
            strip.evaluate(MARK)
            pool = strip.figures["pool"]
            strip.page.set_viewport_size({"width": width, "height": 700})
            strip.page.wait_for_function("(p) => document.querySelector('carousel-strip').figures.pool !== p", arg=pool)
            strip.settle()
            after = {card["id"] for card in strip.visible()}
            still = before & after
            assert still
            assert still <= set(strip.evaluate(KEPT))
            assert not still & set(strip.page.evaluate("() => window.filled"))
            strip.must_be_right()


def test_once_a_strip_was_wide_no_width_creates_or_removes_a_node(open_strip):
    # From 1400 px on, the demo page has a greater height for its strips, and so another pool.
    strip = open_strip("albums", viewport={"width": 1390, "height": 700})
    strip.scroll(3)
    strip.await_titles()
    before = strip.made
    for width in [400, 1390, 900]:
        pool = strip.figures["pool"]
        strip.page.set_viewport_size({"width": width, "height": 700})
        strip.page.wait_for_function("(p) => document.querySelector('carousel-strip').figures.pool !== p", arg=pool)
        strip.settle()
        strip.scroll_to(offset=width * 3)
        strip.must_be_right()
    assert strip.made == before


def test_another_height_keeps_the_leading_item_and_its_node(open_strip):
    strip = open_strip("elements")
    strip.scroll_to(offset=1000)
    first = strip.visible()[0]
    strip.evaluate(MARK)
    strip.evaluate("(strip) => { strip.height = 120 }")
    strip.page.wait_for_function(
        "() => getComputedStyle(document.querySelector('carousel-strip')).getPropertyValue('--height') === '120px'"
    )
    strip.settle()
    now = strip.visible()[0]
    assert now["id"] == first["id"]
    assert abs(now["x"] - first["x"]) <= 1
    assert now["id"] in strip.evaluate(KEPT)
    items = strip.window(offset=strip.offset, width=strip.width, height=120)["items"]
    shown = {card["id"]: card for card in strip.visible()}
    for item in items:
        if item["id"] in shown:
            assert abs(shown[item["id"]]["x"] - (item["start"] - strip.offset)) <= 1
            assert abs(shown[item["id"]]["size"] - item["size"]) <= 1 / 16
    strip.evaluate("(strip) => { strip.height = null }")
    strip.page.wait_for_function(
        "() => getComputedStyle(document.querySelector('carousel-strip')).getPropertyValue('--height') !== '120px'"
    )
    strip.settle()
    strip.must_be_right()


def test_another_strip_is_drawn_from_its_start(open_strip):
    strip = open_strip("albums")
    strip.scroll_to(offset=3000)
    strip.evaluate("(strip) => { strip.strip = 'elements' }")
    strip.page.wait_for_selector("li[data-kind='element']:not([hidden])")
    strip.settle()
    strip.name = "elements"
    assert strip.offset == 0
    strip.must_be_right()
    assert strip.element.locator("li[data-kind='album']:not([hidden])").count() == 0


def test_a_resize_during_a_change_of_strip_draws_the_new_strip(open_strip):
    strip = open_strip("albums")
    held = []
    strip.page.route("**/window?strip=billion**", lambda route: held.append(route), times=1)
    with strip.page.expect_request("**/window?strip=billion**"):
        strip.evaluate("(strip) => { strip.strip = 'billion' }")
    strip.page.set_viewport_size({"width": 700, "height": 700})
    strip.page.wait_for_selector("li[data-kind='card']:not([hidden])")
    strip.name = "billion"
    strip.settle()
    strip.must_be_right()
