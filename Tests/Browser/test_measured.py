"""Widths that the page measures: the law is the server's, and cards fit their texts."""

import json
import random
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest

from cases import case
from conftest import run, serving
from strip import Strip, serve

SEED = 4

ANSWERS = """async ([settings, items, queries]) => {
  const { MeasuredStrip } = await import("/js/windows/measured-strip.js");
  const { sizeClass } = await import("/js/windows/geometry.js");
  const strip = new MeasuredStrip(settings, items, sizeClass);
  return queries.map((query) => {
    try {
      return strip.respond(query, {});
    } catch (error) {
      return [error.status, error.parameter];
    }
  });
}"""


def random_query(draw, count, extent):
    """A random query of `/window`."""
    width = draw.choice([1, 80, 358, 1280, draw.uniform(1, 3000)])
    query = {"width": round(width, 3), "wrap": draw.choice(["true", "false"])}
    if draw.random() < 0.7:
        query["offset"] = round(draw.uniform(-extent, 2 * extent), draw.choice([0, 2]))
    if draw.random() < 0.5:
        query["overscan"] = draw.choice([0, 1, 128, 77.5])
    if draw.random() < 0.3:
        query["pool"] = round(query["width"] + 2 * query.get("overscan", 0) + draw.uniform(0, 900), 2)
    if draw.random() < 0.6:
        index = {"index": draw.randrange(-count, 2 * count + 1)}
        query |= draw.choice([index, {**index, "clamp": draw.choice(["true", "false"])}, {"item": f"i{draw.randrange(count + 1)}"}])
        query |= draw.choice([{}, {"align": draw.choice(["start", "center", "end", "nearest"])}, {"at": round(draw.uniform(-500, 500), 1)}])
    return query


