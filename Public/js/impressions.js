// Which items were seen: at least half in view for a second, each once in the life of the page.
import { behaviours } from "./element.js";
import { SEEN_AFTER } from "./figures.js";

/** Told already, by strip and id: in whichever element. */
const seen = new Set();

/** Dispatches `impression` with the item; not while the page is hidden, or half of the strip's height out of view. */
behaviours.add((strip, on) => {
  let since = new Map(); // when, in ms, what is in view came, by strip and id
  let timer;
  let isVisible;

  const look = (event) => {
    const now = performance.now();
    const isInView = ({ start, size, fields }) => fields && Math.abs(start + size / 2 - strip.offset - strip.clientWidth / 2) <= strip.clientWidth / 2;
    const note = (item) => {
      const key = strip.head.strip + " " + item.id;
      const from = since.get(key) ?? now;
      if (now - from >= SEEN_AFTER && !seen.has(key)) {
        seen.add(key);
        strip.tell("impression", item);
      }
      return [key, from];
    };
    since = new Map(isVisible && !document.hidden ? strip.items.filter(isInView).map(note) : []);
    clearTimeout(timer);
    if (event) timer = setTimeout(look, SEEN_AFTER + 50); // a timer may come a moment early
  };
  const observer = new IntersectionObserver(([entry]) => {
    isVisible = entry.isIntersecting; // by half
    look(entry);
  }, { threshold: 0.5 });
  observer.observe(strip);
  on("draw", look);
  on("visibilitychange", look, document);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
});
