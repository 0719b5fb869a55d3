"""What a strip keeps while a page moves, removes, edits and fails: its place, the focus, the selection, attributes."""

import pytest
from playwright.sync_api import expect

from strip import Strip, show
from test_live import FRAMES, await_revision, catalogue, insert, live, served  # noqa: F401, fixtures

pytestmark = pytest.mark.alone

OBSERVED = """
window.observed = new Set();
window.ResizeObserver = class extends ResizeObserver {
  observe(node) { super.observe(node); if (node === document.body) window.observed.add(this); }
  disconnect() { super.disconnect(); window.observed.delete(this); }
};
"""


@pytest.fixture
def opened(open_page):
    """Opens a page with this HTML, and waits until its strip is at rest."""

    def opened(body, name="albums", script="", complains=False, **options):
        page = open_page("about:blank", complains=complains, **options)
        page.add_init_script(script)
        show(page, body, '<link rel="icon" href="data:,">')
        strip = Strip(page, name)
        strip.settle()
        return strip

    return opened


def hold(page):
    """Holds all requests for windows. Returns a function that sends them."""
    held = []
    page.route("**/window?**", lambda route: held.append(route))

    def release():
        page.route("**/window?**", lambda route: route.continue_())
        for route in held:
            route.continue_()

    return release


def test_a_card_that_arrives_late_does_not_take_the_focus_from_a_field(opened):
    strip = opened('<input><carousel-strip strip="billion"></carousel-strip>', "billion")
    strip.element.locator("li[tabindex='0']").focus()
    release = hold(strip.page)
    strip.page.keyboard.press("End")
    strip.page.locator("input").focus()
    release()
    strip.page.wait_for_function("() => { const { offset, maxOffset, isWaiting } = document.querySelector('carousel-strip'); return offset === maxOffset && !isWaiting; }")
    strip.settle()
    expect(strip.page.locator("input")).to_be_focused()


def test_a_layout_that_was_removed_observes_the_page_no_more(opened):
    strip = opened('<carousel-strip strip="albums" layout="list"></carousel-strip>', script=OBSERVED)
    assert strip.page.evaluate("() => window.observed.size") == 1
    assert strip.page.evaluate("() => { window.left = document.querySelector('carousel-strip'); window.left.remove(); return window.observed.size; }") == 0
    strip.page.evaluate("() => document.body.append(window.left)")
    strip.page.wait_for_function("() => window.observed.size === 1")


def test_a_custom_property_replaces_an_attribute_that_stays_the_page_s_own(opened):
    style = "<style>@media (width > 600px) { carousel-strip { --strip-snap: start } }</style>"
    strip = opened(f'{style}<carousel-strip strip="albums" snap="center"></carousel-strip>', viewport={"width": 900, "height": 600})
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').snap === 'start'")
    expect(strip.element).to_have_attribute("snap", "center")
    strip.evaluate("(strip) => { strip.snap = 'end' }")
    assert strip.evaluate("({ snap, alignment }) => [snap, alignment]") == ["start", "start"]
    strip.page.set_viewport_size({"width": 500, "height": 600})
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').clientWidth === document.querySelector('carousel-strip').getBoundingClientRect().width")
    strip.settle()
    strip.page.evaluate(FRAMES)
    assert strip.evaluate("({ snap, alignment }) => [snap, alignment]") == ["end", "end"]


def test_the_offset_is_right_after_a_draw_that_failed(opened):
    strip = opened('<carousel-strip strip="albums"></carousel-strip>', complains=True, viewport={"width": 500, "height": 600})
    offset = strip.evaluate("""async (strip) => {
      const failed = new Promise((go) => addEventListener("error", go, { once: true }));
      strip.axis.place = () => { throw new Error("a card"); };
      strip.requestDraw();
      await failed;
      delete strip.axis.place;
      strip.viewport.scrollLeft = 400;
      return strip.offset;
    }""")
    assert offset == 400


@pytest.mark.parametrize("other", [None, "albums"])
def test_a_jump_goes_on_after_the_strip_is_moved_unless_it_shows_another_one(opened, other):
    strip = opened('<carousel-strip strip="billion"></carousel-strip>', "billion")
    release = hold(strip.page)
    strip.evaluate("""async (strip, other) => {
      strip.scrollTo({ index: 500_000_000 });
      strip.remove();
      if (other) strip.strip = other;
      await new Promise(requestAnimationFrame);
      document.body.append(strip);
    }""", other)
    release()
    if other:
        strip.settle()
        assert strip.offset == 0
    else:
        strip.page.wait_for_function("() => document.querySelector('carousel-strip').offset > 1e9")
        strip.settle()
        assert strip.visible()[0]["index"] == 500_000_000


def test_the_newer_of_two_revisions_is_drawn_whichever_is_asked_for_last(live, catalogue):  # noqa: F811
    strip = live()
    strip.page.evaluate("() => window.hide(true)")  # a hidden page gets no event of the edits
    older = catalogue.edit(insert("older", before="i0"))
    newer = catalogue.edit(insert("newer", before="i0"))
    release = hold(strip.page)
    strip.evaluate("(strip, both) => { for (const one of both) strip.reload(one); }", [newer, older])
    release()
    strip.page.wait_for_function("(older) => document.querySelector('carousel-strip').meta?.revision >= older", arg=older)
    assert strip.evaluate("(strip) => strip.meta.revision") == newer
