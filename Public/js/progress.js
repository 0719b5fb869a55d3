// How much of its way a strip has gone.

/** From 0 to 1; of a strip that wraps, of its turn. */
export function progress({ offset, furthest, head: { extent, wrap } }) {
  return wrap ? (((offset % extent) + extent) % extent) / extent : furthest && Math.min(1, offset / furthest);
}

/** The offset where `progress` is `share`. */
export function offsetAt({ furthest, head: { extent, wrap } }, share) {
  return share * (wrap ? extent : furthest);
}
