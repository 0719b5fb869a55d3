// What scrolls a list, a grid or rows.
import { parentOf } from "../base/pixels.js";

/** The longest scrollable content, in px. Browsers lay out as much at device pixel ratio 4, and store its scroll positions exactly. */
export const MAX_SCROLL_HEIGHT = 8_000_000;

/**
 * The `viewport` if its height is bounded, or else its nearest ancestor that scrolls. The list must be MAX_SCROLL_HEIGHT high. `last`
 * is not checked. Without a doctype, a page whose body scrolls has no `scrollingElement`.
 */
export function scrollContainerOf(viewport, last = document.scrollingElement ?? document.documentElement) {
  const { body, documentElement } = document;
  const overflowOf = (node) => getComputedStyle(node).overflowY;
  const propagatesOverflow = (node) => node === body && overflowOf(documentElement) === "visible"; // from the body to the page's window
  const isScrollable = (node) => node === viewport || (/auto|scroll/.test(overflowOf(node)) && !propagatesOverflow(node));
  const scrolls = (node) => node.clientHeight < MAX_SCROLL_HEIGHT / 16 && node.scrollHeight > node.clientHeight && isScrollable(node);
  let node = viewport;
  while (node && node !== last) {
    if (scrolls(node)) return node;
    node = parentOf(node);
  }
  return last;
}

/** The overflow of what is around a node, as text. */
export const overflowsAround = (node) => node && getComputedStyle(node).overflowY + overflowsAround(parentOf(node));

/** Whether a box without a height is around a strip, in what scrolls. */
export function isCollapsed(strip, container) {
  for (let node = strip; node && node !== container; node = parentOf(node)) {
    if (!node.clientHeight && getComputedStyle(node).overflowY !== "visible") return true;
  }
  return false;
}
