"""Words and numbers of the elements follow the language of the page, in Chromium, Firefox and WebKit."""

import json
from contextlib import ExitStack

import pytest

from anywhere import StripAnywhere
from conftest import ROOT

pytestmark = pytest.mark.logic

HTML = """<carousel-search for="elements"></carousel-search>
<carousel-strip id="elements" strip="elements" controls="previous scrubber next" autoplay="60000"></carousel-strip>"""

SHOW = """async (_, html) => {
  await Promise.all(["embed", "filters/search"].map((name) => import(`/js/${name}.js`)));
  document.body.innerHTML = html;
}"""

SAID = """(strip) => {
  const parts = strip.shadowRoot;
  const search = document.querySelector("carousel-search").shadowRoot;
  return {
    labels: [...parts.querySelectorAll("[part=step], [part=scrubber]"), search.querySelector("input")].map((one) => one.ariaLabel),
    pause: parts.querySelector("[part=pause]").textContent,
    clear: search.querySelector("[part=clear]").textContent,
    count: search.querySelector("[part=status]").textContent,
    notice: parts.querySelector("[part=notice]").textContent,
    card: strip.nodeOf(strip.items[0]?.index)?.ariaLabel,
  };
}"""

# The number of noble gases, and the label of the first one, by language.
TEXTS = {
    "en": ("6 items", "Helium, Noble gas, 1 of 6"),
    "de": ("6 Elemente", "Helium, Noble gas, 1 von 6"),
    "fr": ("6 éléments", "Helium, Noble gas, 1 sur 6"),
    "es": ("6 elementos", "Helium, Noble gas, 1 de 6"),
    "ja": ("6件", "Helium、Noble gas、6件中1件目"),
    "ar-EG": ("٦ عناصر", "Helium، Noble gas، ١ من ٦"),
    "pt": ("6 itens", "Helium, Noble gas, 1 of 6"),
}
ENGLISH = {"previous": "Previous", "next": "Next", "position": "Position", "pause": "Pause", "search": "Search", "clear": "Clear filters", "unmatched": "No items match."}
PORTUGUESE = {**ENGLISH, "next": "Seguinte", "items": {"one": "{count} item", "other": "{count} itens"}}


def words_of(language):
    path = ROOT / f"Public/js/words/{language[:2]}.json"
    return json.loads(path.read_text()) if path.exists() else {"en": ENGLISH, "pt": PORTUGUESE}[language]


@pytest.fixture
def strip(engine, address):
    """A strip and a search in a page. An error or warning in the console fails the test at its end."""
    with ExitStack() as pages:
        pages.enter_context(engine.show(1280, 800, 1))
        strip = StripAnywhere(engine, address, "elements", 1)
        strip.open()
        strip.evaluate(SHOW, HTML)
        strip.settle()
        yield strip
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


def test_words_and_numbers_follow_the_language_of_the_page(strip):
    strip.evaluate("(strip, words) => (strip.constructor.words = words)", {"pt": PORTUGUESE})
    strip.evaluate("(strip) => (strip.where = 'category = \"Noble gas\"')")
    for language, (count, card) in TEXTS.items():
        words = words_of(language)
        strip.evaluate("(_, lang) => (document.documentElement.lang = lang)", language)
        expected = {
            "labels": [words[name] for name in ["previous", "position", "next", "search"]],
            "pause": words["pause"],
            "clear": words["clear"],
            "count": count,
            "notice": "",
            "card": card,
        }
        strip.wait_until(f"(strip, said) => {{ const now = ({SAID})(strip); return Object.keys(said).every((key) => JSON.stringify(now[key]) === JSON.stringify(said[key])); }}", expected)


def test_a_notice_follows_the_language_of_an_ancestor(strip):
    strip.evaluate("() => (document.body.lang = 'ja')")
    strip.evaluate("(strip) => (strip.q = 'nothing at all')")
    strip.wait_until("(strip, text) => strip.shadowRoot.querySelector('[part=notice]').textContent === text", words_of("ja")["unmatched"])


def test_all_languages_have_all_words_and_plurals():
    names = {path.stem: json.loads(path.read_text()) for path in (ROOT / "Public/js/words").glob("*.json")}
    sources = [(ROOT / f"Public/js/{name}.js").read_text() for name in ("language/messages", "language/format", "controls/scrubber", "motion/autoplay", "filters/strip-filter", "page/result", "viewer/dialog")]
    tables = [source[source.index("const ENGLISH") :].split("};")[0] for source in sources]
    english = [line.split(":")[0].strip() for table in tables for line in table.splitlines()[1:] if line.strip()]
    assert f"/^({'|'.join(sorted(names))})$/" in sources[0]
    for language, words in names.items():
        assert sorted(words) == sorted(english), language
        assert "other" in words["items"], language


def test_a_page_hears_nothing_of_languages_that_its_reader_has_not_changed(strip):
    strip.evaluate("() => { window.heard = 0; addEventListener('languagechange', () => (window.heard += 1)) }")
    strip.evaluate("() => { document.documentElement.lang = 'fr' }")
    strip.wait_until("(strip, text) => strip.shadowRoot.querySelector('[part=viewport]').parentNode.ariaRoleDescription === text", words_of("fr")["carousel"])
    assert strip.evaluate("() => window.heard") == 0
