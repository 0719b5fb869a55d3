// Where a strip comes to rest.
import { listen } from "./listen.js";

/** How long a scroll must pause to have ended, in ms: longer than between two turns of a wheel, or frames of a fling. */
const PAUSE = 150;

/** Tells `settle` with the current item when a movement has ended, unless a behaviour prevents `rest`: it moves on. */
export function rest(strip, signal) {
  let [hasEnded, isOutdated, settled] = [true, false, null]; // settled: the offset told of
  if (!("onscrollend" in strip)) tellScrollEnd(strip, signal);
  listen(strip, "scrollend", () => (hasEnded = true), signal);
  listen(strip, "outdated", () => (isOutdated = true), signal);
  listen(strip, "reload", () => ([hasEnded, isOutdated, settled] = [true, false, null]), signal);
  listen(strip, "draw", () => {
    if (!hasEnded || isOutdated || strip.isWaiting) return;
    hasEnded = false;
    if (strip.offset === settled || !strip.tell("rest")) return;
    settled = strip.offset;
    strip.tell("settle", strip.current);
  }, signal);
}

/**
 * The end of a scroll, in browsers that do not tell it: WebKit before 26.2. Dispatches `scrollend` when scrolling pauses
 * while no finger is down, and a while after the last one is lifted.
 */
function tellScrollEnd(strip, signal) {
  let timer;
  listen(strip, "scroll touchstart touchend touchcancel", () => {
    clearTimeout(timer);
    timer = setTimeout(() => strip.isHeld || strip.dispatchEvent(new Event("scrollend")), PAUSE);
  }, signal, { passive: true });
}
