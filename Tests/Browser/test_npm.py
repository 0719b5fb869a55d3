"""The npm package in an empty project: its types, and its modules in a bundle, in Chromium, Firefox and WebKit."""

import json
import shutil
import subprocess
import tarfile
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

from anywhere import StripAnywhere
from conftest import ROOT

MODULES = Path("/usr/share/nodejs")
MISSING = [name for name in ["tsc", "esbuild"] if not shutil.which(name)]
MISSING += [name for name in ["react", "react-dom"] if not (MODULES / name).exists()]
pytestmark = [pytest.mark.documents, pytest.mark.logic, pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")]

NODE = shutil.which("node") or str(ROOT / ".venv/bin/node")

PAGE = '<!doctype html><html lang="en"><title>npm</title><link rel="icon" href="data:,"><div id="root">%s</div><script type="module">%s</script>'

PLAIN = """
import { CarouselStrip, define } from "carousel-strip";
import "carousel-strip/search";
define(%s);
window.isOurs = customElements.get("carousel-strip") === CarouselStrip;
"""

REACT = """
import { createElement as h, useState } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { define } from "carousel-strip";
import { Application } from "./application.js";
window.said = [];
hydrateRoot(document.getElementById("root"), h(Application, { onSettle: ({ detail }) => said.push(detail.id) }), {
  onRecoverableError: (error) => said.push(String(error)),
});
define(%s);
"""

APPLICATION = """
import { createElement as h, useState } from "react";
import { CarouselStrip } from "carousel-strip/react";
export function Application({ onSettle }) {
  const [where, setWhere] = useState(null);
  const templates = { card: '<p class="title">My {title}</p>' };
  return h("main", null,
    h("button", { onClick: () => setWhere('year = "1959"') }, "1959"),
    h(CarouselStrip, { strip: "albums", where, templates, onSettle, loop: false, effects: true, initialIndex: 3, className: "mine", "aria-label": "Albums" }));
}
"""

SERVER = """
import { createElement as h } from "react";
import server from "react-dom/server";
import { Application } from "./application.js";
process.stdout.write(server.renderToString(h(Application)));
"""

GOOD = """
import { CarouselStrip as Strip, plugins, define, type Item } from "carousel-strip";
import type { CarouselSearch } from "carousel-strip/search";
import { CarouselFacets, CarouselSearch as Search, CarouselStrip, drawStrip } from "carousel-strip/react";
import { createRef } from "react";
import "carousel-strip/jsx";
define("https://strips.example/");
Strip.words = { pt: { next: "Seguinte", items: { one: "{count} item", other: "{count} itens" } } };
const typed = document.querySelector<Strip<{ title: string; year: number }>>("carousel-strip")!;
typed.addEventListener("select", ({ detail }) => console.log(detail.fields?.year.toFixed(), typed.items[0].fields?.title.trim()));
const search: CarouselSearch = document.querySelector("carousel-search")!;
search.strip?.scrollTo({ index: 3 });
const ref = createRef<Strip>();
export const one = <CarouselStrip ref={ref} strip="albums" loop initialIndex={3} onSettle={({ detail }) => console.log(detail?.id)} />;
export const two = <carousel-strip strip="albums" initial-index={3}><p className="group" /></carousel-strip>;
export const three = <carousel-facets for="albums" field="genre" />;
export const four = <><Search for="albums" /><CarouselFacets for="albums" field="genre" limit={3}>Genre</CarouselFacets></>;
export const five = async () => <CarouselStrip strip="albums" html={await drawStrip("https://strips.example/", { strip: "albums" })} />;
"""

BAD = [
    "typed.selected?.fields?.artist;",
    "define(3);",
    'export const bad = <CarouselStrip strip="albums" loop="yes" />;',
    "export const worse = <CarouselStrip onSettle={(event: string) => {}} />;",
    'export const worst = <carousel-facets for="albums" />;',
    'export const last = <CarouselFacets for="albums" />;',
]


DRAWN = """
import { createElement as h, useState } from "react";
import { CarouselFacets, CarouselSearch, CarouselStrip } from "carousel-strip/react";
export const properties = { id: "a", strip: "albums", initialIndex: 3, controls: "previous next", "aria-label": "Albums" };
export function Application({ html }) {
  const [isOther, setOther] = useState(false);
  globalThis.again = () => setOther(true);
  const own = isOther ? { ...properties, controls: "scrubber", "aria-label": null } : properties;
  return h("main", null, h(CarouselSearch, { for: "a" }), h(CarouselFacets, { for: "a", field: "genre" }, h("b", null, "Genre")),
    h(CarouselStrip, { ...own, html }));
}
"""

DRAWN_SERVER = """
import { createElement as h } from "react";
import server from "react-dom/server";
import { drawStrip } from "carousel-strip/react";
import { Application, properties } from "./drawn.js";
process.stdout.write(server.renderToString(h(Application, { html: await drawStrip(%s, properties, { width: 1280 }) })));
"""

DRAWN_CLIENT = """
import { createElement as h } from "react";
import { hydrateRoot } from "react-dom/client";
import { define } from "carousel-strip";
import { Application } from "./drawn.js";
window.said = [];
window.cards = [...document.querySelectorAll("li")];
hydrateRoot(document.getElementById("root"), h(Application, { html: "" }), { onRecoverableError: (error) => said.push(String(error)) });
define(%s);
"""

CHANGED = """
import { createElement as h, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { define } from "carousel-strip";
import { CarouselStrip } from "carousel-strip/react";
const html = %s;
function Application() {
  const [more, setMore] = useState({});
  window.change = setMore;
  return h("main", null, more && h(CarouselStrip, { strip: "albums", "aria-label": "Albums", ...more, html }));
}
hydrateRoot(document.getElementById("root"), h(Application));
window.node = document.querySelector("carousel-strip");
node.addEventListener("reload", () => (window.reloads = (window.reloads ?? 0) + 1));
define(%%s);
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """An empty project with the package and React."""
    folder = tmp_path_factory.mktemp("project")
    packed = subprocess.run([ROOT / "Scripts/npm", folder], check=True, capture_output=True, text=True).stdout.strip()
    modules = folder / "node_modules"
    modules.mkdir()
    with tarfile.open(packed) as archive:
        archive.extractall(modules, filter="data")
    (modules / "package").rename(modules / "carousel-strip")
    for name in ["react", "react-dom", "scheduler", "loose-envify", "js-tokens", "@types"]:
        shutil.copytree(MODULES / name, modules / name)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "application.js").write_text(APPLICATION)
    return folder


@pytest.fixture
def open_bundle(engine, address, project, elsewhere):
    """Bundles a module, and opens a page of another origin with it. An error or warning in the console fails the test at its end."""
    with ExitStack() as pages:

        def open_bundle(source, html):
            (project / "main.js").write_text(source % json.dumps(address))
            command = ["esbuild", "main.js", "--bundle", "--format=esm", '--define:process.env.NODE_ENV="production"', "--log-level=error"]
            bundle = subprocess.run(command, cwd=project, check=True, capture_output=True, text=True).stdout
            pages.enter_context(engine.show(1280, 800, 1))
            engine.goto(elsewhere(PAGE % (html, bundle)))
            strip = StripAnywhere(engine, address, "albums", 1)
            strip.settle()
            return strip

        yield open_bundle
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


def test_a_bundle_shows_a_strip_of_the_server(open_bundle):
    html = '<carousel-search for="a"></carousel-search><carousel-strip id="a" lang="de" strip="albums" controls="next"></carousel-strip>'
    strip = open_bundle(PLAIN, html)
    assert strip.evaluate("() => window.isOurs")
    strip.must_be_right()
    strip.wait_until("(strip) => strip.shadowRoot.querySelector('[part=step]').ariaLabel === 'Weiter'")
    strip.evaluate("(strip) => (strip.q = 'blue')")
    strip.wait_until("() => document.querySelector('carousel-search').shadowRoot.querySelector('input').value === 'blue'")


def test_the_react_component_renders_and_updates(open_bundle, project):
    (project / "server.js").write_text(SERVER)
    html = subprocess.run([NODE, "server.js"], cwd=project, check=True, capture_output=True, text=True).stdout
    assert 'strip="albums" effects="" initial-index="3" class="mine"' in html
    assert "loop" not in html
    strip = open_bundle(REACT, html)
    strip.wait_until("() => window.said.length > 0")
    assert strip.evaluate("(strip) => [strip.items.length > 0, strip.loop, strip.effects]") == [True, False, True]
    strip.settle()
    first = strip.visible()[0]
    assert (first["index"], first["title"][:3]) == (3, "My ")
    strip.evaluate("() => document.querySelector('button').click()")
    strip.wait_until("(strip) => strip.meta.view?.where.includes('1959')")
    assert strip.evaluate("() => window.said")[0] == first["id"]


def test_the_react_component_draws_on_the_server_and_the_filters_are_components(open_bundle, project, address):
    (project / "drawn.js").write_text(DRAWN)
    (project / "server.js").write_text(DRAWN_SERVER % json.dumps(address))
    html = subprocess.run([NODE, "server.js"], cwd=project, check=True, capture_output=True, text=True).stdout
    assert 'data-index="3"' in html and 'initial-index="3"' in html
    assert '<carousel-search for="a"></carousel-search><carousel-facets for="a" field="genre"></carousel-facets>' in html
    strip = open_bundle(DRAWN_CLIENT, html)
    strip.must_be_right()
    assert strip.evaluate("(strip) => [said, cards.length > 3, cards.every((one) => one.isConnected), strip.querySelectorAll('ul').length]") == [[], True, True, 1]
    strip.wait_until("() => document.querySelector('carousel-facets').shadowRoot?.querySelector('[part~=chip]')")
    assert strip.evaluate("() => document.querySelector('carousel-facets').textContent") == "Genre"
    strip.evaluate("() => again()")
    strip.wait_until("(strip) => strip.controls === 'scrubber' && !strip.hasAttribute('aria-label')")
    strip.evaluate("() => document.querySelector('carousel-facets').shadowRoot.querySelector('[part~=chip]').click()")
    strip.wait_until("(strip) => strip.meta.view?.where")
    strip.settle()


def test_an_update_keeps_the_element_that_was_drawn_on_the_server(open_bundle, address):
    with urlopen(f"{address}/window?strip=albums&width=1280&overscan=128&format=element") as answer:
        html = answer.read().decode().strip()
    strip = open_bundle(CHANGED % json.dumps(html).replace("%", "%%"), f"<main><div>{html}</div></main>")
    strip.scroll_to(index=30)
    first = strip.visible()[0]
    for change in [{"where": "year > 1960"}, {"where": "year > 1960", "sort": "-year"}, {"q": "the"}, {"strip": "elements"}, {}, {"height": 120}]:
        strip.evaluate("(strip, change) => { window.reloads = 0; change.title = 'Other'; window.change(change) }", change)
        strip.wait_until("(strip) => strip !== node || window.reloads")
        strip.settle()
        query = {name: value for name, value in {"strip": "albums", **change}.items() if name != "title"}
        assert strip.evaluate("(strip) => [strip === node, strip.meta.count]") == [True, strip.window(**query)["count"]], change
        if change == {"where": "year > 1960"}:
            assert strip.visible()[0]["id"] == first["id"] and strip.offset > 0
    strip.evaluate("() => window.change(null)")
    strip.wait_until("() => !node.isConnected")
    strip.evaluate("() => window.change({ where: 'year = 1959' })")
    strip.wait_until("(strip, count) => strip.meta?.count === count", strip.window(where="year = 1959")["count"])


def test_the_types_compile_and_reject_errors(project):
    refused = "".join(f"// @ts-expect-error\n{line}\n" for line in BAD)
    (project / "use.tsx").write_text(GOOD + refused)
    options = "--noEmit --strict --skipLibCheck --target es2022 --lib es2022,dom --module node16 --moduleResolution node16 --jsx react-jsx"
    assert subprocess.run(["tsc", *options.split(), "use.tsx"], cwd=project, capture_output=True, text=True).stdout == ""


def test_the_package_names_files_that_it_has(project):
    package = project / "node_modules/carousel-strip"
    said = json.loads((package / "package.json").read_text())
    targets = [path for entry in said["exports"].values() for path in (entry.values() if isinstance(entry, dict) else [entry])]
    for path in [*targets, said["main"], said["types"], said["customElements"], *said["sideEffects"]]:
        assert list(package.glob(path.removeprefix("./"))), path
