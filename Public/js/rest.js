// Where a strip comes to rest.
import { behaviours } from "./element.js";
import { SCROLL_PAUSE } from "./figures.js";

/** Tells `settle` with the current item when a movement has ended, unless a behaviour prevents `rest`: it moves on. */
behaviours.add((strip, on) => {
  let hasEnded = true;
  let isOutdated;
  let settled; // the offset told of
  if (!("onscrollend" in strip)) tellScrollEnd(strip, on);
  on("scrollend", () => (hasEnded = true));
  on("outdated", () => (isOutdated = true));
  on("reload error", (event) => {
    hasEnded = true;
    isOutdated = false;
    if (event.type === "reload") settled = null;
  });
  on("draw", () => {
    if (!hasEnded || isOutdated || strip.isWaiting) return;
    hasEnded = false;
    if (strip.offset === settled || !strip.tell("rest")) return;
    settled = strip.offset;
    strip.tell("settle", strip.current);
  });
});

/**
 * The end of a scroll, in browsers that do not tell it: WebKit before 26.2. Dispatches `scrollend` when scrolling pauses
 * while no finger is down, and a while after the last one is lifted.
 */
function tellScrollEnd(strip, on) {
  let timer;
  on("scroll touchstart touchend touchcancel", () => {
    clearTimeout(timer);
    timer = setTimeout(() => strip.isHeld || strip.dispatchEvent(new Event("scrollend")), SCROLL_PAUSE);
  });
}
