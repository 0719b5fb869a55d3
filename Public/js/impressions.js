// Which items were seen: at least half in view for a second, each once in the life of the page.
import { whenMoved } from "./moved.js";

/** How long, in ms. */
const LONG_ENOUGH = 1000;

/** Told already, by strip and id: in whichever element. */
const seen = new Set();

/** Dispatches `impression` with the item; not while the page is hidden, or half of the strip's height out of view. */
export function impressions(strip, signal) {
  const since = new Map();
  let isVisible = false;
  let timer = 0;

  const isInView = ({ fields, start, size }) => {
    const overlap = Math.min(start + size, strip.offset + strip.clientWidth) - Math.max(start, strip.offset);
    return fields && overlap >= size / 2;
  };
  const look = () => {
    clearTimeout(timer);
    const now = performance.now();
    const items = isVisible && !document.hidden ? strip.items.filter(isInView) : [];
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
  const watch = new IntersectionObserver(([{ intersectionRatio }]) => {
    isVisible = intersectionRatio >= 0.5;
    look();
  }, { threshold: 0.5 });
  watch.observe(strip);
  whenMoved(strip, signal, look);
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    watch.disconnect();
  });
}
