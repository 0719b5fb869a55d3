// How far ahead a strip requests windows.
import { MAX_EARLY } from "../element/constants.js";

const early = new Set(); // what may request windows before the first input
let hasInput = false;

/** Fulfilled at the first input: the reader scrolls the page, points, touches or presses a key. */
export const firstInput = new Promise((go) => {
  for (const type of ["scroll", "wheel", "pointermove", "pointerdown", "touchstart", "keydown"]) addEventListener(type, go, { once: true, passive: true });
});
firstInput.then(() => {
  hasInput = true;
  early.clear();
});

/** Whether `one` may request a window. Before the first input, only `MAX_EARLY` may, and those that are on the screen. */
export function mayRequest(one, isOnScreen) {
  if (hasInput) return true;
  if (isOnScreen || early.size < MAX_EARLY) early.add(one);
  return early.has(one);
}

/**
 * Prefetches as much as the reader's intent allows: `strip.intent` is 0 at first, and the strip requests only windows in
 * view. It is 1 once the whole strip is on the screen, the page is idle and `mayRequest` allows it. It is 2 once the reader
 * has pointed at the strip, touched it, focused it or scrolled it. With Save-Data or a slow connection, it is one less.
 */
export function prefetch(strip, on) {
  const { saveData, effectiveType } = navigator.connection ?? {};
  const saved = saveData || /2g/.test(effectiveType) ? 1 : 0;
  const raise = (intent) => {
    if (intent - saved <= strip.intent) return;
    strip.intent = intent - saved;
    strip.requestDraw();
  };
  let isArrived;
  on("settle", () => {
    isArrived = true;
  });
  on("scroll", () => isArrived && raise(2));
  on("pointermove pointerdown touchstart focusin", () => raise(2));
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  const look = () => (mayRequest(raise) ? raise(1) : firstInput.then(look)); // a window apart from the strip's first one
  const place = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && whenIdle(look), { threshold: 1 });
  place.observe(strip);
  return () => place.disconnect();
}
