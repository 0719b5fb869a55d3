// When a strip has come to rest.
import { IDLE_DELAY, LOST_DELAY } from "../base/constants.js";

const steps = new WeakMap(); // functions by name, by strip

/** Sets a step of the chain in `rest`. Returns a function that removes it. */
export function setStep(strip, name, step) {
  if (!steps.has(strip)) steps.set(strip, {});
  steps.get(strip)[name] = step;
  return () => delete steps.get(strip)[name];
}

/**
 * Waits until a movement has ended and items in view are loaded. Then these steps run in order. If one returns true, the
 * strip moves on, and the steps run again after that movement:
 *
 * 1. `drag`: the pointer still drags the strip.
 * 2. `autoplay`: a marquee still moves it.
 * 3. The place of `scrollTo` is still searched for.
 * 4. The event `rest`: a listener moves the strip, and prevents the default.
 * 5. `snap`: the current item is not aligned, and the strip scrolls to it.
 *
 * Otherwise the strip is at rest. The step `anchor` stores the aligned item, and the event `settle` is dispatched.
 */
export function rest(strip, on) {
  let hasEnded = true;
  let settledOffset;
  let lastOffset;
  let timer;
  const endAfter = (delay, isMoving) => {
    clearTimeout(timer);
    timer = setTimeout(() => !strip.isTouched && isMoving() && strip.dispatchEvent(new Event("scrollend")), delay); // a finger can hold still
  };
  if ("onscrollend" in strip) {
    // Chromium can drop a smooth movement without the event.
    on("scroll beforescrollto", () => endAfter(LOST_DELAY, () => strip.scrollTarget !== strip.offset));
  } else {
    on("scroll touchend touchcancel", () => endAfter(IDLE_DELAY, () => true)); // WebKit before 26.2
  }
  on("scrollend", () => (hasEnded = true));
  on("panend", () => {
    settledOffset = null; // though the strip is where it was
    endAfter(IDLE_DELAY, () => true);
  });
  on("reload", () => {
    hasEnded = true;
    settledOffset = null;
  });
  const step = (name) => steps.get(strip)?.[name]?.();
  on("draw", () => {
    const isStill = strip.offset === lastOffset;
    lastOffset = strip.offset;
    if (!hasEnded || strip.isWaiting || strip.scrollTarget !== strip.offset) return; // the end may be that of an earlier movement
    if (!isStill) return strip.requestDraw(); // a marquee moves in every frame
    hasEnded = false;
    if (strip.offset === settledOffset) return;
    if (step("drag") || step("autoplay") || strip.seeker.place || !strip.emit("rest") || step("snap")) return;
    settledOffset = strip.offset;
    step("anchor");
    strip.emit("settle", strip.current);
  });
}
