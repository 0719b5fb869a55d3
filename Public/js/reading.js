// A strip as it is read out: a carousel that says its size, in the order in which it stands.
import { focusedIn } from "./card.js";
import { behaviours } from "./element.js";
import { labelOf, placeOf } from "./labels.js";
import "./properties.js";

/**
 * Roles, names and places for a strip and its cards: options of a listbox, or items of a list where the page has a
 * `<ul role="list">`, for options may have no buttons or links inside. At rest, the document's order is that of reading.
 */
behaviours.add((strip, on) => {
  const list = strip.querySelector("ul");
  const isList = list.role === "list";
  strip.role ??= "region";
  strip.ariaRoleDescription ??= "carousel";
  strip.ariaLabel ??= strip.strip; // where `aria-labelledby` says nothing else
  list.ariaLabel = strip.ariaLabel ?? "Items";
  if (!isList) Object.assign(list, { role: "listbox", ariaOrientation: "horizontal" });
  on("draw", () => {
    for (const node of list.children) {
      const isSelected = "selected" in node.dataset;
      if (isList) node.ariaCurrent = isSelected;
      else Object.assign(node, { role: "option", ariaSelected: isSelected });
    }
  });
  let resting; // the offset at which it came to rest
  on("settle", () => {
    resting = strip.offset;
  });
  on("windowchange settle", () => {
    const { count } = strip.head;
    for (const item of strip.items) {
      const node = strip.nodeOf(item.index);
      node.ariaPosInSet = placeOf(item.index, count);
      node.ariaSetSize = count;
      node.ariaLabel = item.fields?.title && labelOf(item, count); // without a title, a card is called what it says
    }
    const nodes = strip.items.map((item) => strip.nodeOf(item.index));
    if (strip.offset !== resting || nodes.every((node, k) => !k || node === nodes[k - 1].nextSibling)) return;
    // The one with the focus stays where it is.
    const pivot = Math.max(0, nodes.indexOf(focusedIn(strip)));
    nodes[pivot].before(...nodes.slice(0, pivot));
    nodes[pivot].after(...nodes.slice(pivot + 1));
  });
});
