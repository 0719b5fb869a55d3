"""custom-elements.json and the TypeScript declarations match the code. Scripts/lint checks what Scripts/manifest generates."""

import json
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

JS = ROOT / "Public/js"
CSS = ROOT / "Public/css"
TSC = shutil.which("tsc")

# The members of the element's class and its base class: [name, kind, writable]. The tests themselves add `figures`.
MEMBERS = """async () => {
  const CarouselStrip = await customElements.whenDefined("carousel-strip");
  const hidden = /^(connected|connectedMove|disconnected|attributeChanged)Callback$|^constructor$|^drawnView$|^isStale$|^isReloading$|^figures$/;
  const members = { ...Object.getOwnPropertyDescriptors(Object.getPrototypeOf(CarouselStrip.prototype)),
    ...Object.getOwnPropertyDescriptors(CarouselStrip.prototype) };
  return Object.entries(members)
    .filter(([name]) => !hidden.test(name))
    .map(([name, { value, set }]) => [name, typeof value === "function" ? "method" : "field", !!set]);
}"""


def sources():
    """The modules of the element: element/define.js, and all modules that it imports, also later."""
    found, left = {}, [JS / "element/define.js"]
    while left:
        path = left.pop()
        if path in found:
            continue
        found[path] = path.read_text()
        left += [(path.parent / name).resolve() for name in re.findall(r'(?:from |import\()"(\.[\w./-]+\.js)"', found[path])]
    return "\n".join(found.values())


def table_of_attributes():
    return re.search(r"ATTRIBUTES = \{(.*?)\n\};", sources(), re.S)[1]


def declared():
    return json.loads((ROOT / "Public/custom-elements.json").read_text())["modules"][0]["declarations"][0]


def typed():
    return (JS / "element.d.ts").read_text()


def of_class(text):
    return text[text.index("export class CarouselStrip") : text.index("\n}", text.index("export class CarouselStrip"))]


def names(entries):
    return sorted(entry["name"] for entry in entries)


def test_members_are_those_of_the_class(open_page):
    members = open_page("/?strip=albums").evaluate(MEMBERS)
    assert sorted(name for name, _, _ in members) == names(declared()["members"])
    said = {entry["name"]: (entry["kind"], not entry.get("readonly", False)) for entry in declared()["members"]}
    for name, kind, writable in members:
        assert said[name] == (kind, True if kind == "method" else writable), name


def test_the_types_have_the_same_members():
    body = re.sub(r"/\*\*.*?\*/", "", of_class(typed()), flags=re.S)
    body = re.sub(r"^  get (\w+)\(\)", r"  \1", body, flags=re.M)
    fields = re.findall(r"^  (readonly )?(\w+)[:;] ?", body, re.M)
    methods = set(re.findall(r"^  (\w+)(?:<[^(]*>)?\(", body, re.M)) - {"addEventListener"}
    said = declared()["members"]
    assert sorted(name for _, name in fields) == names(entry for entry in said if entry["kind"] == "field")
    assert sorted(methods) == names(entry for entry in said if entry["kind"] == "method")
    for readonly, name in fields:
        entry = next(entry for entry in said if entry["name"] == name)
        assert (readonly == "readonly ") == entry.get("readonly", False), name


def test_each_class_names_its_superclass():
    modules = json.loads((ROOT / "Public/custom-elements.json").read_text())["modules"]
    parents = {one["name"]: one["superclass"]["name"] for module in modules for one in module.get("declarations", [])}
    assert parents == {
        **{"CarouselStrip": "ScrollingElement", "ScrollingElement": "HTMLElement"},
        **{"CarouselSearch": "StripFilter", "CarouselFacets": "StripFilter", "CarouselFilters": "StripFilter", "StripFilter": "HTMLElement"},
    }


# The modules that create parts for another one.
PARTS_OF = {"facets": ["facet-options", "facet-range"]}


@pytest.mark.parametrize("module", ["search", "facets", "filters"])
def test_attributes_and_parts_of_a_filter_are_those_of_the_code(module):
    source = "".join((JS / f"filters/{name}.js").read_text() for name in [module, *PARTS_OF.get(module, []), "strip-filter"])
    modules = {one["path"]: one for one in json.loads((ROOT / "Public/custom-elements.json").read_text())["modules"]}
    [said] = modules[f"js/filters/{module}.js"]["declarations"]
    parts = [part for text in re.findall(r'\bpart(?:: | = .*?)"(\w[ \w]*)"', source) for part in text.split()]
    assert sorted(set(parts)) == names(said["cssParts"])
    read = set(re.findall(r'this\.getAttribute\("([a-z-]+)"\)', source))
    assert sorted(read) == names(said["attributes"])


