"""Writes the tables of the element's reference from custom-elements.json, where a page has `<!-- reference NAME -->`."""

import json
import re
from pathlib import Path

MANIFEST = Path(__file__).resolve().parent.parent / "Public/custom-elements.json"


def table(entries):
    rows = ["| name | type | meaning |", "|---|---|---|"]
    for entry in entries:
        kind = entry.get("type", {}).get("text", "")
        kind = f"`{kind}`".replace("|", "\\|") if kind else ""
        meaning = entry.get("description", "").replace("|", "\\|").replace("<", "&lt;")
        rows.append(f"| `{entry['name'] or '(default)'}` | {kind} | {meaning} |")
    return "\n".join(rows)


def on_page_markdown(markdown, **_):
    modules = json.loads(MANIFEST.read_text())["modules"]
    elements = [one for module in modules for one in module.get("declarations", []) if one.get("tagName")]

    def written(found):
        name = found[1]
        parts = []
        for element in elements:
            entries = element.get("members" if name in ("methods", "properties") else name, [])
            if name in ("methods", "properties"):
                entries = [one for one in entries if (one["kind"] == "method") == (name == "methods")]
            if entries:
                parts.append(f"`<{element['tagName']}>`\n\n{table(entries)}")
        return "\n\n".join(parts)

    return re.sub(r"<!-- reference (\w+) -->", written, markdown)
