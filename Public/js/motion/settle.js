// When a strip has come to rest.
import { IDLE_DELAY, SCROLLEND_TIMEOUT } from "../base/constants.js";
import { callHook } from "../base/plugin.js";

/**
 * Waits until a movement has ended and the items in view are loaded. Then it asks four parties in this order. The first that moves
 * the strip ends the chain, which runs again after that movement:
 *
 * 1. The hook `isMoving`: the pointer still drags the strip, or a marquee still moves it.
 * 2. The place of `scrollTo` is still searched for.
 * 3. The event `rest`: a listener of the page moves the strip, and prevents the default.
 * 4. The hook `snap`: the current item is not aligned, and the strip scrolls to it.
 *
 * Otherwise the strip is at rest. The hook `beforeSettle` stores the aligned item, and the event `settle` is dispatched.
 */
export function settle(strip, on) {
  let hasEnded = true;
  let settledOffset;
  let lastOffset;
  let timer;
  const endAfter = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(() => strip.isTouched || callHook(strip, "motionEnd"), delay); // a finger can hold still
  };
  // A browser can drop a smooth movement, and Chromium the event at its end.
  on("scrollTo", () => endAfter(SCROLLEND_TIMEOUT));
  on("scroll touchend touchcancel", () => endAfter("onscrollend" in strip ? SCROLLEND_TIMEOUT : IDLE_DELAY)); // not in WebKit before 26.2
  on("motionEnd", () => {
    hasEnded = true;
    strip.requestDraw();
  });
  on("panend", () => {
    settledOffset = null; // "settle" follows, though the strip is where it was
    endAfter(IDLE_DELAY);
  });
  on("reload", () => {
    hasEnded = true;
    settledOffset = null;
  });
  on("afterRender", () => {
    const isStill = strip.offset === lastOffset;
    lastOffset = strip.offset;
    if (!isStill) settledOffset = null; // it can come back there
    if (!hasEnded || strip.isWaiting || strip.scrollTarget !== strip.offset) return; // `motionEnd` can belong to an earlier movement: the strip must be at its target, with all items in view
    if (!isStill) return strip.requestDraw(); // a marquee moves in every frame
    hasEnded = false;
    if (strip.offset === settledOffset) return;
    if (callHook(strip, "isMoving") || strip.pendingScroll.place || !strip.emit("rest") || callHook(strip, "snap")) return;
    settledOffset = strip.offset;
    callHook(strip, "beforeSettle");
    strip.emit("settle", strip.current);
  });
  return () => clearTimeout(timer);
}
