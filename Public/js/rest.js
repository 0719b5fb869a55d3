// Where a strip comes to rest.
import { behaviours } from "./element.js";
import { SCROLL_PAUSE } from "./figures.js";

/** Tells `settle` with the current item when a movement has ended, unless a behaviour prevents `rest`: it moves on. */
behaviours.add((strip, on) => {
  let hasEnded = true;
  let settled; // the offset told of
  let former; // the one that was seen last
  if (!("onscrollend" in strip)) {
    // WebKit before 26.2: when scrolling pauses while no finger is down, and a while after the last one is lifted.
    let timer;
    on("scroll touchend touchcancel", () => {
      clearTimeout(timer);
      timer = setTimeout(() => strip.isHeld || strip.dispatchEvent(new Event("scrollend")), SCROLL_PAUSE);
    });
  }
  on("scrollend", () => (hasEnded = true));
  on("reload", () => {
    hasEnded = true;
    settled = null;
  });
  on("draw", () => {
    const isStill = strip.offset === former;
    former = strip.offset;
    if (!hasEnded || strip.isWaiting) return;
    if (!isStill) return strip.dispatchEvent(new Event("scroll")); // drawn once more: it may move on every frame
    hasEnded = false;
    if (strip.offset === settled || !strip.tell("rest")) return;
    settled = strip.offset;
    strip.tell("settle", strip.current);
  });
});
