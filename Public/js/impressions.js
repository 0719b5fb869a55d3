// Which items were seen: at least half in view for a second, each once in the life of the page.

/** How long, in ms. */
export const LONG_ENOUGH = 1000;

/** Dispatches `impression` with the item; not while the page is hidden or the strip out of view. */
export function impressions(strip, signal) {
  const seen = new Set();
  const since = new Map();
  let isVisible = false;
  let timer = 0;

  const inView = ({ start, size }) => {
    const overlap = Math.min(start + size, strip.offset + strip.clientWidth) - Math.max(start, strip.offset);
    return overlap >= size / 2;
  };
  const look = () => {
    clearTimeout(timer);
    const now = performance.now();
    const items = isVisible && !document.hidden ? strip.items.filter((item) => item.fields && inView(item)) : [];
    const keys = new Map(items.map((item) => [`${strip.head.strip} ${item.id}`, item]));
    for (const key of since.keys()) if (!keys.has(key)) since.delete(key);
    for (const [key, item] of keys) {
      if (seen.has(key)) continue;
      if (!since.has(key)) since.set(key, now);
      if (now - since.get(key) < LONG_ENOUGH) continue;
      seen.add(key);
      since.delete(key);
      strip.tell("impression", item);
    }
    if (since.size) timer = setTimeout(look, Math.max(0, Math.min(...since.values()) + LONG_ENOUGH - now));
  };
  const watch = new IntersectionObserver(([{ isIntersecting }]) => {
    isVisible = isIntersecting;
    look();
  });
  watch.observe(strip);
  for (const type of ["scroll", "windowchange", "settle"]) strip.addEventListener(type, look, { signal, passive: true });
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    watch.disconnect();
  });
}
