// Geometry of a strip, in px: the tiles to request, the items in view, and the offsets that show them.
import { MAX_OFFSET, MIN_OVERSCAN } from "../base/constants.js";

/**
 * Rounds `px`, 8 or more, up to a size class. Few sizes let clients share cached responses. From each power of 2 to the next there
 * are `count` classes, at equal distances. The server has 8: 8, 9 ... 15, 16, 18 ... 30, 32, 36 ... The element uses every other one.
 */
export function sizeClass(px, count = 4) {
  const step = 2 ** Math.floor(Math.log2(px)) / count;
  return Math.ceil(px / step) * step;
}

/**
 * The pool size for a viewport of `viewportSize` px: the most px that one request covers. A request that begins at the margin
 * before the viewport covers the viewport and the margin after it, too.
 */
export function tileSizeFor(viewportSize) {
  return 4 * sizeClass((viewportSize + 2 * MIN_OVERSCAN) / 3);
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
export const toSafeInteger = (index) => within(Number.MAX_SAFE_INTEGER, Math.round(index));

/** A place for `scrollTo` with numbers that `/window` takes: 0 for what is no number. The id of an item is a text. */
export function validPlace({ index, item, offset, at, ...rest }) {
  const length = (px) => (px == null ? undefined : within(MAX_OFFSET, +px));
  return { ...rest, item: item?.toString(), index: index == null ? undefined : toSafeInteger(index), offset: length(offset), at: length(at) };
}

/** The position of an index among `count` items, from 1. A strip that wraps has the same positions in every lap. */
export function positionOf(index, count) {
  return (((index % count) + count) % count) + 1;
}

/** An item as events have it. In a strip that wraps, its index is that of the first lap, and `lap` says which one it is in. */
export function inLap(item, response) {
  if (!item || !response?.wrap) return item;
  const lap = Math.floor(item.index / response.count);
  return { ...item, index: item.index - lap * response.count, lap };
}

/** The offset that shows the inset of a strip before its first item. `inset="center"` is as much as this item needs. A loop has none. */
export function insetOffset({ axis, inset, items, viewportSize, meta, loop }) {
  if (axis.isVertical || loop || meta?.wrap) return 0;
  if (inset !== "center") return -inset || 0;
  return alignedOffset(items.find(({ index }) => !index) ?? { start: 0, size: 0 }, "center", viewportSize);
}

/** The offset at which a strip starts. In a layout whose front is farther down on the page, it is the present offset: the page does not scroll. */
export function startOffset(strip) {
  return strip.axis.isVertical ? Math.min(strip.axis.minOffset, strip.offset) : insetOffset(strip);
}
