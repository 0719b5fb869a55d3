// Where a strip stands, for those who show it.

/** Calls `act` on a strip that is drawn: now, and whenever its place, its items or its size are others. */
export function whenMoved(strip, signal, act) {
  const look = () => strip.head && act();
  for (const type of ["scroll", "windowchange", "reload", "settle"]) {
    strip.addEventListener(type, look, { signal, passive: true });
  }
  const watch = new ResizeObserver(look);
  watch.observe(strip);
  signal.addEventListener("abort", () => watch.disconnect());
}

/** How much of its way a strip has gone, from 0 to 1; one that wraps, of its turn. */
export function progress({ offset, furthest, head: { extent, wrap } }) {
  return wrap ? (((offset % extent) + extent) % extent) / extent : furthest && Math.min(1, offset / furthest);
}

/** Scrolls to where `progress` is `share`. */
export function goTo(strip, share, behavior) {
  strip.scrollTo({ offset: share * (strip.head.wrap ? strip.head.extent : strip.furthest), behavior });
}
