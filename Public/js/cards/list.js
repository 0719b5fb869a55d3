// The list of a strip: its cards are in it.
import { create } from "../base/dom.js";

/** Gives a strip a list, as its first child. Hides it from `firstChild`, by which React finds the nodes to compare. */
function addList(strip) {
  const list = create("ul");
  strip.prepend(list);
  Object.defineProperty(strip, "firstChild", { configurable: true, get: () => list.nextSibling });
  return list;
}

/** The list of a strip. Without one, it gets one. */
export function ensureList(strip) {
  return strip.querySelector(":scope > ul") ?? addList(strip);
}

/** Whether an element has drawn its cards in a list: only this gives it a size. */
export const isSized = ({ style }) => style.width || style.height;
