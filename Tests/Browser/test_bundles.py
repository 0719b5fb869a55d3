"""The bundled scripts, which builds and packages serve: parts that are loaded apart act as one element."""

import gzip
import re
import shutil
import subprocess

import pytest

from conftest import ROOT, serving
from strip import IDLE, Strip, poll

PAGE = """<!doctype html><html lang="%(lang)s"><meta charset="utf-8"><title>Bundles</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="%(address)s/css/strip.css">%(scripts)s<body>%(body)s"""


@pytest.fixture(scope="module")
def bundled(tmp_path_factory):
    """The address of a server of bundled scripts."""
    public = tmp_path_factory.mktemp("bundled") / "Public"
    shutil.copytree(ROOT / "Public", public, ignore=shutil.ignore_patterns("bundle"))
    subprocess.run([ROOT / "Scripts/bundle", public], check=True)
    with serving("--public", public) as address:
        yield address


@pytest.fixture
def open_bundled(open_page, elsewhere, bundled):
    """Opens a page with these scripts. Returns the page and the paths that it requests."""

    def open_bundled(body, *scripts, lang="en", hold=None):
        page, asked = open_page("about:blank"), []
        if hold:
            page.route(*hold)
        page.on("request", lambda request: asked.append(request.url.removeprefix(bundled)))
        tags = "".join(f'<script type="module" src="{bundled}/js/{name}.js"></script>' for name in ["embed", *scripts])
        page.goto(elsewhere(PAGE % {"address": bundled, "scripts": tags, "body": body, "lang": lang}))
        return page, asked

    return open_bundled


# The greatest sizes of what a plain strip loads, gzipped, in bytes. Rarely needed code belongs into modules that are loaded on demand.
BUDGETS = {"embed": 5_490, "on-demand": 17_230}


def test_a_plain_strip_loads_two_scripts_within_their_budgets(open_bundled, bundled):
    page, asked = open_bundled('<carousel-strip strip="albums" aria-label="Albums"></carousel-strip>')
    strip = Strip(page, "albums")
    strip.settle()
    strip.scroll_to(offset=30_000)
    scripts = [path for path in asked if re.search(r"/bundle/.*\.js$", path)]
    sizes = {re.search(r"/bundle/(.*)-\w+\.js$", path)[1]: len(gzip.compress(page.request.get(bundled + path).body(), 9)) for path in scripts}
    assert sizes.keys() == BUDGETS.keys()
    assert all(sizes[name] <= BUDGETS[name] for name in BUDGETS), sizes


HEADED = "(strip) => [...strip.shadowRoot.querySelectorAll('[part=heading]')].some(({ textContent }) => textContent)"


def test_a_wall_with_headings_and_a_scrubber_asks_for_its_groups_once(open_bundled):
    held = []
    hold = ("**/groups?**", lambda route: held.append(route))  # both share an answer only while it is on its way
    page, asked = open_bundled(
        '<carousel-strip strip="landscapes" layout="rows" row="180" heading="52" controls="scrubber"></carousel-strip>', hold=hold
    )
    strip = Strip(page, "landscapes")
    strip.settle()
    page.wait_for_function("() => document.querySelector('carousel-strip').shadowRoot.querySelector('[part=scrubber]:not([disabled])')")
    poll(lambda: page.evaluate(IDLE) or held, lambda: "no groups were requested")
    page.unroute(hold[0])  # it continues them
    strip.await_titles()
    page.wait_for_function(f"() => ({HEADED})(document.querySelector('carousel-strip'))")
    groups = [path for path in asked if "/groups?" in path]
    assert len(groups) == len(set(groups)) > 0


def test_a_list_near_the_screen_that_is_added_after_the_first_input_has_its_headings(open_bundled):
    page, _ = open_bundled('<carousel-strip strip="albums"></carousel-strip><div style="height: 700px"></div>')
    Strip(page, "albums").settle()
    page.mouse.move(5, 5)
    page.evaluate("""() => {
      const list = document.createElement("carousel-strip");
      Object.assign(list, { strip: "landscapes", layout: "rows", heading: 40 });
      document.body.append(list);
    }""")
    page.wait_for_function(f"() => ({HEADED})(document.querySelectorAll('carousel-strip')[1])")


def test_the_filters_load_each_style_sheet_and_the_words_once(open_bundled):
    filters = '<carousel-search for="one"></carousel-search><carousel-facets for="one" field="genre"></carousel-facets><carousel-filters for="one"></carousel-filters>'
    body = f'{filters}<carousel-strip id="one" strip="albums" where="year &gt; 1960"></carousel-strip>'
    page, asked = open_bundled(body, "filters/search", "filters/facets", "filters/filters", lang="de")
    page.wait_for_function("() => document.querySelector('carousel-filters').shadowRoot?.querySelector('[part=chip]')?.ariaLabel.includes('entfernen')")
    page.wait_for_function("() => document.querySelector('carousel-facets').shadowRoot?.querySelector('button')")
    assert len([path for path in asked if path.endswith("/filters.css")]) == 1
    assert len([path for path in asked if path.endswith("/words/de.json")]) <= 2  # those of the strip, and those of the filters
    scripts = [path for path in asked if re.search(r"/bundle/.*\.js$", path)]
    assert len(scripts) == len(set(scripts)), scripts


def test_filters_that_are_loaded_before_the_element_have_the_names_of_fields(open_bundled):
    held = []
    body = '<carousel-facets for="one" field="genre"></carousel-facets><carousel-strip id="one" strip="albums"></carousel-strip>'
    page, asked = open_bundled(body, "filters/facets", hold=(re.compile("/on-demand-"), lambda route: held.append(route)))
    poll(lambda: page.evaluate("() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/fields-'))") and held, lambda: "not requested")
    page.evaluate("() => import(performance.getEntriesByType('resource').find(({ name }) => name.includes('/fields-')).name).then(() => {})")
    for route in held:
        route.continue_()
    page.wait_for_function("() => document.querySelector('carousel-facets').shadowRoot?.querySelector('button[part~=chip]')")
