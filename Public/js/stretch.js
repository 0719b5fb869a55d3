// Which stretches of a strip to ask for: few sizes, aligned, so that answers are shared.

/** Least overscan on each side of a viewport, in px. */
export const MARGIN = 128;

/** The least of 8, 9, ... 15, 16, 18, ... 30, 32, 36, ... (k x 2^m) that is at least `px`: the contract's ladder. */
export function rungAbove(px) {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(px)) - 3);
  return Math.max(8, Math.ceil(px / step) * step);
}

/**
 * How a viewport of `width` px asks: by cells, at most four of them in one request, which is also the
 * pool. Four cells from the one in which the margin begins always cover the viewport with its margins.
 */
export function stretchFor(width) {
  const cell = rungAbove((width + 2 * MARGIN) / 3);
  return { cell, pool: 4 * cell };
}

/** The numbers of the cells that meet the px `from ..< to`, in order. */
export function cellsMeeting(from, to, cell) {
  const first = Math.floor(from / cell);
  return Array.from({ length: Math.max(0, Math.ceil(to / cell) - first) }, (_, k) => first + k);
}

/**
 * The offset that shows an item of `start` and `size` in a viewport of `width` px, aligned as in
 * `/window`; `from` is the present offset. It is not kept within the strip.
 */
export function offsetShowing({ start, size }, align, width, from) {
  const end = start + size - width;
  if (align === "end") return end;
  if (align === "center") return start + Math.floor(((size - width) / 2) * 64) / 64;
  if (align !== "nearest" || size >= width) return start;
  if (start >= from && end <= from) return from;
  return Math.abs(end - from) < Math.abs(start - from) ? end : start;
}
