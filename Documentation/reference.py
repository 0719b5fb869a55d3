"""Replaces the tables of the element's reference by entries with live examples: what is between `<!-- reference NAME -->` and
`<!-- end -->`. The entries are those of custom-elements.json.

Each entry is a line that opens a live example. Those of attributes are in element.json. This file has the values of custom
properties, the children of slots, and calls of methods.
"""

import json
import re
import textwrap
from html import escape, unescape
from pathlib import Path

from mkdocs.structure.files import File
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import find_lexer_class_by_name
from pygments.util import ClassNotFound

MANIFEST = Path(__file__).resolve().parent.parent / "Public/custom-elements.json"

# The attributes of the example for an attribute. Without them there is no example: `list` needs a list on the server, and
# `history` needs the address of the page.
ATTRIBUTES = {one["name"]: one.get("example") for one in json.loads(MANIFEST.parents[1].joinpath("Documentation/element.json").read_text())["attributes"]}
METHODS = {
    "scrollTo": 'strip.scrollTo({ item: "a30", align: "center", behavior: "smooth" })',
    "select": "strip.select(7)",
    "deselect": "strip.deselect()",
    "reload": "strip.reload()",
    "refetch": 'strip.refetch([{ item: "a30", at: 40 }, { offset: 600 }])',
    "clamp": "strip.clamp(-50)",
    "clampIndex": "strip.clampIndex(500)",
    "offsetOf": 'strip.offsetOf(strip.items[2], "start")',
    "window": "strip.window({ index: 30, width: 1 })",
    "requestDraw": "strip.requestDraw()",
    "emit": 'strip.emit("greeting", { from: "the page" })',
    "kind": 'strip.kind("album", { fill: (card) => (card.style.opacity = 0.5) })',
    "option": 'strip.option("controls")',
    "nodeOf": "strip.nodeOf(strip.items[0].index)",
    "scroll": "strip.scroll(300, 0)",
    "scrollBy": 'strip.scrollBy({ left: 300, behavior: "smooth" })',
}
SLOTS = {
    "": '<template data-kind="card"><p class="title">{title}</p></template><ul></ul>',
    "previous": '<span slot="previous">Back</span>',
    "next": '<span slot="next">On</span>',
    "controls": '<a slot="controls" href="index.html">More</a>',
    "form": '<form slot="form"><input name="q" aria-label="Search"></form>',
}
# The values of custom properties that are not colors. None means no example, because the element sets the property.
VALUES = {
    "--caption": "6rem",
    "--radius": "2rem",
    "--per-view": "2.5",
    "--indicator-height": "12px",
    "--indicator-duration": "2s",
    "--indicator-easing": "linear",
    "--strip-sans": "monospace",
    "--strip-serif": "monospace",
    "--strip-height": "96",
    "--strip-inset": "64",
    "--strip-snap": "center",
    "--strip-step": "item",
    "--strip-controls": "dots",
    "--strip-autoplay": "marquee 40",
    "--strip-loop": "on",
    "--strip-effects": "on",
    "--strip-indicator": "on",
    "--strip-columns": "3",
    "--strip-column": "120",
    "--strip-row": "120",
    **dict.fromkeys(["--height", "--along", "--before", "--sticky-edge", "--turned", "--progress", "--progress-clamped", "--progress-abs", "--rows", "--strip-option", "--placeholder-width", "--placeholder-height", "--placeholder-gap", "--placeholder-cell", "--placeholder-picture", "--placeholder-line"]),
}
PARTS = {
    "notice": 'strip="albums" q="no such album"',
    "pause": 'strip="albums" autoplay="marquee 20"',
    "indicator": 'strip="albums" indicator selection="current"',
    "heading": 'strip="elements" layout="rows" row="120" heading="40"',
}
# The parts of facets in a list, and those of a range.
LISTED = {"options", "option", "check", "find", "slider", "handle", "display"}
RANGED = {"range", "limit", "unit", "slider", "handle"}
ALL = 'strip="albums" controls="previous scrubber dots next"'


def strip(attributes, content=""):
    return f'<carousel-strip {attributes} aria-label="Example">{content}</carousel-strip>'


