// Which items were seen: at least half in view for a second, each once in the life of the page.
import { listen, whenDrawn } from "./listen.js";

/** How long, in ms. */
const LONG_ENOUGH = 1000;

/** Told already, by strip and id: in whichever element. */
const seen = new Set();

/** Dispatches `impression` with the item; not while the page is hidden, or half of the strip's height out of view. */
export function impressions(strip, signal) {
  const timers = new Map(); // of what is in view, by strip and id
  let isVisible = false;

  const isInView = ({ fields, start, size }) => {
    const { offset, clientWidth } = strip;
    return fields && Math.min(start + size, offset + clientWidth) - Math.max(start, offset) >= size / 2;
  };
  const look = () => {
    const items = isVisible && !document.hidden ? strip.items.filter(isInView) : [];
    const inView = new Map(items.map((item) => [`${strip.head.strip} ${item.id}`, item]));
    for (const [key, timer] of timers) {
      if (inView.has(key)) continue;
      clearTimeout(timer);
      timers.delete(key);
    }
    for (const [key, item] of inView) {
      if (timers.has(key)) continue;
      timers.set(key, setTimeout(() => {
        if (!seen.has(key)) strip.tell("impression", item);
        seen.add(key);
      }, LONG_ENOUGH));
    }
  };
  const watch = new IntersectionObserver(([{ intersectionRatio }]) => {
    isVisible = intersectionRatio >= 0.5;
    look();
  }, { threshold: 0.5 });
  watch.observe(strip);
  whenDrawn(strip, look, signal);
  listen(document, "visibilitychange", look, signal);
  listen(signal, "abort", () => {
    watch.disconnect();
    isVisible = false;
    look();
  });
}
