"""A page that React renders on the server, and hydrates before or after the script of the element."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from strip import Strip

MODULES = Path("/usr/share/nodejs")
REACT = [MODULES / "react/umd/react.development.js", MODULES / "react-dom/umd/react-dom.development.js"]
SERVER = MODULES / "react-dom/umd/react-dom-server-legacy.browser.development.js"

pytestmark = [pytest.mark.documents, pytest.mark.skipif(not all(path.exists() for path in [*REACT, SERVER]), reason="node-react is not installed")]

# The application. A click on the heading renders it again. React 18 renders no children of custom elements on the server,
# so that a strip with templates is HTML for React.
APPLICATION = """
const h = React.createElement;
const HTML = `<carousel-strip strip="albums" controls="previous next" aria-label="Albums">
  <template data-kind="card"><p class="title">{title}</p></template><ul></ul></carousel-strip>`;
const STRIPS = {
  bare: () => h("carousel-strip", { strip: "albums", controls: "previous next", "aria-label": "Albums" }),
  html: () => h("div", { dangerouslySetInnerHTML: { __html: HTML }, suppressHydrationWarning: true }),
};
function Application({ kind }) {
  const [count, setCount] = React.useState(0);
  return h("main", null, h("h1", { onClick: () => setCount(count + 1) }, "Clicks: ", count), STRIPS[kind](), h("p", null, "After"));
}
"""

HYDRATE = """(kind) => {
  window.failures = [];
  window.nodes = [...document.querySelectorAll("main, main > *, main li")];
  ReactDOM.hydrateRoot(document.getElementById("root"), React.createElement(Application, { kind }),
    { onRecoverableError: (error) => window.failures.push(String(error)) });
}"""


@pytest.mark.parametrize("kind", ["bare", "html"])
@pytest.mark.parametrize("is_before", [True, False], ids=["before", "after"])
def test_react_hydrates_a_page_with_a_strip(open_page, elsewhere, address, kind, is_before):
    blank = open_page("about:blank")
    for path in [*REACT, SERVER]:
        blank.add_script_tag(path=path)
    blank.add_script_tag(content=APPLICATION)
    html = blank.evaluate("(kind) => ReactDOMServer.renderToString(React.createElement(Application, { kind }))", kind)
    # Errors and warnings of React fail the test.
    page = open_page(elsewhere(f'<!doctype html><html lang="en"><title>React</title><link rel="icon" href="data:,"><div id="root">{html}</div>'))
    for path in REACT:
        page.add_script_tag(path=path)
    page.add_script_tag(content=APPLICATION)

    def define():
        page.add_script_tag(type="module", url=f"{address}/js/embed.js")
        strip = Strip(page, "albums")
        page.wait_for_function("() => customElements.get('carousel-strip')")
        strip.settle()
        return strip

    strip = define() if is_before else None
    page.evaluate(HYDRATE, kind)
    page.get_by_role("heading").click()
    expect(page.get_by_role("heading")).to_have_text("Clicks: 1")
    strip = strip or define()
    assert page.evaluate("() => window.failures") == []
    assert page.evaluate("() => window.nodes.every((node) => node.isConnected)")
    strip.rest(page.get_by_role("button", name="Next").click)
    page.get_by_role("heading").click()
    expect(page.get_by_role("heading")).to_have_text("Clicks: 2")
    expect(strip.card(10)).to_contain_text(strip.evaluate("(strip) => strip.items.find((item) => item.index === 10).fields.title"))
    assert strip.element.locator("ul").count() == 1
