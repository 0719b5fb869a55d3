// How much of its way a strip has gone.

/** From 0 to 1; of a strip that wraps, of its turn. */
export function progress({ offset, furthest, head: { extent, wrap } }) {
  return wrap ? (((offset % extent) + extent) % extent) / extent : furthest && Math.min(1, offset / furthest);
}

/** Scrolls to where `progress` is `share`. */
export function goTo(strip, share, behavior) {
  strip.scrollTo({ offset: share * (strip.head.wrap ? strip.head.extent : strip.furthest), behavior });
}
