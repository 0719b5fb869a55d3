// Where a strip comes to rest.
import { behaviours } from "./element.js";
import { SCROLL_PAUSE } from "./figures.js";

/** Tells `settle` with the current item when a movement has ended, unless a behaviour prevents `rest`: it moves on. */
behaviours.add((strip, on) => {
  let hasEnded = true;
  let isOutdated;
  let settled; // the offset told of
  let former; // the one that was seen last
  if (!("onscrollend" in strip)) {
    // WebKit before 26.2: when scrolling pauses while no finger is down, and a while after the last one is lifted.
    let timer;
    on("scroll touchstart touchend touchcancel", () => {
      clearTimeout(timer);
      timer = setTimeout(() => strip.isHeld || strip.dispatchEvent(new Event("scrollend")), SCROLL_PAUSE);
    });
  }
  on("scrollend", () => (hasEnded = true));
  on("outdated", () => (isOutdated = true));
  on("reload error", (event) => {
    hasEnded = true;
    isOutdated = false;
    if (event.type === "reload") settled = null;
  });
  on("draw", () => {
    const { offset } = strip;
    const isStill = offset === former;
    former = offset;
    if (!hasEnded || isOutdated || strip.isWaiting) return;
    if (!isStill) return strip.dispatchEvent(new Event("scroll")); // drawn once more: it may move on every frame
    hasEnded = false;
    if (offset === settled || !strip.tell("rest")) return;
    settled = offset;
    strip.tell("settle", strip.current);
  });
});
