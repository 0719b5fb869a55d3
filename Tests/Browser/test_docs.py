"""The documentation for page authors is complete, and its links and live examples work."""

import json
import re
import shutil
import subprocess
from urllib.parse import urljoin, urlparse

import pytest
from playwright.sync_api import expect

from cases import case
from conftest import ROOT, serving
from strip import STYLED, show

pytestmark = pytest.mark.documents

LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, in a copy of the folder that servers show."""
    folder = shutil.copytree(ROOT / "Public", tmp_path_factory.mktemp("docs") / "public", ignore=shutil.ignore_patterns("docs")) / "docs"
    line = ["mkdocs", "build", "--quiet", "--strict", "--config-file", "Documentation/mkdocs.yml", "--site-dir", folder]
    subprocess.run(line, cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="module")
def server(site):
    with serving("--public", site.parent) as address:
        yield address


def test_links_of_the_site_lead_to_files(site):
    for page in site.glob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"{]+)"', page.read_text()):
            path = urlparse(urljoin(f"/docs/{page.name}", link))
            if path.netloc:
                continue
            file = site / path.path.removeprefix("/docs/") if path.path.startswith("/docs/") else ROOT / "Public" / path.path.lstrip("/")
            assert file.exists(), f"{page.name}: {link}"
            assert not path.fragment or f'id="{path.fragment}"' in file.read_text(), f"{page.name}: {link}"


@pytest.mark.parametrize("file", ["README.md", "Examples/README.md"])
def test_links_of_a_readme_lead_to_files(file):
    for link in LINK.findall((ROOT / file).read_text()):
        if not urlparse(link).netloc:
            assert ((ROOT / file).parent / link.split("#")[0]).exists(), link


def test_everything_in_the_manifest_is_documented(site):
    page = (site / "element.html").read_text()
    modules = json.loads((ROOT / "Public/custom-elements.json").read_text())["modules"]
    for element in (one for module in modules for one in module.get("declarations", []) if one.get("tagName")):
        for group in ("attributes", "events", "members", "cssParts", "slots", "cssProperties"):
            for entry in element.get(group, []):
                assert f"<code>{entry['name'] or '(default)'}</code>" in page, entry["name"]
                if element["tagName"] == "carousel-strip" and group == "attributes":
                    assert f'<a href="#attributes-{entry["name"]}">' in page, f"{entry['name']} is not in the table of attributes"


@pytest.fixture
def documents(open_page, server):
    """Opens a page of the site."""

    def documents(name="index", **options):
        return open_page(f"/docs/{name}.html", base_url=server, **options)

    return documents


def test_live_examples_show_cards(documents):
    strips = documents("element").locator("carousel-strip")
    assert strips.count() == 2
    for strip in strips.all():
        strip.scroll_into_view_if_needed()
        strip.locator("li[data-id] .title").first.wait_for(state="attached")


# Opens, runs and closes each example in turn; answers with the number of examples and the faults. One call of
# the page, since a click from outside takes a quarter of a second on a page of this size.
RUN_EXAMPLES = """async (messages) => {
  const faults = [];
  const until = async (condition) => {
    for (const end = performance.now() + 60000; performance.now() < end; ) {
      if (condition()) return true;
      await new Promise(requestAnimationFrame);
    }
    return false;
  };
  const examples = [...document.querySelectorAll("[data-example]")];
  const main = document.querySelector("main");
  for (const example of examples) {
    if (faults.length > 2) break; // each takes a minute
    const fault = (what) => faults.push(`${example.dataset.example}: ${what}`);
    const summary = example.querySelector("summary");
    const text = (selector, root = example) => root.querySelector(selector)?.textContent.trim();
    const message = () => text("[part=notice]", example.querySelector("carousel-strip")?.shadowRoot ?? example);
    main.replaceChildren(example); // to draw in a page of this length takes three times as long
    summary.click();
    const isMessage = messages.includes(example.dataset.example);
    if (!await until(() => isMessage ? message() : text("li[data-id] .title"))) fault("draws nothing");
    const run = [...example.querySelectorAll("button")].find((button) => button.textContent.trim() === "Run");
    if (run?.checkVisibility()) {
      run.click();
      if (!await until(() => text("output"))) fault("prints nothing");
    }
    summary.click();
  }
  return [examples.length, faults];
}"""


def test_each_entry_of_the_reference_has_an_example_that_works(documents):
    page = documents("element", complains=True)  # a request of the example of `error` fails
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    messages = ["carousel-strip-cssParts-notice", "carousel-strip-events-error"]
    page.mouse.move(9, 9)  # a first input: before it, strips limit their requests
    number, faults = page.evaluate(RUN_EXAMPLES, messages)
    assert number > 100
    assert (faults, errors) == ([], [])


# MARK: Printed templates


def printed():
    """The elements with a template in the documentation, as (file, HTML)."""
    files = [ROOT / "README.md", *sorted((ROOT / "Documentation/site").glob("*.md"))]
    return [
        (file.name, element)
        for file in files
        for element in re.findall(r"<carousel-strip(?:(?!<carousel-strip).)*?<template.*?</carousel-strip>", file.read_text(), re.DOTALL)
        if 'layout="rows"' not in element  # its titles are over the pictures
    ]


# For each card in view: the boxes of its picture and its title, relative to the element.
PARTS = """(strip) => {
  const box = strip.getBoundingClientRect();
  const part = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { left: left - box.left, right: right - box.left, top: top - box.top, bottom: bottom - box.top };
  };
  return [...strip.querySelectorAll("[data-index]")].map((card) =>
    ({ card: part(card), image: card.querySelector("img") && part(card.querySelector("img")), title: part(card.querySelector(".title")), height: box.height }));
}"""


def test_a_printed_template_draws_its_picture_and_its_title_in_the_card(open_page):
    page = open_page("about:blank")
    assert len(printed()) >= 2
    for file, element in printed():
        with case(file, element):
            element = re.sub('strip="[^"]*"', 'strip="albums"', element, count=1)
            show(page, element)
            picture = "document.querySelector('li[data-index] img')?.complete && " if "<img" in element else ""
            page.wait_for_function(f"() => {picture}document.querySelector('carousel-strip').current?.fields")
            page.locator("carousel-strip").evaluate(STYLED)
            parts = page.locator("carousel-strip").evaluate(PARTS)
            assert len(parts) > 5
            for part in parts:
                must_be_in_the_card(part)


def must_be_in_the_card(part):
    card, image, title = part["card"], part["image"], part["title"]
    assert title["bottom"] <= part["height"]
    if not image:
        assert card["left"] - 1 <= title["left"] and title["right"] <= card["right"] + 1
        return
    assert card["left"] - 1 <= image["left"] and image["right"] <= card["right"] + 1
    assert image["bottom"] - image["top"] > 100
    assert image["bottom"] <= title["top"] + 1


# MARK: The theme


def test_a_search_finds_parts_and_arrow_keys_move_between_them(documents):
    page = documents()
    field = page.get_by_role("searchbox", name="Search the documentation")
    field.fill("zebra crossing")
    expect(page.locator(".found")).to_have_text("Nothing found.")
    field.fill("facets")
    found = page.locator(".found a")
    expect(found.first).to_be_visible()
    for key, place in [("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0)]:
        page.keyboard.press(key)
        expect(found.nth(place)).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_be_focused()
    expect(page.locator(".found")).to_be_hidden()
    # A part that is found shows the sentence with the words, and no markup of examples.
    field.fill("lowest first")
    entry = page.locator(".found a", has_text="Fields for readers")
    expect(entry.locator(".page")).to_have_text("Search, filters and facets")
    expect(entry.locator("mark")).to_have_text(["first", "lowest", "first"])
    expect(entry.locator("small")).to_contain_text("menu says")
    field.fill("data-kind")
    expect(page.locator(".found mark", has_text="lowest")).to_have_count(0)
    said = page.locator(".found small").all_inner_texts()
    assert [text for text in said if re.search(r'="|</|\{\w+\}', text)] == []
    for text in ["snap", "shop", "favourites"]:  # no part is listed twice
        field.fill(text)
        expect(page.locator(".found a").first).to_be_visible()
        parts = page.locator(".found a").evaluate_all("(all) => all.map((one) => one.firstChild.textContent + one.querySelector('small').textContent)")
        assert len(set(parts)) == len(parts)
    for text in ["category page", "product listing", "PLP"]:
        field.fill(text)
        expect(page.locator(".found a[href='shop.html#a-category-page']")).to_be_visible()
    page.goto("/docs/shop.html")
    expect(page.get_by_role("link", name="index.html")).to_have_attribute("href", "category-index-html.txt")


def test_a_server_with_other_strips_has_the_text_without_examples_and_galleries(documents):
    page = documents()
    expect(page.get_by_role("link", name="Galleries")).to_be_visible()
    expect(page.get_by_role("navigation", name="Documentation").get_by_role("heading")).to_have_text(["Start", "Guides", "Reference", "Operate"])
    page.route("**/strips?**", lambda route: route.fulfill(json={"strips": [{"strip": "products"}], "next": None}))
    for name in ["index", "table", "layouts", "cards", "element"]:
        with case(name):
            page.goto(f"/docs/{name}.html")
            expect(page.locator("main carousel-strip")).to_have_count(0)
            text = page.locator("body").inner_text()
            assert [word for word in ["69,202", "Galleries", "Demo", "which has albums", "no such strip"] if word in text] == []
    entry = page.locator("[data-example]").first
    entry.locator("summary").click()
    expect(entry).to_contain_text("which this server lacks")
    expect(entry.locator("carousel-strip")).to_have_count(0)


def test_a_search_finds_words_in_american_and_british_spelling(documents):
    page = documents()
    parts = "All favourites, and the colours of a reader"
    page.route("**/search_index.json", lambda route: route.fulfill(json={"docs": [{"location": "a.html", "title": "A", "text": parts}]}))
    for text, word in [("favorites", "favourite"), ("colors", "colour"), ("favourite", "favourite")]:
        page.get_by_role("searchbox", name="Search the documentation").fill(text)
        expect(page.locator(".found a mark")).to_have_text([re.compile(f"^{word}")])


def test_code_is_copied_on_a_page_without_the_clipboards_interface(documents):
    page = documents("table")
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as over plain http
    page.reload()
    code = page.locator("main .code").nth(1)
    code.hover()
    code.get_by_role("button", name="Copy").click()
    expect(code.get_by_role("button")).to_have_text("Copied")
    field = page.get_by_role("searchbox", name="Search the documentation")
    field.focus()
    page.keyboard.press("ControlOrMeta+v")
    expect(field).to_have_value(code.locator("pre").inner_text().strip())


# The blocks of code whose text has other lines than their source.
BROKEN = """(all) => all.filter((one) => one.checkVisibility()).map((one) => one.firstChild).filter((code) => {
  const height = parseFloat(getComputedStyle(code).lineHeight);
  return Math.round(code.getBoundingClientRect().height / height) > code.textContent.trimEnd().split("\\n").length;
}).map((code) => code.textContent)"""


def test_no_code_is_cut_and_no_page_is_too_wide(documents, site):
    page = documents()
    for file in sorted(site.glob("*.html")):
        page.goto(f"/docs/{file.name}")
        for width in [320, 1440]:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width, file.name
            code = page.locator("main pre" if width > 320 else "main pre:has(.line)")
            cut = code.evaluate_all("(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)")
            assert [text for text in cut if width == 320 or "/window?" not in text] == [], (file.name, width)
        assert code.evaluate_all(BROKEN) == [], file.name


def test_a_telephone_has_two_columns_of_the_shops_card():
    column = re.search(r'strip="products"[^>]*column="(\d+)"', (ROOT / "Documentation/site/shop.md").read_text())[1]
    assert int(column) * 2 + 16 <= 390 - 32


# What zsh expands, or takes for a command, and bash does not: a pattern that no file matches, and a comment.
OF_ZSH = re.compile(r"\S*=\*\S*|\S*://\S*\?\S*|localhost\S*\?\S*|(?:^|\s)#.*", re.MULTILINE)


def test_commands_mean_the_same_in_zsh():
    for file in [ROOT / "README.md", *ROOT.glob("Documentation/*.md"), *ROOT.glob("Documentation/site/*.md"), *ROOT.glob("Examples/**/*.md"), ROOT / "Public/first.html"]:
        blocks = re.findall(r"```sh\n(.*?)```|<pre[^>]*><code>(.*?)</code>", file.read_text(), re.DOTALL)
        bare = re.sub(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", "_", "\n".join(one or other for one, other in blocks))
        assert OF_ZSH.findall(bare) == [], file.name


def test_a_page_that_uses_a_token_says_how_to_make_it():
    for file in ROOT.glob("Documentation/site/*.md"):
        text = file.read_text()
        assert "$TOKEN" not in text or "TOKEN=$(" in text[:text.index("$TOKEN")], file.name


def test_landscapes_are_drawn_and_leave_room_for_the_text(documents):
    page = documents("layouts")
    expect(page.locator("main li[data-id] .picture path").first).to_be_visible()
    page.goto("/docs/index.html")
    expect(page.locator("main li[data-id] .picture path").first).to_be_visible()
    assert page.locator("main carousel-strip").bounding_box()["height"] <= 400


def test_code_is_copied_where_the_browser_allows_it(documents):
    page = documents("table", permissions=["clipboard-read", "clipboard-write"])
    code = page.locator("main .code").first
    code.get_by_role("button", name="Copy").click()
    expect(code.get_by_role("button")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == code.locator("pre").inner_text().rstrip()


@pytest.mark.parametrize(("name", "width"), [("why", 390), ("table", 1440), ("why", 2560)])
def test_the_title_comes_first_and_nothing_is_wider_than_the_page(documents, name, width):
    page = documents(name, viewport={"width": width, "height": 900})
    title, pages = (page.locator(part).bounding_box() for part in ["h1", ".pages"])
    assert title["y"] < pages["y"] if width < 960 else title["x"] > pages["x"]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    for head in page.get_by_role("columnheader", name="carousel").all() if name == "why" else []:
        box = head.bounding_box()
        assert box["x"] + box["width"] <= width
    if width > 1440:
        contents, text = (page.locator(part).bounding_box() for part in [".toc", "main"])
        assert contents["x"] - text["x"] - text["width"] < 120, "the contents stand near the text"
        assert pages["x"] == page.locator(".masthead .name").bounding_box()["x"]
    assert page.locator(".wide table, pre").evaluate_all("(all) => all.every((one) => (one.closest('.wide') ?? one).tabIndex === 0)")
