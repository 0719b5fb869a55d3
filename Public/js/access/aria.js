// ARIA roles, labels and positions.
import { labelOf, labelledBy } from "../language/format.js";
import { localize } from "../language/messages.js";
import { positionOf } from "../windows/geometry.js";
import { keepReadingOrder } from "./reading-order.js";

/**
 * Makes the strip a carousel, and its cards the options of a listbox, in reading order at rest. Options cannot contain buttons or
 * links: with `<ul role="list">`, and once a built-in card is a link, the cards are items of a list.
 */
export function aria(strip, on) {
  const hasOwnRole = strip.cardList.role === "list";
  let isList = hasOwnRole;
  let ariaLabel;
  const updateLabels = localize(strip, on, ({ carousel, strip: items }) => {
    ariaLabel = strip.ariaLabel ?? labelledBy(strip) ?? strip.strip ?? items;
    if (!strip.role) Object.assign(strip.viewport.parentNode, { role: "region", ariaRoleDescription: strip.axis.isVertical ? null : carousel, ariaLabel });
    for (const item of strip.items) label(strip.nodeOf(item.index) ?? {}, item); // the page may have removed the card
  });
  on("willdisplay", ({ detail: { node, item } }) => {
    label(node, item);
    const link = !hasOwnRole && node.querySelector("a.title"); // the card is in the tab order, and Enter follows its link
    if (!link) return;
    link.tabIndex = -1;
    isList ||= link.matches("[href]");
  });
  on("afterRender", () => {
    const { cardList } = strip;
    Object.assign(cardList, { ariaLabel, role: isList ? "list" : "listbox", ariaOrientation: isList ? null : strip.axis.isVertical ? "vertical" : "horizontal" });
    for (const node of cardList.children) {
      const isSelected = node.hasAttribute("data-selected");
      Object.assign(node, isList ? { role: null, ariaSelected: null, ariaCurrent: isSelected } : { role: "option", ariaSelected: isSelected });
    }
  });
  on("reload error", async () => {
    strip.ariaBusy = null; // it was set for a view that is drawn now, or has failed
    await null; // until the draw ends: items have other positions then
    updateLabels(); // another strip has another name
  });
  keepReadingOrder(strip, on);

  function label(node, item) {
    node.ariaPosInSet = positionOf(item.index, strip.meta.count);
    node.ariaSetSize = strip.meta.count;
    node.ariaHidden = !node.firstChild || null; // an empty template is a spacer
    node.ariaLabel = item.fields?.title && labelOf(item, strip); // without it, the card's text is its label
  }
}
