// Scroll anchoring: items in view keep their place when a new revision or view is drawn.
import { MAX_ANCHORS } from "../base/constants.js";
import { startOffset } from "../windows/geometry.js";
import { visibleItems } from "../windows/in-view.js";
import { isSameView, viewOf } from "../windows/view.js";
import { START } from "./anchors.js";

/**
 * The anchors when a strip reloads, the best one first: items in view, and then the offset or the start. The strip scrolls as far
 * as one of these items has moved: the first that still exists and was not moved elsewhere. See `anchorOf`.
 *
 * | what is asked for | the anchors |
 * |---|---|
 * | the same view | the items in view, then the present offset |
 * | another filter | the selected item, or else the current one, the items in view, then the start |
 * | another order | the selected item in view, then the start: a reader who sorts by price wants to see the lowest |
 *
 * A strip at its start stays there when the view changes. There is one exception: an item is selected, and the order is the same. A strip
 * without items begins at its start too. The strip has `aria-busy` until the other view is drawn.
 */
export function reloadAnchors(strip) {
  const drawn = strip.drawnView;
  const view = viewOf(strip);
  const [list, , , sort] = view;
  const [drawnList, , , drawnSort] = drawn;
  const isOtherView = !isSameView(view, drawn);
  const isReordered = isOtherView && (list !== drawnList || sort !== drawnSort || /relevance/.test(sort));
  const isAtStart = isOtherView && strip.offset < startOffset(strip) + 1 && (!strip.selected || sort !== drawnSort);
  strip.ariaBusy = isOtherView || null;
  const anchors = isAtStart ? [] : anchorItems(strip, isOtherView).filter(({ id }) => !isReordered || id === strip.selected?.id).slice(0, MAX_ANCHORS);
  return [...anchors.map(({ id, index, start }) => ({ item: id, index, start })), isOtherView || !strip.meta.count ? START : {}];
}

/** The items that can be the anchor, the best one first: those in view, and then their neighbours. */
function anchorItems(strip, isOtherView) {
  const { items, current, selected, alignment } = strip;
  const visible = visibleItems(strip);
  const first = items.indexOf(visible[0]);
  const neighbours = visible[0] ? items.slice(Math.max(0, first - 2), first + visible.length + 2) : [];
  const best = (isOtherView && (visible.find(({ id }) => id === selected?.id) ?? current)) || (alignment && current);
  return [...new Set([best, ...visible, ...neighbours])].filter(Boolean);
}
