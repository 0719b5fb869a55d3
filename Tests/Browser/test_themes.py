"""Strips in pages whose theme has rules for all lists, items and pictures, and text that can be selected."""

import pytest

from cases import case
from strip import STYLED
from test_host_pages import show  # noqa: F401, a fixture

THEMES = [
    """.entry-content ul { margin: 0 0 1.5em 30px; padding-left: 1.25em; list-style: disc; max-width: 600px; line-height: 1.9 }
      .entry-content li { margin: .5em 0 .5em 20px; min-width: 300px; min-height: 400px; float: left; display: list-item }
      .entry-content img { max-width: 100%; height: auto; margin: 1em 0 }""",
    """.entry-content > * > ul { columns: 2; width: auto; min-width: 90vw; max-height: 50px; border: 3px solid; box-sizing: border-box; left: 30px }
      .entry-content > * > ul > li { box-sizing: content-box; padding: 9px; max-width: 50px; display: inline-block; position: relative; left: 9px }""",
    """.entry-content > * > ul { margin: 1.25em 0; padding-inline-start: 1.625em; list-style-type: disc }
      .entry-content > * > ul > li { margin: .5em 0; padding-inline-start: .375em }
      .entry-content > * > ul > li::before { content: "•"; display: block; height: 50px }
      .entry-content > * > ul::before, .entry-content > * > ul::after { content: " "; display: table }""",
    ".picture { float: left; width: 50%; max-width: 90px; margin: 1em }",
]
PLACES = """(strip) => {
  const content = strip.viewport.getBoundingClientRect();
  return [...strip.querySelectorAll("li:not([hidden])")].sort((one, other) => one.dataset.index - other.dataset.index).slice(0, 4).map((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const picture = node.querySelector(".picture").getBoundingClientRect();
    return [left - content.left, top - content.top, width, height, picture.left - left, picture.top - top, picture.width, picture.height].map((px) => Math.round(px * 8) / 8);
  });
}"""


@pytest.mark.logic
def test_a_theme_moves_and_squeezes_no_card(show):
    strip = show('<style></style><main class="entry-content"><carousel-strip strip="albums"></carousel-strip></main>', "albums")
    for attributes in [{}, {"layout": "grid", "column": "200"}, {"layout": "list"}]:
        plain = None
        for css in ["", *THEMES]:
            with case(f"{attributes} {css}"):
                strip.evaluate("(strip, css) => { document.querySelector('style').textContent = css; }", css)
                strip.replace(**attributes)
                strip.evaluate(STYLED)
                places = strip.evaluate(PLACES)
                plain = plain or places
                assert places and places == plain


def test_text_can_be_selected_except_where_the_mouse_drags(show):
    select = """(strip) => {
      const selection = getSelection();
      const title = [...strip.querySelectorAll("li:not([hidden]) .title")].find((one) => one.textContent);
      selection.selectAllChildren(title);
      const style = getComputedStyle(title.closest("li"));
      return [style.webkitUserSelect ?? style.userSelect, selection.toString() === title.textContent];
    }"""
    strip = show('<carousel-strip strip="albums"></carousel-strip>', "albums")
    assert strip.evaluate(select)[0] == "none"
    for layout in ["list", "grid", "rows"]:
        strip.replace(layout=layout, controls="scrubber")
        strip.evaluate(STYLED)
        assert strip.evaluate(select)[0] != "none", layout
    select_titles = """({ shadowRoot }) => {
      const { webkitUserSelect, userSelect } = getComputedStyle(shadowRoot.querySelector("[part=scale]"));
      return webkitUserSelect ?? userSelect;
    }"""
    assert strip.evaluate(select_titles) == "none"  # the mouse drags the slider beside them


@pytest.mark.parametrize("layout", ["", *(pytest.param(layout, marks=pytest.mark.logic) for layout in (' layout="grid" style="height: 600px"', ' layout="rows"'))])
def test_an_important_size_of_a_theme_bounds_no_list(show, layout):  # noqa: F811
    sizes = "<style>ul { width: 100% !important; height: auto !important }</style>"
    strip = show(f'{sizes}<carousel-strip strip="albums"{layout}></carousel-strip>', "albums")
    strip.wait_until("""(strip) => {
      const { width, height } = strip.cardList.getBoundingClientRect();
      return Math.abs((strip.layout ? height : width) - strip.meta.extent) < 1;
    }""")


TRANSITIONS = "<style>ul, li { transition: all 60s linear } carousel-strip { transition: opacity 1s }</style>"


# The cards that are not at their places after a draw, once the browser has drawn them. Their transitions would begin then.
ASTRAY = """async (strip, offsets) => {
  const astray = [];
  const look = () => {
    const view = strip.viewport.getBoundingClientRect();
    for (const { index, start, size } of strip.items) {
      const box = strip.nodeOf(index).getBoundingClientRect();
      const [from, length] = strip.layout ? [box.top - view.top, box.height] : [box.left - view.left, box.width];
      if (Math.abs(from - (start - strip.offset)) >= 1 || Math.abs(length - size) >= 1) astray.push([index, from, length]);
    }
  };
  for (const offset of offsets) {
    strip.scrollTo({ offset });
    for (let k = 0; k < 3 || strip.isWaiting; k += 1) {
      await new Promise(requestAnimationFrame);
      await new Promise((go) => setTimeout(go));
      look();
    }
  }
  return astray;
}"""


@pytest.mark.parametrize("layout", ["", pytest.param(' layout="grid" style="height: 600px"', marks=pytest.mark.logic)])
def test_no_transition_of_a_theme_delays_the_places_of_cards(show, layout):
    strip = show(f'{TRANSITIONS}<carousel-strip strip="albums"{layout}></carousel-strip>', "albums")
    assert strip.evaluate(ASTRAY, [700, 1400, 90_000, 0]) == []


def test_a_theme_keeps_its_other_transitions_of_cards(show):
    strip = show(f'{TRANSITIONS}<carousel-strip strip="albums"></carousel-strip>', "albums")
    running = """async (strip) => {
      const card = strip.nodeOf(0);
      card.style.backgroundColor = "red";
      for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame);
      return card.getAnimations().map((one) => one.transitionProperty);
    }"""
    assert strip.evaluate(running) == ["background-color"]


def test_a_strip_with_a_transition_of_the_page_follows_the_direction(show):
    strip = show(f'{TRANSITIONS}<carousel-strip strip="albums"></carousel-strip>', "albums")
    strip.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    strip.wait_until("(strip) => Math.abs(strip.nodeOf(0).getBoundingClientRect().right - strip.viewport.getBoundingClientRect().right) < 1")