def example(tag, group, name):
    """The HTML, CSS and JavaScript of a live example; an empty text for a part that it does not need. None if there is no example."""
    element = f"{tag}-{group}-{name}"
    if tag != "carousel-strip":
        shape = ' display="list"' if name in LISTED else ""
        field = "number" if name in RANGED else "category"
        attributes = f'for="{{0}}" field="{field}"{shape}' if tag == "carousel-facets" else 'for="{0}"'
        filters = f"<{tag} {attributes.format(element)}>{SLOTS[name] if group == 'slots' and name else ''}</{tag}>"
        view = " where='category = \"Noble gas\" AND number < 80' q=\"n\"" if tag == "carousel-filters" else ""
        css = f"{tag}::part({name}) {{ outline: 2px solid crimson }}" if group == "cssParts" else ""
        return filters + "\n" + strip(f'id="{element}" strip="elements"{view}'), css, ""
    if (group, name) == ("attributes", "for"):
        return strip('id="main" strip="albums" snap="center" inset="center" selection="current"') + "\n" + strip('for="main" strip="albums" height="64"'), "", ""
    if group == "attributes":
        return ATTRIBUTES[name] and (strip(ATTRIBUTES[name]), "", "")
    if group == "slots":
        return strip(ALL, SLOTS[name]), "", ""
    if group == "cssParts":
        return strip(PARTS.get(name, ALL)), f"carousel-strip::part({name}) {{ outline: 2px solid crimson }}", ""
    if group == "cssProperties":
        value = VALUES.get(name, "crimson")
        layout = {"--strip-columns": "grid", "--strip-column": "grid", "--strip-row": "rows"}.get(name)
        attributes = f'strip="albums" layout="{layout}"' if layout else 'strip="albums" indicator initial-index="2"'
        return value and (strip(attributes), f"carousel-strip {{ {name}: {value} }}", "")
    if group == "events":
        wrong = ' where="unknown = 1"' if name == "error" else ""
        script = f'strip.addEventListener("{name}", ({{ detail }}) => show(detail))'
        return strip(f'strip="albums" controls="previous next" snap="start"{wrong}'), "", script
    call = METHODS[name] if group == "methods" else f"strip.{name}"
    return strip('strip="albums" snap="start"'), "", f"show(await {call})"


def entries_of(element, group):
    if group not in ("methods", "properties"):
        return element.get(group, [])
    is_method = group == "methods"
    return [one for one in element.get("members", []) if (one["kind"] == "method") == is_method]


def described(tag, group, entry):
    """The HTML of an entry: its name and description, and its example. The example starts when a reader opens the entry."""
    kind = entry.get("type", {}).get("text", "")
    description = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(entry["description"]))
    line = f"<code>{escape(entry['name'] or '(default)')}</code> <span>{description}</span>"
    kind = f"<p><code>{escape(kind)}</code></p>" if kind else ""
    found = None if entry.get("reflects") else example(tag, group, entry["name"])
    anchor = f"{group}-{entry['name']}" if tag == "carousel-strip" else f"{group}-{tag}-{entry['name']}"
    if not found:
        return f'<div class="entry" id="{anchor}"><p>{line}</p>{kind}</div>'
    html, css, script = found
    lines = [wrapped for line in html.split("\n") for wrapped in textwrap.wrap(line, 84, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)]
    code = "\n".join(part for part in [*lines, css and f"<style>{css}</style>", script and f"<script>\n  {script}\n</script>"] if part)
    name = f"{tag}-{group}-{entry['name'].lstrip('-')}"
    output = f'<button type="button">Run</button> <output data-run="{name}"></output>' if script else ""
    return (
        f'<details class="entry" id="{anchor}" data-example="{name}"><summary>{line}</summary>{kind}'
        f'<template>{html}</template><div>{output}</div><pre><code class="language-html">{escape(code)}</code></pre></details>'
    )


def elements():
    modules = json.loads(MANIFEST.read_text())["modules"]
    return [one for module in modules for one in module.get("declarations", []) if one.get("tagName")]


# Pages that stand beside the folder of the site, and a picture of one.
BESIDE = ["Operating.md", "Runbooks.md", "Scaling.md", "caching.md", "engine.md", "engine-growth.svg"]
ROOT = MANIFEST.parents[1]
texts = {}  # paths of examples that pages link to, by the name of their text in the site


def on_files(files, config, **_):
    for name in BESIDE:
        files.append(File(name, str(ROOT / "Documentation"), config["site_dir"], use_directory_urls=False))
    return files


def example_link(found):
    """A link to an example leads to its text: that of a file, or of all files of a folder."""
    label, path = found.groups()
    name = path.removeprefix("Examples/").replace("/", "-").replace(".", "-") + ".txt"
    texts[name] = path
    return f'<a href="{name}">{label}</a>'


def text_of(path):
    path = ROOT / path
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    return "\n\n".join(one.read_text() if one is path else f"// {one.relative_to(path)}\n\n{one.read_text()}" for one in files)


# The card of the strip `landscapes`, as on the server's page: a drawing, and the gradients that it shares with all others.
CARD, GRADIENTS = (re.search(part, MANIFEST.with_name("index.html").read_text(), re.S)[0] for part in ['<template data-kind="landscape">.*?</template>', '<svg class="unseen".*?</svg>'])


def live(found):
    """An example above its code."""
    return f"<div class='live'>{' '.join(found[1].split())}</div>\n\n```html\n{found[1]}```"


