// ARIA roles, labels and positions, and the reading order of the cards.
import { focusedCard } from "../element/card-pool.js";
import { labelOf, positionOf } from "./format.js";
import { withWords } from "./words.js";

/**
 * Makes the strip a carousel, and its cards the options of a listbox. If the page has `<ul role="list">`, they are items
 * of a list: options cannot contain buttons or links. At rest, the document order is the reading order.
 */
export function aria(strip, on) {
  const list = strip.querySelector(":scope > ul");
  const isList = list.role === "list";
  const title = document.getElementById(strip.getAttribute("aria-labelledby"));
  withWords(strip, on, ({ carousel, strip: items }) => {
    const ariaLabel = strip.ariaLabel ?? title?.textContent ?? strip.strip ?? items;
    const region = { role: "region", ariaRoleDescription: carousel, ariaLabel };
    if (!strip.role) Object.assign(strip.viewport.parentNode, region);
    list.ariaLabel = ariaLabel;
    if (strip.head) label();
  });
  if (!isList) Object.assign(list, { role: "listbox", ariaOrientation: "horizontal" });
  on("willdisplay", ({ detail: { node } }) => {
    const link = !isList && node.querySelector("a.title"); // an option contains nothing that is in the tab order
    if (link) link.tabIndex = -1;
  });
  on("draw", () => {
    for (const node of list.children) {
      const isSelected = "selected" in node.dataset;
      if (isList) node.ariaCurrent = isSelected;
      else Object.assign(node, { role: "option", ariaSelected: isSelected });
    }
  });
  let settledOffset;
  on("settle", () => {
    settledOffset = strip.offset;
  });
  on("windowchange settle", () => {
    label();
    const nodes = strip.items.map((item) => strip.nodeOf(item.index));
    if (strip.offset !== settledOffset || nodes.every((node, k) => !k || node === nodes[k - 1].nextSibling)) return;
    // A node that moves in the document loses the focus, so the others move around the focused one.
    const pivot = Math.max(0, nodes.indexOf(focusedCard(strip)));
    nodes[pivot].before(...nodes.slice(0, pivot));
    nodes[pivot].after(...nodes.slice(pivot + 1));
  });

  function label() {
    const { count } = strip.head;
    for (const item of strip.items) {
      const node = strip.nodeOf(item.index);
      node.ariaPosInSet = positionOf(item.index, count);
      node.ariaSetSize = count;
      node.ariaLabel = item.fields?.title && labelOf(item, strip); // without it, the card's text is its label
    }
  }
}
