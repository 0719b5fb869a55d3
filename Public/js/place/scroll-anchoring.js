// Scroll anchoring: items in view keep their place when a new revision or view is drawn.
import { frontOf, visibleItems } from "../windows/geometry.js";
import { FRONT, isSameView, viewOf } from "./search.js";

/** How many items can be the anchor. Their ids are in one address. */
const MAX_KEPT = 32;

/**
 * The places to keep when a strip reloads. The anchor is an item in view that still exists and was not moved elsewhere: see `anchorOf`. The
 * strip scrolls as far as the anchor has moved. Without an anchor, the offset stays. A strip that had no items starts at
 * the front.
 *
 * With another filter, the selected item in view comes first, or else the current one. In another order, the strip starts at its front: a reader who
 * sorts by price wants to see the lowest. But a selected item in view stays there. If the new view lacks these items, the strip starts at the front, too. A strip
 * that stands at the front stays there, unless an item is selected and the order is the same. The strip has `aria-busy` until the other view is drawn.
 */
export function placesToKeep(strip) {
  const drawn = strip.drawnView;
  const view = viewOf(strip);
  const [list, , , sort] = view;
  const isOther = !isSameView(view, drawn);
  const isReordered = list !== drawn[0] || sort !== drawn[3] || /relevance/.test(sort);
  const isAtFront = isOther && strip.offset < frontOf(strip) + 1 && (!strip.selected || sort !== drawn[3]);
  strip.ariaBusy = isOther || null;
  const kept = isAtFront ? [] : candidates(strip, isOther).filter(({ id }) => !(isOther && isReordered) || id === strip.selected?.id).slice(0, MAX_KEPT);
  return [...kept.map(({ id, index, start }) => ({ item: id, index, start })), isOther || !strip.meta.count ? FRONT : {}];
}

/** The items that can be the anchor, the best one first: those in view, and then their neighbours. */
function candidates(strip, isOther) {
  const { items, current, selected, alignment } = strip;
  const visible = visibleItems(strip);
  const first = items.indexOf(visible[0]);
  const neighbours = visible[0] ? [...items.slice(Math.max(0, first - 2), first), ...items.slice(first + visible.length).slice(0, 2)] : [];
  const best = (isOther && (visible.find(({ id }) => id === selected?.id) ?? current)) || (alignment && current);
  const all = [best, ...visible, ...neighbours].filter((item) => item);
  return [...new Map(all.map((item) => [item.id, item])).values()];
}
