// A strip as it is read out: a carousel that says its size, in the order in which it stands.
import { focusedIn } from "./card.js";
import { behaviours } from "./element.js";
import { labelOf, placeOf } from "./labels.js";
import "./properties.js";

/** Roles, names and places for a strip and its cards; at rest, the document's order is that of reading. */
behaviours.add((strip, on) => {
  const list = strip.querySelector("ul");
  strip.role ??= "region";
  strip.ariaRoleDescription ??= "carousel";
  list.ariaOrientation = "horizontal";
  if (!strip.hasAttribute("aria-labelledby")) strip.ariaLabel ??= strip.strip;
  list.ariaLabel = strip.ariaLabel ?? "Items";
  on("windowchange settle", () => {
    const { count } = strip.head;
    for (const item of strip.items) {
      const said = { ariaPosInSet: placeOf(item.index, count), ariaSetSize: count, ariaLabel: labelOf(item, count) };
      Object.assign(strip.nodeOf(item.index), said);
    }
    for (const node of list.children) node.inert = node.hidden;
  });
  // The one with the focus stays where it is.
  on("settle", () => {
    const nodes = strip.items.map((item) => strip.nodeOf(item.index));
    if (nodes.every((node, k) => !k || node === nodes[k - 1].nextSibling)) return;
    const pivot = Math.max(0, nodes.indexOf(focusedIn(strip)));
    nodes[pivot].before(...nodes.slice(0, pivot));
    nodes[pivot].after(...nodes.slice(pivot + 1));
  });
});