def on_page_markdown(markdown, **_):
    markdown = re.sub(r"```html live\n(.*?)```", live, markdown, flags=re.S)
    markdown = re.sub(r"\[([^]]+)\]\((?:\.\./)+(Examples/[^)]+)\)", example_link, markdown)
    markdown = re.sub(rf"\]\((?:\.\./(?={'|'.join(BESIDE)})|site/)", "](", markdown)
    markdown = re.sub(r"\[([^]]+)\]\((?:\.\./Deployment/[^)]*|(?:Storage|http|Swift|Layouts)\.md[^)]*)\)", r"\1", markdown)  # of the repository alone

    def written(found):
        group = found[1]
        parts = []
        for element in elements():
            tag = element["tagName"]
            if entries := entries_of(element, group):
                parts += [f"`<{tag}>`", "\n".join(described(tag, group, entry) for entry in entries)]
        return "\n\n".join(parts)

    def linked(found):
        return re.sub(r"`([\w-]+)`", r'<a href="#attributes-\1"><code>\1</code></a>', found[1])

    markdown = re.sub(r"<!-- links -->\n\n(.*?)<!-- end -->", linked, markdown, flags=re.S)
    return re.sub(r"<!-- reference (\w+) -->.*?<!-- end -->", written, markdown, flags=re.S)


def colored(found):
    """A block of code in which each token has the class of its kind, for the colors, and each line an element, for its indentation."""
    language, code = found.groups()
    try:
        lexer = find_lexer_class_by_name(language)(ensurenl=False, stripnl=False)
    except ClassNotFound:
        return found[0]
    marked = highlight(unescape(code).rstrip("\n"), lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    lines = re.sub(r"(?<=>)--?[a-z][\w-]*(?=<)", r'<span class="option">\g<0></span>', marked).split("\n")
    return f'<code class="language-{language}">' + "\n".join(f'<span class="line">{line}</span>' for line in lines) + "</code>"


def on_page_content(html, **_):
    """Code and tables that are wider than the page can be scrolled with the keyboard. A name stays on one line."""
    html = re.sub(r"(?<!<p>)(?<!<summary>)(?<!<pre>)<code>([^<\s]{1,30}</code>|-[^<]{1,30}</code>)", r'<code class="option">\1', html)
    html = html.replace("<table>", '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>').replace("</table>", "</table></div>")
    html, number = re.subn(r'(<carousel-strip strip="landscapes"[^>]*>)(?=</carousel-strip>)', lambda found: found[1] + CARD, html)
    html += GRADIENTS if number else ""
    html = re.sub(r'<pre>(?=<code(?: class="language-(\w+)")?>)', lambda found: f'<div class="code" data-language="{found[1] or "text"}"><pre tabindex="0">', html)
    # Marks for the search, which shows sentences: around code, and after each block of text.
    html = re.sub(r"<(pre|carousel-strip|template|button)\b.*?</\1>|(?<=<td>)<code[^>]*>[{[].*?</code>(?=</td>)", "\ue000\\g<0>\ue001", html, flags=re.S)
    html = re.sub("</(p|li|tr|summary)>", "\\g<0>\ue002", html)
    return html.replace("</pre>", "</pre></div>")


def on_page_context(context, page, **_):
    """Removes the marks and colors the code, after the index of the search has the text."""
    page.content = re.sub("[\ue000-\ue002]", "", page.content)
    page.content = re.sub(r'<code class="language-(?!text)(\w+)">(.*?)</code>', colored, page.content, flags=re.S)


def on_post_build(config, **_):
    write_examples(Path(config["site_dir"]))
    write_texts(Path(config["site_dir"]), config)
    for name, path in texts.items():
        Path(config["site_dir"], name).write_text(text_of(path))
    # The sitemap has no addresses.
    for file in Path(config["site_dir"]).glob("sitemap*"):
        file.unlink()


def write_texts(site, config):
    """Writes the pages as one Markdown file, and a list of them, for programs that read documentation."""
    files = [file for group in config["nav"] for entries in group.values() for file in entries]
    texts = [Path(ROOT / "Documentation" if file in BESIDE else config["docs_dir"], file).read_text() for file in files]
    lines = [f"- [{text.splitlines()[0].removeprefix('# ')}]({Path(file).with_suffix('.html')})" for file, text in zip(files, texts)]
    site.joinpath("llms.txt").write_text("# carousel\n\nStrips, lists, grids and photo walls of any length. All pages in one file: all.md\n\n" + "\n".join(lines) + "\n")
    site.joinpath("all.md").write_text("\n\n".join(on_page_markdown(text) for text in texts))


def write_examples(site):
    """Writes the styles and the scripts of the examples to files. The server's Content-Security-Policy forbids them in a page."""
    styles, scripts = [], []
    for element in elements():
        tag = element["tagName"]
        for group in ["attributes", "events", "methods", "properties", "cssParts", "slots", "cssProperties"]:
            for entry in entries_of(element, group):
                found = None if entry.get("reflects") else example(tag, group, entry["name"])
                name = f"{tag}-{group}-{entry['name'].lstrip('-')}"
                if found and found[1]:
                    styles.append(f'[data-example="{name}"] {found[1]}')
                if found and found[2]:
                    scripts.append(f'  "{name}": async (strip, show) => {found[2]},')
    site.joinpath("examples.css").write_text("\n".join(styles) + "\n")
    site.joinpath("runs.js").write_text("export const runs = {\n" + "\n".join(scripts) + "\n};\n")
