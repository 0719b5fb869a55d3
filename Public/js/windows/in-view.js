// The items of a strip that are in view.
import { itemsMeeting } from "./geometry.js";

/** The items of a strip that are in view, in order. */
export function visibleItems({ items, offset, viewportSize }) {
  return itemsMeeting(items, offset, offset + viewportSize);
}

/**
 * The first item in view of a strip that stands at `offset`, as a scroll anchor: its id, and the places of its start and its end in
 * the viewport. What covers the start of the viewport covers no first item. Undefined if no item is in view.
 */
export function firstAnchor({ items, axis, viewportSize }, offset) {
  const isFirst = ({ start, size, group }) => start + size > offset + axis.scrollPaddingOf(group) + 1;
  const { id, start, size } = items.find(isFirst) ?? {};
  if (start < offset + viewportSize) return { item: id, at: start - offset, end: start + size - offset };
}
