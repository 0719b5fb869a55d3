// Scroll anchoring: items in view keep their place when a new revision or view is drawn.
import { frontOf, visibleItems } from "../windows/geometry.js";
import { FRONT, isSameView, viewOf } from "./search.js";

/** How many items can be the anchor. Their ids are in one address. */
const MAX_KEPT = 32;

/**
 * The places to keep when a strip reloads, the best one first: items in view, and then the offset or the front. The first item
 * that still exists and was not moved elsewhere is the anchor, and the strip scrolls as far as it has moved: see `anchorOf`.
 *
 * | what is asked for | the places |
 * |---|---|
 * | the same view | the items in view, then the present offset |
 * | another filter | the selected item, or else the current one, the items in view, then the front |
 * | another order | the selected item in view, then the front: a reader who sorts by price wants to see the lowest |
 *
 * With another view, a strip that stands at its front stays there, unless an item is selected and the order is the same. So does a strip
 * without items. The strip has `aria-busy` until the other view is drawn.
 */
export function placesToKeep(strip) {
  const drawn = strip.drawnView;
  const view = viewOf(strip);
  const [list, , , sort] = view;
  const isOtherView = !isSameView(view, drawn);
  const isReordered = list !== drawn[0] || sort !== drawn[3] || /relevance/.test(sort);
  const isAtFront = isOtherView && strip.offset < frontOf(strip) + 1 && (!strip.selected || sort !== drawn[3]);
  strip.ariaBusy = isOtherView || null;
  const anchors = isAtFront ? [] : candidates(strip, isOtherView).filter(({ id }) => !(isOtherView && isReordered) || id === strip.selected?.id).slice(0, MAX_KEPT);
  return [...anchors.map(({ id, index, start }) => ({ item: id, index, start })), isOtherView || !strip.meta.count ? FRONT : {}];
}

/** The items that can be the anchor, the best one first: those in view, and then their neighbours. */
function candidates(strip, isOtherView) {
  const { items, current, selected, alignment } = strip;
  const visible = visibleItems(strip);
  const first = items.indexOf(visible[0]);
  const neighbours = visible[0] ? [...items.slice(Math.max(0, first - 2), first), ...items.slice(first + visible.length).slice(0, 2)] : [];
  const best = (isOtherView && (visible.find(({ id }) => id === selected?.id) ?? current)) || (alignment && current);
  const all = [best, ...visible, ...neighbours].filter((item) => item);
  return [...new Map(all.map((item) => [item.id, item])).values()];
}
