// Which stretches of a strip to ask for: few sizes, aligned, so that answers are shared.

/** Least overscan on each side of a viewport, in px. */
export const MARGIN = 128;

/**
 * The least of 8, 10, 12, 14, 16, 20, ... 28, 32, 40, ... that is at least `px`, itself 8 or more: every other rung of the
 * contract's ladder. Fewer sizes are shared by more readers.
 */
export function rungAbove(px) {
  const step = 2 ** Math.floor(Math.log2(px) - 2);
  return Math.ceil(px / step) * step;
}

/**
 * The pool of a viewport of `width` px. It asks by cells of a quarter, at most four in one request: four cells from the one
 * in which the margin begins always cover the viewport with its margins.
 */
export function poolFor(width) {
  return 4 * rungAbove((width + 2 * MARGIN) / 3);
}

/** The numbers of the cells that meet the px `from ..< to`, in order. */
export function cellsMeeting(from, to, cell) {
  const first = Math.floor(from / cell);
  return Array.from({ length: Math.ceil(to / cell) - first }, (_, k) => first + k);
}

/** Those of `items` that meet the px `from ..< to`. */
export function meeting(items, from, to) {
  return items.filter(({ start, size }) => start < to && start + size > from);
}

/** The items of a strip that are in view, in order. */
export function inView({ items, offset, clientWidth }) {
  return meeting(items, offset, offset + clientWidth);
}

/**
 * The offset that shows an item of `start` and `size` in a viewport of `width` px, aligned as in
 * `/window`; `from` is the present offset. It is not kept within the strip.
 */
export function offsetShowing({ start, size }, align, width, from) {
  const end = start + size - width;
  const center = start + Math.floor((end - start) * 32) / 64;
  const nearest = Math.min(start, Math.max(end, from));
  return { end, center, nearest }[align] ?? start;
}
