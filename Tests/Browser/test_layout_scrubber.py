"""The scrubber and the notice of a list, a grid or rows."""

import pytest

from test_layouts import BOUNDED, COUNT, LAYOUTS, database, open_wall, server  # noqa: F401, fixtures

pytestmark = pytest.mark.alone

PARTS = """(strip) => Object.fromEntries([...strip.shadowRoot.querySelectorAll("[part]")].map((node) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  const isVisible = node.checkVisibility({ visibilityProperty: true });
  return [node.part.value, { left, right, top, bottom, text: node.textContent, isVisible }];
}))"""

# Whether the last character of a title, which is this text, is left of the first one.
MARK_IS_LEFT = """(strip, text) => {
  const title = strip.shadowRoot.querySelector("[part=titles] > span > span:not([hidden])");
  title.textContent = text;
  const leftOf = (k) => {
    const range = document.createRange();
    range.setStart(title.firstChild, k);
    range.setEnd(title.firstChild, k + 1);
    return range.getBoundingClientRect().left;
  };
  return leftOf(text.length - 1) < leftOf(0);
}"""


@pytest.fixture
def open_scrubber(open_wall):
    def open_scrubber(settle=True, **options):
        wall = open_wall(settle=settle, **{"controls": "scrubber", **LAYOUTS["rows"], **options})
        if settle:
            wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=titles]').hasChildNodes()")
            wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=scrubber]').clientHeight > 300")
            wall.settle()
        return wall

    return open_scrubber


def test_the_scrubber_is_down_the_side(open_scrubber):
    wall = open_scrubber(css=BOUNDED, controls="previous scrubber next")
    box = wall.evaluate("""(strip) => {
      const { width, height, right } = strip.shadowRoot.querySelector("[part=scrubber]").getBoundingClientRect();
      return { width, height, inset: strip.getBoundingClientRect().right - right };
    }""")
    assert box["height"] > 300 > 60 > box["width"] and box["inset"] < 20
    wall.must_be_right()
    page = wall.engine.page
    slider = page.locator("carousel-strip input[type=range]")
    slider.focus()
    page.keyboard.press("End")
    wall.settle()
    assert wall.card(COUNT - 1)
    wall.must_be_right()
    end = wall.offset
    for key, part in [("PageUp", 0.9), ("PageUp", 0.8), ("PageDown", 0.9), ("ArrowUp", 0.89)]:
        page.keyboard.press(key)
        wall.settle()
        assert wall.offset / end == pytest.approx(part, abs=0.005), key


@pytest.mark.parametrize("dir", ["ltr", "rtl"])
def test_the_scrubber_leads_down_in_both_directions_of_writing(open_scrubber, dir):
    wall = open_scrubber(css=BOUNDED, dir=dir, heading=40)
    place = wall.evaluate(PARTS)
    slider, titles = place["scrubber"], place["titles"]
    page = wall.engine.page
    for part in [0.1, 0.7]:
        page.mouse.click((slider["left"] + slider["right"]) / 2, slider["top"] + part * (slider["bottom"] - slider["top"]))
        wall.settle()
        assert abs(wall.evaluate("(strip) => strip.offset / strip.maxOffset") - part) < 0.05
    assert titles["right"] <= slider["left"] + 1 if dir == "ltr" else titles["left"] >= slider["right"] - 1
    for text, isMarkLeft in [("עברית!", True), ("Latin!", False)]:
        assert wall.evaluate(MARK_IS_LEFT, text) == isMarkLeft


@pytest.mark.parametrize("width, dir", [(390, "ltr"), (390, "rtl"), (1000, "ltr")])
def test_the_title_of_the_group_is_beside_the_thumb(open_scrubber, width, dir):
    wall = open_scrubber(width=width, dir=dir)
    wall.evaluate("(strip) => strip.shadowRoot.querySelector('[part=scrubber]').focus()")
    wall.press("PageDown")
    wall.press("PageDown")
    place = wall.evaluate(PARTS)
    bubble, slider = place["bubble"], place["scrubber"]
    assert bubble["isVisible"] and bubble["text"].startswith("Group")
    middle = slider["top"] + 0.2 * (slider["bottom"] - slider["top"])
    assert bubble["top"] < middle + 10 and bubble["bottom"] > middle - 10
    assert abs(bubble["right"] - slider["left"] if dir == "ltr" else bubble["left"] - slider["right"]) <= 1
    assert bubble["left"] >= 0 and bubble["right"] <= width


