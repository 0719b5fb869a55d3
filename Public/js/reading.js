// A strip as it is read out: a carousel that says its size, in the order in which it stands.
import { labelOf, placeOf } from "./labels.js";

/** Roles, names and places for a strip and its cards; at rest, the document's order is that of reading. */
export function reading(strip, signal) {
  const list = strip.querySelector("ul");
  strip.role ??= "region";
  strip.ariaRoleDescription ??= "carousel";
  list.ariaOrientation = "horizontal";
  if (!strip.hasAttribute("aria-labelledby")) strip.ariaLabel ??= strip.getAttribute("strip") ?? "Strip";
  for (const name of ["aria-label", "aria-labelledby"]) {
    if (strip.hasAttribute(name)) list.setAttribute(name, strip.getAttribute(name));
  }
  strip.addEventListener("windowchange", () => {
    say(strip);
    for (const node of list.children) node.inert = node.hidden;
  }, { signal });
  strip.addEventListener("willdisplay", ({ detail }) => label(detail, strip.head.count), { signal });
  strip.addEventListener("settle", () => order(strip), { signal });
}

function say(strip) {
  const { count } = strip.head;
  for (const item of strip.items) label({ item, node: strip.nodeOf(item.index) }, count);
}

function label({ item, node }, count) {
  if (!node) return;
  put(node, "aria-posinset", placeOf(item.index, count));
  put(node, "aria-setsize", count);
  if (item.fields) put(node, "aria-label", labelOf(item, count));
}

function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Moves cards in the document until they follow one another; the one with the focus stays where it is. */
function order(strip) {
  const nodes = strip.items.map(({ index }) => strip.nodeOf(index)).filter(Boolean);
  const pivot = Math.max(0, nodes.findIndex((node) => node.contains(document.activeElement)));
  for (let k = pivot + 1; k < nodes.length; k += 1) {
    if (nodes[k - 1].nextElementSibling !== nodes[k]) nodes[k - 1].after(nodes[k]);
  }
  for (let k = pivot - 1; k >= 0; k -= 1) {
    if (nodes[k + 1].previousElementSibling !== nodes[k]) nodes[k + 1].before(nodes[k]);
  }
}
