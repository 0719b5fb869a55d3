"""The page in the reader's language: its words, its numbers, its direction, and the language in addresses."""

import json
import re
from itertools import chain
from urllib.parse import parse_qs, quote, urlparse

import pytest
from playwright.sync_api import expect

from conftest import ROOT

LANGUAGES = ["ar", "de", "en", "es", "fr", "ja"]
NOBLE = 'category = "Noble gas"'

# The texts of the page and its shadow roots that a reader sees or hears, without cards and other data.
TEXTS = """() => {
  const DATA = "carousel-strip > ul, h1, .name, .group, .field, option:not([value='']), .masthead nav:not(.site) li, .languages ul:not(.narrow)," +
    "[part=chips], [part=range], [part=titles], [part=bubble], [name=where], code, #xray-pools, script, style, template";
  const NAMES = ["aria-label", "aria-roledescription", "placeholder", "title"];
  const texts = [];
  const read = (node) => {
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.data.trim());
    if (node.nodeType !== Node.ELEMENT_NODE && node !== node.ownerDocument?.body && !(node instanceof ShadowRoot)) return;
    if (node.matches?.(DATA)) return;
    for (const name of NAMES) texts.push(node.getAttribute?.(name) ?? "");
    if (node.shadowRoot) read(node.shadowRoot);
    node.childNodes.forEach(read);
  };
  read(document.body);
  return texts.filter((text) => /[a-z]/i.test(text));
}"""


def words_of(language):
    return json.loads((ROOT / f"Public/js/words/page/{language}.json").read_text())


def english():
    """The English texts of the page and of the element: words that no other language shows."""
    sources = [(ROOT / f"Public/js/{name}.js").read_text() for name in ("language/messages", "filters/strip-filter")]
    element = [re.findall(r'"([^"]+)"', source[source.index("const ENGLISH") :].split("};")[0]) for source in sources]
    return {*words_of("ar"), *chain(*element)}


def language_of(page):
    return parse_qs(urlparse(page.url).query).get("lang")


def await_count(page, count):
    page.wait_for_function("(count) => document.querySelector('carousel-strip').meta?.count === count", arg=count)


def await_words(page, language):
    """Waits until the element has its words."""
    texts = json.loads((ROOT / f"Public/js/words/{language}.json").read_text())
    page.wait_for_function("(text) => document.querySelector('#scrubber')?.ariaLabel === text", arg=texts["position"])
    return texts


