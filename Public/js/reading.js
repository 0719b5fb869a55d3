// A strip as it is read out: a carousel that says its size, in the order in which it stands.
import { put } from "./card.js";
import { labelOf, placeOf } from "./labels.js";
import { listen } from "./listen.js";

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
  listen(strip, "windowchange settle", () => {
    const { count } = strip.head;
    for (const item of strip.items) {
      const node = strip.nodeOf(item.index);
      put(node, "aria-posinset", placeOf(item.index, count));
      put(node, "aria-setsize", count);
      put(node, "aria-label", labelOf(item, count));
    }
    for (const node of list.children) node.inert = node.hidden;
  }, signal);
  listen(strip, "settle", () => order(strip.items.map(({ index }) => strip.nodeOf(index))), signal);
}

/** Moves cards in the document until they follow one another; the one with the focus stays where it is. */
function order(nodes) {
  const pivot = Math.max(0, nodes.findIndex((node) => node.matches(":focus-within")));
  for (let k = pivot + 1; k < nodes.length; k += 1) {
    if (nodes[k - 1].nextElementSibling !== nodes[k]) nodes[k - 1].after(nodes[k]);
  }
  for (let k = pivot - 1; k >= 0; k -= 1) {
    if (nodes[k + 1].previousElementSibling !== nodes[k]) nodes[k + 1].before(nodes[k]);
  }
}
