"""Nodes are reused: there are as many as the pools need, and scrolling creates and removes none."""

import pytest

pytestmark = pytest.mark.alone


@pytest.mark.parametrize("name", ["billion", "elements"])
def test_after_warm_up_a_scroll_of_100_viewports_creates_no_element_and_shows_the_right_cards(open_strip, name):
    strip = open_strip(name, viewport={"width": 640, "height": 700})
    strip.scroll(12)
    strip.scroll_to(offset=0)
    strip.await_titles()
    before = strip.made
    there_and_back(strip)
    assert strip.made == before


def there_and_back(strip):
    """Scrolls through 100 viewports, with the right cards at each tenth. A shorter strip starts again at its first item."""
    left = 100
    while left > 0:
        count = min(left, 50)
        stops = strip.scroll(count)["stops"]
        assert len(stops) == count // 10
        for stop in stops:
            strip.must_show(stop["offset"], stop["cards"])
        left -= count
        if strip.evaluate("(strip) => strip.offset >= strip.maxOffset"):
            strip.scroll_to(offset=0)


@pytest.mark.parametrize(("name", "width"), [("albums", 2560), ("billion", 320), ("elements", 320), ("elements", 1280)])
def test_the_right_cards_are_at_the_right_places_and_nodes_never_exceed_the_pools_and_a_spare_of_each_kind(open_strip, name, width):
    strip = open_strip(name, viewport={"width": width, "height": 700})
    scrolled = strip.scroll(30, every=1)
    for stop in scrolled["stops"]:
        strip.must_show(stop["offset"], stop["cards"])
    most = scrolled["most"]
    pools = strip.figures["pools"]
    assert most.keys() <= pools.keys()
    for kind, count in most.items():
        assert count <= pools[kind] + 1


def test_the_first_nodes_are_those_of_the_server(open_strip):
    strip = open_strip("albums")
    assert strip.figures["reuses"] == 0
    shown = "(strip) => [...strip.querySelectorAll('li:not([hidden])')].every((node) => node.dataset.start)"
    assert strip.evaluate(shown)
    strip.must_be_right()


def test_an_ordinary_scroll_is_prefetched_and_a_billion_items_take_at_most_18_nodes(open_strip):
    strip = open_strip("billion")
    strip.page.mouse.move(9, 9)  # a first input: before it, a strip prefetches little
    blanks = strip.evaluate("""async (strip) => {
      const frame = () => new Promise(requestAnimationFrame);
      const fetch = window.fetch;
      let underWay = 0;
      window.fetch = (...request) => {
        underWay += 1;
        return fetch(...request).finally(() => { underWay -= 1; });
      };
      const blanks = [];
      for (let step = 0; step < 300; step += 1) {
        strip.scrollBy({ left: 80, behavior: "instant" });
        if (step > 12 && strip.isWaiting) blanks.push(strip.offset);
        do await frame(); while (underWay);
        await frame();
      }
      window.fetch = fetch;
      return blanks;
    }""")
    assert blanks == []
    assert strip.nodes() <= 18
