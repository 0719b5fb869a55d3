"""Pages of a design system: buttons, fields and boxes that scroll are in shadow roots."""

import pytest

from strip import Strip

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Shadow</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="%(address)s/css/strip.css">
<script type="module" src="%(address)s/js/embed.js"></script>
<script>
  const define = (name, html, mode = "open") => customElements.define(name, class extends HTMLElement {
    static formAssociated = mode === "closed";
    constructor() { super(); this.attachShadow({ mode }).innerHTML = html; }
  });
  define("x-button", "<button>Add</button>");
  define("x-icon-button", "<x-button></x-button>");
  define("x-field", "<input>");
  define("x-link", "<a href='#more'><slot></slot></a>");
  define("x-switch", "<span role='switch' tabindex='0'>On</span>");
  define("x-closed", "<button>Add</button>", "closed");
  define("x-text", "<b>Text</b>");
  define("x-scroll", "<div style='height: 300px; overflow: auto'><slot></slot></div>");
  define("x-strip", "<carousel-strip strip='albums' aria-label='Inner'></carousel-strip>");
</script>
<body>%(body)s</body></html>"""

CARD = """<carousel-strip strip="billion" height="300" aria-label="Billion" %s><template data-kind="card"><p class="title">{title}</p>
<x-button></x-button> <x-icon-button></x-icon-button> <x-field></x-field> <x-link><i>More</i></x-link> <x-switch></x-switch> <x-closed></x-closed> <x-text></x-text></template><ul></ul></carousel-strip>"""


@pytest.fixture
def show(open_page, elsewhere, address):
    """Opens a page of another origin with `body`."""

    def show(body, **options):
        page = open_page(elsewhere(PAGE % {"address": address, "body": body}), **options)
        strip = Strip(page, "billion", 0)
        page.wait_for_function("() => customElements.get('carousel-strip')")
        strip.settle()
        return strip

    return show


def test_controls_in_shadow_roots_select_no_card_and_texts_do(show):
    strip = show(CARD % "")
    selected = strip.evaluate("""async (strip) => {
      const inside = (node) => node.shadowRoot?.firstElementChild ? inside(node.shadowRoot.firstElementChild) : node;
      const selected = [];
      for (const node of strip.nodeOf(2).querySelectorAll("x-button, x-icon-button, x-field, x-switch, x-closed, x-text, i")) {
        strip.deselect();
        inside(node).dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
        await new Promise((go) => setTimeout(go));
        if (strip.selected) selected.push(node.localName);
      }
      return selected;
    }""")
    assert selected == ["x-text"]


def test_a_click_before_the_element_is_defined_selects_no_card_by_a_button_in_a_shadow_root(open_page, elsewhere, address):
    page = open_page("about:blank")
    held = []
    page.route("**/on-demand*", lambda route: held.append(route))
    page.goto(elsewhere(PAGE % {"address": address, "body": '<carousel-strip strip="billion" aria-label="Billion"></carousel-strip>'}))
    page.locator("li").nth(1).wait_for()
    page.evaluate("() => document.querySelectorAll('li').forEach((node) => node.append(document.createElement('x-button')))")
    page.locator("li").nth(1).locator("x-button button").dispatch_event("click")
    held[0].continue_()
    strip = Strip(page, "billion", 0)
    page.wait_for_function("() => customElements.get('carousel-strip')")
    strip.settle()
    assert strip.evaluate("(strip) => strip.selected") is None


def test_keys_in_a_field_of_a_shadow_root_are_for_the_field(show):
    strip = show(CARD % "")
    strip.evaluate("(strip) => strip.nodeOf(2).querySelector('x-field').shadowRoot.firstChild.focus()")
    strip.page.keyboard.type("a b")
    strip.page.keyboard.press("Home")
    strip.page.keyboard.press("Enter")
    assert strip.evaluate("(strip) => [strip.selected, strip.offset, strip.nodeOf(2).querySelector('x-field').shadowRoot.firstChild.value]") == [None, 0, "a b"]


def test_autoplay_waits_while_a_field_in_a_shadow_root_has_the_focus(show):
    strip = show(CARD % 'autoplay="3600000" step="item"')
    strip.page.mouse.move(5, 700)
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').predictedOffset !== undefined")
    strip.evaluate("(strip) => strip.nodeOf(2).querySelector('x-field').shadowRoot.firstChild.focus()")
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').predictedOffset === undefined")


def test_a_strip_in_the_shadow_root_of_an_element_in_a_card_keeps_its_events(show):
    strip = show('<carousel-strip strip="billion" height="300" aria-label="Outer"><template data-kind="card"><p class="title">{title}</p><x-strip></x-strip></template><ul></ul></carousel-strip>')
    told = strip.evaluate("""async (strip) => {
      const inner = strip.nodeOf(1).querySelector("x-strip").shadowRoot.firstElementChild;
      while (!inner.items?.length) await new Promise(requestAnimationFrame);
      inner.nodeOf(inner.items[1].index).click();
      await new Promise((go) => setTimeout(go));
      return [strip.selected, inner.selected.index];
    }""")
    assert told == [None, 1]


def test_a_list_in_a_box_that_scrolls_in_a_shadow_root_draws_what_is_in_view(show):
    strip = show('<x-scroll><carousel-strip strip="landscapes" layout="list" aria-label="List"></carousel-strip></x-scroll>')
    strip.evaluate("""async (strip) => {
      const box = document.querySelector("x-scroll").shadowRoot.firstElementChild;
      box.scrollTop = 20000;
      const isCovered = () => [...strip.querySelectorAll("li")].some((node) => {
        const [card, frame] = [node, box].map((one) => one.getBoundingClientRect());
        return node.dataset.id && card.top < frame.bottom && card.bottom > frame.top;
      });
      while (!isCovered()) await new Promise(requestAnimationFrame);
    }""")


def test_a_strip_has_the_name_of_the_titles_in_its_own_root(show):
    strip = show(CARD % "" + "<p id='one'>Outside</p><x-named></x-named>")
    strip.page.evaluate("""() => customElements.define("x-named", class extends HTMLElement {
      constructor() {
        super();
        this.attachShadow({ mode: "open" }).innerHTML = `<b id="one">New</b> <b id="two">albums</b><carousel-strip strip="albums" aria-labelledby="one two"></carousel-strip>`;
      }
    })""")
    strip.page.wait_for_function("() => document.querySelector('x-named').shadowRoot.querySelector('carousel-strip').cardList?.ariaLabel === 'New albums'")
