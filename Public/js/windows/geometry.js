// Geometry of a strip, in px: the tiles to request, the items in view, and the offsets that show them.
import { MAX_OFFSET } from "../base/constants.js";

/** The least overscan on each side of a viewport, in px. */
export const MARGIN = 128;

/**
 * The least size class that is not below `px`, which is 8 or more. There are as many classes (`count`) from each power of 2 to the
 * next. The server has 8: 8, 9, ... 15, 16, 18, ... 30, 32, 36, ... With every other one of them, clients share few sizes, and so
 * cached answers.
 */
export function sizeClass(px, count = 4) {
  const step = 2 ** Math.floor(Math.log2(px)) / count;
  return Math.ceil(px / step) * step;
}

/**
 * The pool size for a viewport of `viewportSize` px. A request covers as much. It covers the viewport with its margins, if it
 * begins at the first one.
 */
export function poolFor(viewportSize) {
  return 4 * sizeClass((viewportSize + 2 * MARGIN) / 3);
}

/** The numbers of the tiles of `size` px that meet `from ..< to`, in order. */
export function tilesMeeting(from, to, size) {
  const first = Math.floor(from / size);
  return Array.from({ length: Math.ceil(to / size) - first }, (_, k) => first + k);
}

/** The items that meet `from ..< to`. */
export function itemsMeeting(items, from, to) {
  return items.filter(({ start, size }) => start < to && start + size > from);
}

/** The one of `items` with the least distance. Undefined if there are none. */
export function minBy(items, distance) {
  return items.toSorted((one, other) => distance(one) - distance(other))[0];
}

/** The items of a strip that are in view, in order. */
export function visibleItems({ items, offset, viewportSize }) {
  return itemsMeeting(items, offset, offset + viewportSize);
}

/**
 * The offset that aligns an item in a viewport of `viewportSize` px, as `/window` defines it. `from` is the present offset,
 * which "nearest" needs. Something covers the first `scrollPadding` px of the viewport. The result may lie outside the strip.
 */
export function alignedOffset({ start, size }, align, viewportSize, from, scrollPadding = 0) {
  const first = start - scrollPadding;
  const end = start + size - viewportSize;
  const center = first + Math.floor((end - first) * 32) / 64;
  const nearest = Math.min(first, Math.max(end, from));
  return { end, center, nearest }[align] ?? first;
}

/** A number from -`limit` to `limit`, and 0 for what is no number. */
const within = (limit, number) => Math.max(-limit, Math.min(limit, number || 0));

/** The whole number nearest to an index, and 0 for what is no number. */
export const wholeIndex = (index) => within(Number.MAX_SAFE_INTEGER, Math.round(index));

/** A place for `scrollTo` with numbers that `/window` takes: 0 for what is no number. */
export function validPlace({ index, offset, at, ...rest }) {
  const length = (px) => (px == null ? undefined : within(MAX_OFFSET, +px));
  return { ...rest, index: index == null ? undefined : wholeIndex(index), offset: length(offset), at: length(at) };
}

/** The position of an index among `count` items, from 1. A strip that wraps has the same positions in every lap. */
export function positionOf(index, count) {
  return (((index % count) + count) % count) + 1;
}

/** An item as events have it. In a strip that wraps, its index is that of the first lap, and `lap` says which one it is in. */
export function inLap(item, meta) {
  if (!item || !meta?.wrap) return item;
  const lap = Math.floor(item.index / meta.count);
  return { ...item, index: item.index - lap * meta.count, lap };
}

/** The offset that shows the inset of a strip before its first item. `inset="center"` is as much as this item needs. A loop has none. */
export function insetFront({ axis, inset, items, viewportSize, meta, loop }) {
  if (inset !== "center") return -inset || 0;
  if (axis.isVertical || loop || meta?.wrap) return 0;
  return alignedOffset(items.find(({ index }) => !index) ?? { start: 0, size: 0 }, "center", viewportSize);
}

/** The offset at which a strip starts. A page that does not show the front of a layout at its own top stays where it is. */
export function frontOf(strip) {
  return strip.axis.isVertical ? Math.min(minOffset(strip), strip.offset) : insetFront(strip);
}

/**
 * The least offset. It is 0 in a strip that wraps. In a layout, the first row is below what covers the top: a page may
 * scroll on to what is before it.
 */
export function minOffset(strip) {
  return strip.axis.minOffset ?? (strip.meta.wrap ? 0 : strip.clamp(-Infinity));
}
