// Impressions: items that were in view for a while.
import { IMPRESSION_TIME } from "../base/constants.js";
import { inLap } from "../windows/geometry.js";

/** The impressions of this page view, by strip and id. Elements share them. */
const reported = new Set();

/**
 * Dispatches `impression` when at least half of an item was in view for a second, once in a page view.
 * Nothing counts while the page is hidden, or less than half of the strip is in view.
 */
export function impressions(strip, on) {
  let since = new Map(); // when an item came into view, in ms, by strip and id
  let timer;
  let isVisible;

  const update = (isRepeated) => {
    const now = performance.now();
    const half = strip.viewportSize / 2;
    const isInView = ({ start, size, fields }) => fields && Math.abs(start + size / 2 - strip.offset - half) <= half;
    const check = (item) => {
      const key = strip.meta.strip + " " + item.id;
      const from = since.get(key) ?? now;
      if (now - from >= IMPRESSION_TIME && !reported.has(key)) {
        reported.add(key);
        strip.emit("impression", inLap(item, strip.meta));
      }
      return [key, from];
    };
    since = new Map(isVisible && !document.hidden ? strip.items.filter(isInView).map(check) : []);
    clearTimeout(timer);
    if (isRepeated) timer = setTimeout(update, IMPRESSION_TIME + 50); // a timer can fire a little early
  };
  const observer = new IntersectionObserver((entries) => {
    update((isVisible = entries.at(-1).isIntersecting));
  }, { threshold: strip.axis.isVertical ? 0 : 0.5 }); // a layout can be longer than the screen
  observer.observe(strip);
  on("afterRender", () => update(true));
  on("visibilitychange", update, document);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}
