// Dragging with the mouse; fingers and pens scroll natively.
import { behaviours } from "./element.js";
import { SLACK, THROW, THROWN_WITHIN } from "./figures.js";
import { glide } from "./paging.js";

behaviours.add((strip, on) => {
  let grip; // the event that took hold
  let former; // the one that moved last
  let offset; // where the strip was
  let speed; // in px/ms
  const isDragged = () => grip && strip.hasAttribute("data-dragged");

  on("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button) return;
    grip = former = event;
    offset = strip.offset;
    speed = 0;
  });

  on("pointermove", (event) => {
    if (!event.buttons) grip = null; // let go outside, before the strip had captured the pointer
    const moved = event.clientX - grip?.clientX;
    if (!isDragged() && !(Math.abs(moved) >= SLACK)) return;
    strip.setPointerCapture(event.pointerId);
    strip.toggleAttribute("data-dragged", true);
    const elapsed = event.timeStamp - former.timeStamp || 1;
    speed = (speed + (event.clientX - former.clientX) / elapsed) / 2;
    former = event;
    strip.scrollTo({ offset: offset - strip.sign * moved });
  });

  on("pointerup pointercancel", (event) => {
    const wasDragged = isDragged();
    grip = null;
    if (!wasDragged) return;
    setTimeout(() => strip.toggleAttribute("data-dragged", false)); // after the click
    const thrown = event.timeStamp - former.timeStamp < THROWN_WITHIN ? speed * THROW : 0;
    glide(strip, strip.offset - strip.sign * thrown);
  });

  on("rest", () => !isDragged());
  on("dragstart", () => !grip);
  on("click", (event) => {
    if (!strip.hasAttribute("data-dragged")) return;
    event.stopPropagation(); // the click that ends a drag is none
    return false;
  }, strip, true);
});