@pytest.mark.parametrize("language", ["ar", "de"])
def test_no_english_word_is_left(open_strip, language):
    page = open_strip("elements", f"&lang={language}&xray").page
    element = await_words(page, language)
    page.locator("#xray-switch").check()
    page.locator(".try summary").click()
    page.wait_for_function("() => [...document.querySelectorAll('carousel-facets')].every((one) => one.matches(':state(loaded)'))")
    texts = set(page.evaluate(TEXTS))
    assert not texts & english() - {*words_of(language).values(), *map(str, element.values())}
    if language == "ar":  # other texts are data
        assert not [text for text in texts if not re.search("[\u0600-\u06ff]", text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_scripts_write_the_numbers_of_the_page(open_strip, language):
    page = open_strip("billion", f"&lang={language}").page
    if language != "en":
        await_words(page, language)
    written, expected = page.evaluate("""async () => {
      const { formatCount } = await import("/js/language/format.js");
      const html = new DOMParser().parseFromString(await (await fetch(location)).text(), "text/html");
      const isLoading = () => document.documentElement.lang !== "en" && formatCount(7) === "7 items";
      while (isLoading()) await new Promise(requestAnimationFrame);
      return [html.querySelector(".count").textContent, formatCount(1e9)];
    }""")
    assert written == expected


def test_the_language_stays_over_a_search_a_filter_and_a_link(open_strip):
    page = open_strip("elements", "&lang=de").page
    whole = page.evaluate("() => document.querySelector('carousel-strip').meta.count")
    page.get_by_role("searchbox").fill("xen")
    await_count(page, 1)
    page.wait_for_function("() => new URL(location).searchParams.get('q') === 'xen'")
    expect(page.locator(".count")).to_have_text("1 Element")
    assert language_of(page) == ["de"]
    page.get_by_role("searchbox").fill("")
    await_count(page, whole)
    page.locator("carousel-facets").get_by_role("button", name=re.compile("^Noble gas ")).click()
    await_count(page, 6)
    expect(page.locator(".count")).to_have_text("6 Elemente")
    page.wait_for_function("() => new URL(location).searchParams.has('where')")
    assert language_of(page) == ["de"]
    page.get_by_role("link", name="Albums").click()
    page.wait_for_url(re.compile("strip=albums"))
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_the_language_stays_over_the_galleries(open_page):
    page = open_page("/?strip=albums&lang=de")
    page.get_by_role("link", name="Galerien").click()
    page.get_by_role("link", name="Timeline").click()
    page.get_by_role("navigation", name="Galleries").wait_for()  # the script has run
    page.get_by_role("link", name="carousel", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_link_to_another_language_keeps_the_view(open_strip):
    page = open_strip("elements").page
    page.get_by_role("searchbox").fill("xen")
    page.wait_for_function("() => new URL(location).searchParams.get('q') === 'xen'")
    page.get_by_role("banner").get_by_text("English").first.click()
    page.get_by_role("navigation", name="Language").get_by_role("link", name="العربية").click()
    expect(page.locator("html[lang=ar][dir=rtl]")).to_have_count(1)
    await_count(page, 1)
    expect(page.get_by_role("searchbox")).to_have_value("xen")
    expect(page.locator(".count")).to_have_text("عنصر واحد")


def test_details_are_in_the_language(open_strip):
    page = open_strip("elements", "&lang=fr").page
    await_words(page, "fr")
    for href, text in (("/more", "Ouvrir"), ("https://example.org/more", "Ouvrir sur example.org")):
        page.evaluate("""(href) => document.querySelector("carousel-strip").dispatchEvent(
          new CustomEvent("select", { detail: { index: 1, id: "x", fields: { title: "X", href } } }))""", href)
        expect(page.locator("#details .place")).to_have_text(re.compile(r"^2 sur \d+$"))
        expect(page.locator("#details a")).to_have_text(text)


def test_without_scripts_the_language_follows_the_reader_and_the_menu(open_page):
    page = open_page(f"/?strip=elements&where={quote(NOBLE)}", java_script_enabled=False, locale="de-AT")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator(".count")).to_have_text("6 Elemente")
    page.get_by_role("banner").get_by_text("Deutsch").first.click()
    page.get_by_role("link", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator(".count")).to_have_text("6件")
    page.get_by_role("searchbox").fill("no such element")
    page.get_by_role("button", name="表示").click()
    expect(page.get_by_text(words_of("ja")["No items match."])).to_be_visible()
    page.get_by_role("link", name="絞り込みを解除").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.get_by_label("項目へ移動").fill("5")
    page.get_by_role("button", name="移動").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")


@pytest.mark.parametrize("width", [320, 768, 1440])
def test_the_first_window_of_an_arabic_page_starts_at_the_right(open_page, width):
    """With and without scripts the first card is at the right margin, and nothing is wider than the window."""
    for scripts in (False, True):
        page = open_page("/?strip=elements&lang=ar", java_script_enabled=scripts, viewport={"width": width, "height": 800})
        if scripts:
            page.wait_for_selector("#scrubber")
            expect(page.locator("carousel-strip:defined li[data-index='1']")).to_be_visible()
        first = page.request.get("/window?strip=elements&width=320").json()["items"][0]
        heading = page.locator(".heading-line").bounding_box()
        card = page.locator("carousel-strip li[data-index='0']").bounding_box()
        edge = float(page.locator(".heading-line").evaluate("(line) => parseFloat(getComputedStyle(line).paddingInlineStart)"))
        assert abs(heading["x"] + heading["width"] - edge - first["start"] - card["x"] - card["width"]) <= 1
        if scripts:
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