def test_attributes_are_those_that_the_code_reads(open_page):
    read = set(re.findall(r'(?:get|has)Attribute\("([a-z-]+)"\)', sources()))
    read |= set(re.findall(r'(?:withOption|\boption)\("([a-z-]+)"', sources()))
    properties = re.findall(r"^  (\w+):", table_of_attributes(), re.M)
    asked = [name for name in properties if re.search(rf"strip\.{name}\b|\{{[^}}]*\b{name}\b[^}}]*\}} = strip;", sources())]
    read |= set(re.findall(r'(\w+):.* changes: "items"', table_of_attributes()))  # in one loop
    read |= {re.sub("[A-Z]", lambda letter: "-" + letter[0].lower(), name) for name in asked}
    ours = {name for name in read if not name.startswith(("aria-", "data-")) and name not in ("src", "tabindex")}
    assert sorted(ours) == names(declared()["attributes"])


def test_the_server_sets_each_attribute(open_page):
    page = open_page("/?strip=albums")
    parameters = {"strip", "list", "where", "q", "sort", "height", "layout", "columns", "column", "row", "line", "cell", "caption", "heading"}  # of /window: the element has them as attributes
    for entry in declared()["attributes"]:
        if entry["name"] not in parameters:
            answer = page.request.get("/window", params={"strip": "albums", "format": "element", f"attr-{entry['name']}": "3"})
            assert f' {entry["name"]}="3"' in answer.text(), entry["name"]


def test_each_attribute_is_mirrored_by_a_property(open_page):
    page = open_page("/?strip=albums")
    for entry in [one for one in declared()["attributes"] if "fieldName" in one]:
        kind = entry["type"]["text"]
        value, text = {"string": ("x", "x"), "number": (12, "12"), "boolean": (True, "")}[kind]
        there, back, gone = page.evaluate("""([attribute, property, value, text]) => {
          const made = document.createElement("carousel-strip");
          made[property] = value;
          const there = made.getAttribute(attribute);
          made.setAttribute(attribute, text);
          const back = made[property];
          made[property] = typeof value === "boolean" ? false : null;
          return [there, back, [made.hasAttribute(attribute), made[property]]];
        }""", [entry["name"], entry["fieldName"], value, text])
        assert (there, back) == (text, value), entry["name"]
        assert gone == [False, False if kind == "boolean" else None], entry["name"]


def test_events_are_those_that_the_code_dispatches():
    calls = re.findall(r"\b(?:emit|notify)(?:\?\.)?\(([^;]*?)[,)]", sources())
    told = {name for call in calls for name in re.findall(r'"(\w+)"', call)}
    assert sorted(told) == names(declared()["events"])
    events = typed()[typed().index("interface CarouselStripEvents") :].split("\n}")[0]
    assert sorted(re.findall(r"^  (\w+): CustomEvent", events, re.M)) == sorted(told)


def test_parts_are_those_that_the_code_creates():
    made = set(re.findall(r'\bpart: "(\w+)"', sources())) | set(re.findall(r'\.part = "(\w+)"', sources()))
    assert sorted(made) == names(declared()["cssParts"])
    styled = set(re.findall(r'\[part="(\w+)"\]', "".join((CSS / f"{name}.css").read_text() for name in ["strip", "controls", "layouts"])))
    assert styled == made


def test_custom_properties_are_those_that_styles_and_code_use():
    text = sources() + "".join((CSS / f"{name}.css").read_text() for name in ["strip", "card", "controls", "layouts"])
    used = set(re.findall(r"(?:var\(|^  )(--[a-z-]+)", text, re.M)) | set(re.findall(r'Property(?:Value)?\("(--[a-z-]+)"', text))
    used |= {f"--strip-{name}" for name in re.findall(r"(\w+):.*isResponsive", table_of_attributes())}
    assert sorted(used) == names(declared()["cssProperties"])


@pytest.mark.skipif(not TSC, reason="node-typescript is not installed")
def test_the_types_compile_and_reject_errors(tmp_path):
    (tmp_path / "element.d.ts").write_text(typed())
    good = """
      import { CarouselStrip, plugins } from "./element";
      const strip: CarouselStrip = document.querySelector("carousel-strip")!;
      strip.addEventListener("select", ({ detail }) => { const how: "tap" | "key" | "code" | "slide" = detail.origin; });
      strip.addEventListener("click", () => {});
      strip.loop = true;
      strip.height = 200;
      strip.autoplay = 3000;
      document.addEventListener("settle", ({ detail }) => { const id: string | undefined = detail?.id; });
      document.body.addEventListener("willdisplay", ({ detail: { node } }) => { node.inert = false; });
      void strip.scrollTo({ item: "a6", align: "center", behavior: "smooth" });
      void strip.scrollTo({ left: 10 });
      plugins.add((one, on) => on("settle", () => one.deselect()));
    """
    bad = ['strip.height = "tall";', "strip.offset = 3;", 'void strip.scrollTo({ align: "middle" });', "strip.extent;"]
    refused = "".join(f"// @ts-expect-error\n{line}\n" for line in bad)
    (tmp_path / "use.ts").write_text(good + refused)
    command = [TSC, "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--moduleResolution", "node", "use.ts"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout == ""
