// When a strip has stopped scrolling.
import { IDLE_DELAY } from "../element/constants.js";

/**
 * Dispatches `rest` when a movement has ended. If no behaviour prevents that because it moves the strip on, dispatches
 * `settle` with the current item.
 */
export function scrollIdle(strip, on) {
  let hasEnded = true;
  let settledOffset;
  let lastOffset;
  if (!("onscrollend" in strip)) {
    // WebKit before 26.2. A finger that holds still does not end the movement.
    let timer;
    on("scroll touchend touchcancel", () => {
      clearTimeout(timer);
      timer = setTimeout(() => strip.isHeld || strip.dispatchEvent(new Event("scrollend")), IDLE_DELAY);
    });
  }
  on("scrollend", () => (hasEnded = true));
  on("reload", () => {
    hasEnded = true;
    settledOffset = null;
  });
  on("draw", () => {
    const isStill = strip.offset === lastOffset;
    lastOffset = strip.offset;
    if (!hasEnded || strip.isWaiting) return;
    if (!isStill) return strip.dispatchEvent(new Event("scroll")); // draws one more frame: a marquee moves in every one
    hasEnded = false;
    if (strip.offset === settledOffset || !strip.tell("rest")) return;
    settledOffset = strip.offset;
    strip.tell("settle", strip.current);
  });
}
