// Dragging with the mouse; fingers and pens scroll natively.
import { behaviours } from "./element.js";
import { SLACK, THROW, THROWN_WITHIN } from "./figures.js";
import { glide } from "./paging.js";

behaviours.add((strip, on) => {
  let former; // the event that took hold, or moved the strip last
  let speed; // in px/ms
  const isDragged = () => former && strip.hasAttribute("data-dragged");

  on("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button) return;
    former = event;
    speed = 0;
  });

  on("pointermove", (event) => {
    if (!event.buttons) former = null; // let go outside, before the strip had captured the pointer
    const moved = event.clientX - former?.clientX;
    if (!isDragged() && !(Math.abs(moved) >= SLACK)) return;
    strip.setPointerCapture(event.pointerId);
    strip.toggleAttribute("data-dragged", true);
    speed = (speed + moved / (event.timeStamp - former.timeStamp || 1)) / 2;
    former = event;
    strip.scrollTo({ offset: strip.offset - strip.sign * moved });
  });

  on("pointerup pointercancel", (event) => {
    const wasDragged = isDragged();
    const thrown = event.timeStamp - former?.timeStamp < THROWN_WITHIN ? speed * THROW : 0;
    former = null;
    if (!wasDragged) return;
    setTimeout(() => strip.toggleAttribute("data-dragged", false)); // after the click
    glide(strip, strip.offset - strip.sign * thrown);
  });

  on("rest", () => !isDragged());
  on("dragstart", () => !former);
  on("click", (event) => {
    if (!strip.hasAttribute("data-dragged")) return;
    event.stopPropagation(); // the click that ends a drag is none
    return false;
  }, strip, true);
});
