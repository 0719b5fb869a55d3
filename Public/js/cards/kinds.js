// Handlers for the cards of a kind, as table views have them.
import { inLap } from "../windows/geometry.js";

/**
 * Registers handlers for the cards of a kind: `fill(card, item)` when a card gets an item, `display(card, item)` once it
 * is filled, `enddisplay(card, item)` before it gets another one, and `select(item)`. The card has the content of its
 * template when `fill` is called. This is a method of strips.
 */
export function kind(name, { fill, select, display, enddisplay }) {
  const on = (type, ...handlers) => {
    const call = ({ item, node }) => item.kind === name && handlers.forEach((handler) => handler?.(node, item));
    // In the capturing phase: other listeners read the content that this fills.
    this.addEventListener(type, ({ target, detail }) => target === this && call(detail), true);
    return call;
  };
  const show = on("willdisplay", fill, display);
  on("enddisplay", enddisplay);
  this.addEventListener("select", ({ detail }) => detail.kind === name && select?.(detail));
  for (const item of this.items) if (item.fields) show({ item: inLap(item, this.meta), node: this.nodeOf(item.index) });
}