TOPS = "(strip) => [...strip.shadowRoot.querySelectorAll('[part=titles] > span > span:not([hidden])')].filter((title) => title.checkVisibility()).map((title) => title.getBoundingClientRect().top)"


def test_a_scrubber_takes_the_room_of_titles_only_where_groups_have_headings(open_scrubber):
    room = "(strip) => strip.getBoundingClientRect().right - strip.cardList.getBoundingClientRect().right"
    wall = open_scrubber()
    assert [wall.evaluate(room), wall.evaluate(TOPS)] == [52, []]
    wall = open_scrubber(heading=40)
    assert wall.evaluate(room) == 128
    # Titles below one another need only the room of a line.
    wall.wait_until(f"(strip) => {{ const tops = ({TOPS})(strip); return tops[2] && tops.slice(1).every((top, k) => top - tops[k] >= 20 && top - tops[k] < 96); }}")


@pytest.mark.parametrize("css, dir", [("", "rtl"), (BOUNDED, "ltr")])
def test_a_click_on_a_title_leads_to_the_start_of_its_group(open_scrubber, css, dir):
    wall = open_scrubber(heading=40, css=css, dir=dir)
    page = wall.engine.page
    first = {group["title"]: group["first"] for group in wall.get("strips/wall/groups")["groups"]}
    titles = page.locator("carousel-strip [part=titles] > span > span:not([hidden])", has_text="Group")
    for k in [2, 1]:  # down, and up
        index = first[titles.nth(k).text_content()]
        titles.nth(k).click()
        wall.wait_until("(strip, index) => strip.current.index === index && strip.nodeOf(index) && !strip.isWaiting", index)
        wall.settle()
        assert min(card["index"] for card in wall.state["cards"] if card["y"] > 39) == index


def test_the_scrubber_of_a_page_that_is_before_the_list_is_at_its_start(open_scrubber):
    wall = open_scrubber()
    wall.evaluate("() => scrollTo(0, 0)")
    wall.settle()
    said = "(strip) => [strip.shadowRoot.querySelector('[part=scrubber]').value, strip.shadowRoot.querySelector('[part=scrubber]').ariaValueText]"
    value, text = wall.evaluate(said)
    assert value == "0" and text.startswith("0%")
    wall.set(q="Item 1234")  # one row, less than the page
    wall.wait_until("(strip) => strip.meta.count === 1")
    wall.settle()
    value, text = wall.evaluate(said)
    assert value == "0" and text.startswith("0%")


def test_a_notice_is_in_view(open_scrubber):
    wall = open_scrubber()
    wall.scroll_to(index=2000)
    wall.evaluate("(strip) => { strip.q = 'nothing has this title' }")
    wall.wait_until("(strip) => strip.meta.count === 0 && strip.shadowRoot.querySelector('[part=notice]').textContent")
    notice = wall.evaluate(PARTS)["notice"]
    box = wall.evaluate("(strip) => strip.getBoundingClientRect().toJSON()")
    assert notice["text"] and box["top"] <= notice["top"] and notice["bottom"] <= box["bottom"]

    wall = open_scrubber()
    wall.scroll_to(index=2000)
    before = wall.evaluate("(strip) => strip.getBoundingClientRect().height")
    wall.engine.page.context.set_offline(True)
    wall.evaluate("(strip) => { strip.scrollTo({ index: 2500 }) }")
    wall.wait_until("(strip) => strip.shadowRoot.querySelector('[part=notice]').textContent")
    notice = wall.evaluate(PARTS)["notice"]
    assert 0 <= notice["top"] and notice["bottom"] <= 700
    assert wall.evaluate("(strip) => strip.getBoundingClientRect().height") == before
    wall.engine.page.context.set_offline(False)
    wall.engine.complaints.clear()  # the browser's own
