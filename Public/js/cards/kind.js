// Handlers for the cards of a kind.
import { startPlugin } from "../base/plugin.js";
import { inLap } from "../windows/geometry.js";

/**
 * A method of strips: registers handlers for the cards of a kind, and returns a function that removes them.
 *
 * A card has the content of its template when it gets an item: `fill(card, item)`. `display(card, item)` follows, and
 * `enddisplay(card, item)` before it gets another one. `select(item)` is called for a selected item.
 */
export function kind(name, { fill, select, display, enddisplay }) {
  return startPlugin((strip, on) => {
    const call = ({ item, node }, ...handlers) => {
      if (item.kind === name) for (const handler of handlers) handler?.(node, item);
    };
    on("willdisplay", ({ detail }) => call(detail, fill, display), strip, true); // in the capturing phase: other listeners read what this fills
    on("enddisplay", ({ detail }) => call(detail, enddisplay), strip, true);
    on("select", ({ detail }) => {
      if (detail?.kind === name) select?.(detail);
    });
    for (const item of strip.items) if (item.fields) call({ item: inLap(item, strip.meta), node: strip.nodeOf(item.index) }, fill, display);
  }, this);
}
