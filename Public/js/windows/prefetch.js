// How far ahead a strip requests windows.
import { MAX_EARLY_REQUESTS } from "../base/constants.js";
import { requestCount } from "../server/requests.js";

const input = new AbortController();

/** A signal that is aborted at the first input: the reader scrolls the page, points, touches or presses a key. */
export const firstInput = input.signal;
for (const type of ["scroll", "wheel", "pointermove", "pointerdown", "keydown"]) addEventListener(type, () => input.abort(), { once: true, passive: true });

/**
 * Whether a strip may request a window:
 *
 * - one in its view, while the strip is on the screen
 * - one out of its view, or in it while the strip is not on the screen, until `MAX_EARLY_REQUESTS` were sent
 * - any after the first input of the page
 */
export function mayRequest(isOnScreen, isInView = true) {
  return firstInput.aborted || (isOnScreen && isInView) || (requestCount < MAX_EARLY_REQUESTS && (isOnScreen || isInView));
}

/**
 * Sets `strip.prefetchLevel`: how much the reader is likely to need.
 *
 * - 0, at first: what is in view.
 * - 1, once the whole strip is on the screen and the page is idle: also the next window on each side.
 * - 2, once the reader has pointed at the strip, touched, focused or scrolled it: also what a fling can pass until a response arrives.
 *
 * With Save-Data or a slow connection, it is one less. Autoplay does not raise it. When items get other sizes, as in a resize,
 * it is 0 again: the next step of the resize could invalidate what is prefetched now.
 */
export function prefetch(strip, on) {
  const { saveData, effectiveType } = navigator.connection ?? {};
  const reduction = +(saveData || /2g/.test(effectiveType)); // true is 1
  const raise = (prefetchLevel) => {
    if (prefetchLevel - reduction <= strip.prefetchLevel) return;
    strip.prefetchLevel = prefetchLevel - reduction;
    strip.requestDraw();
  };
  let hasSettled;
  let sizesKey; // of the items that are drawn
  on("settle", () => {
    hasSettled = true;
  });
  on("reload", () => {
    if (sizesKey && sizesKey !== strip.meta.sizesKey) {
      strip.prefetchLevel = 0;
      hasSettled = false; // a reload scrolls: that is no sign of a reader
    }
    sizesKey = strip.meta.sizesKey;
  });
  on("scroll", () => hasSettled && strip.predictedOffset === undefined && raise(2));
  on("pointermove pointerdown focusin", () => raise(2));
  const whenIdle = window.requestIdleCallback ?? setTimeout;
  const visibility = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && whenIdle(() => raise(1)), { threshold: 0.99 });
  visibility.observe(strip);
  return () => visibility.disconnect();
}