def test_the_law_is_the_servers(open_page, tmp_path):
    strips, settings = {}, ["--gap", "7.3", "--inset", "20.1"]
    for count in [0, 1, 2, 7, 60]:
        draw = random.Random(SEED + count)
        widths = [55.5] if count == 1 else [draw.choice([0, draw.uniform(0.01, 2), draw.uniform(5, 400)]) for _ in range(count)]
        items = [{"id": f"i{n}", "kind": draw.choice(["word", "icon"]), "width": width, "fields": {"title": str(n)}} for n, width in enumerate(widths)]
        (tmp_path / "s.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
        run("import", tmp_path / "s.jsonl", "--database", tmp_path / "s.db", "--strip", f"s{count}", *settings)
        strips[f"s{count}"] = draw, items
    with serving("--database", tmp_path / "s.db") as address:
        page, server = open_page(f"{address}/?strip=s60", base_url=address), HTTPConnection(urlsplit(address).netloc)

        def get(path, **query):
            server.request("GET", f"{path}?{urlencode(query)}")
            answer = server.getresponse()
            return answer.status, json.load(answer)

        for name, (draw, items) in strips.items():
            with case(name):
                _, about = get(f"/strips/{name}")
                assert (about["gap"], about["inset"], about["loop"]) == (7.296875, 20.09375, False)
                shown = [{"index": n, **item, "size": item["width"]} for n, item in enumerate(items)]
                asked = [random_query(draw, len(items), about["extent"]) for _ in range(300)]
                for query, own in zip(asked, page.evaluate(ANSWERS, [about, shown, asked])):
                    status, theirs = get("/window", strip=name, **query)
                    if status != 200:
                        assert own == [status, theirs["parameter"]], (SEED, query)
                        continue
                    expected = {name: value for name, value in theirs.items() if name not in ("strip", "revision", "height")}
                    assert own == expected, (SEED, query)


PAGE = """<!doctype html><html lang="en"><title>Menu</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/css/strip.css">
<style>carousel-strip li > p.word { margin: 0; padding: 0 8px; font: 20px sans-serif; white-space: nowrap; }</style>
<script type="module" src="/js/embed.js"></script>
<carousel-strip strip="%s" height="40" aria-label="Menu" %s><template data-kind="card" data-measure><p class="title word">{title}</p></template></carousel-strip>"""


@pytest.fixture
def menu(open_page):
    """Opens a page of a strip whose cards are measured. `page.asked` has the queries of its windows."""

    def menu(name, attributes=""):
        page = open_page("about:blank", viewport={"width": 500, "height": 400})
        serve(page, "/menu", PAGE % (name, attributes))
        page.asked = []
        page.on("request", lambda request: "/window?" in request.url and page.asked.append(request.url))
        page.goto("/menu")
        strip = Strip(page, name)
        page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
        strip.settle()
        return strip

    return menu


SLACK = """(strip) => strip.items.map((item) => {
  const range = document.createRange();
  range.selectNodeContents(strip.nodeOf(item.index).querySelector(".word"));
  return item.size - 16 - range.getBoundingClientRect().width;
})"""


def must_fit(strip):
    slack = strip.evaluate(SLACK)
    assert len(slack) > 2 and all(-0.05 <= px < 0.1 for px in slack), slack
    starts = strip.evaluate("(strip) => strip.items.map(({ start, size }) => [start, size])")
    assert all(start + size + 8 == pytest.approx(next, abs=1e-6) for (start, size), (next, _) in zip(starts, starts[1:]))


def test_cards_are_as_wide_as_their_texts_all_along_the_strip(menu):
    strip = menu("elements")
    must_fit(strip)
    for place in [{"index": 60, "align": "center"}, {"item": "Xe"}, {"offset": 1e6}]:
        strip.scroll_to(**place)
        must_fit(strip)
    last = strip.visible()[-1]
    assert last["index"] == strip.evaluate("(strip) => strip.meta.count") - 1
    inset = strip.page.request.get("/strips/elements").json()["inset"]
    assert abs(last["x"] + last["size"] + inset - strip.width) <= 1
    assert len(strip.page.asked) <= 2
    assert strip.evaluate("(strip) => strip.querySelectorAll('li').length < 60")


def test_a_view_and_a_loop_are_measured_too(menu):
    strip = menu("elements", "loop snap=center")
    must_fit(strip)
    strip.scroll_to(offset=-3000)
    must_fit(strip)
    strip.evaluate("(strip) => (strip.where = 'category = \"Noble gas\"')")
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').meta?.view?.where")
    strip.settle()
    assert strip.evaluate("(strip) => strip.meta.count") == 6
    must_fit(strip)


def test_the_widths_of_a_long_strip_are_the_servers(menu):
    strip = menu("billion")
    strip.must_be_right()


def test_cards_fit_after_the_size_of_the_text_changes(menu):
    strip = menu("elements")
    strip.page.add_style_tag(content="carousel-strip li > p.word { font: 1rem sans-serif }")
    strip.evaluate("() => (document.documentElement.style.fontSize = '32px')")
    strip.page.wait_for_function("(words) => [...document.querySelectorAll(words)].every((word) => word.scrollWidth <= word.clientWidth)", arg=".word")
    strip.settle()
    must_fit(strip)


def test_cards_fit_after_the_font_of_the_strip_changes(menu):
    strip = menu("elements")
    # In one call, so that the cards are measured once.
    before = strip.evaluate("""(strip) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("carousel-strip li > p.word { font: inherit }");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      strip.style.font = "16px monospace";
      return strip.meta.extent;
    }""")
    strip.page.wait_for_function("(before) => document.querySelector('carousel-strip').meta.extent !== before", arg=before)
    strip.settle()
    must_fit(strip)


def test_measuring_adds_no_child_to_the_strip(menu):
    assert menu("elements").evaluate("(strip) => [...strip.children].map(({ localName }) => localName)") == ["ul", "template"]


def test_a_template_that_the_page_adds_later_has_formats_and_is_measured(menu):
    strip = menu("elements")
    late = '<template data-kind="card" data-measure><p class="word">{title} {discovered|number}</p></template>'
    strip.evaluate("(strip, html) => { const copy = strip.cloneNode(); strip.replaceWith(copy); copy.innerHTML = html; }", late)
    strip.page.wait_for_function("() => document.querySelector('[data-id=H] > .word')?.textContent === 'Hydrogen 1,766'")
    strip.settle()
    must_fit(strip)
