// Dragging with the mouse; fingers and pens scroll natively.
import { listen } from "./listen.js";

/** A pointer that moved less than this, in px, clicks. */
const SLACK = 5;
/** How long a throw goes on, in ms at its velocity; one that waited for longer than the second is none. */
const [THROW, HELD] = [250, 100];

export function drag(strip, signal) {
  let grip = null; // where the mouse took hold: `x`, `offset`; where it was last, `at` and when; its `speed` in px/ms
  const isDragged = () => strip.hasAttribute("data-dragged");
  const hear = (types, act, options) => listen(strip, types, act, signal, options);

  hear("pointerdown", ({ pointerType, button, clientX: x, timeStamp: time }) => {
    if (pointerType === "mouse" && !button) grip = { x, offset: strip.offset, at: x, time, speed: 0 };
  });

  hear("pointermove", ({ buttons, clientX: x, pointerId, timeStamp: time }) => {
    if (!buttons) grip = null; // let go outside, before the strip had captured the pointer
    if (!grip || (!isDragged() && Math.abs(x - grip.x) < SLACK)) return;
    strip.setPointerCapture(pointerId);
    strip.toggleAttribute("data-dragged", true);
    const speed = (grip.speed + (x - grip.at) / Math.max(1, time - grip.time)) / 2;
    Object.assign(grip, { at: x, time, speed });
    strip.scrollTo({ offset: grip.offset - strip.sign * (x - grip.x) });
  });

  hear("pointerup pointercancel", ({ timeStamp }) => {
    if (grip && isDragged()) {
      const thrown = timeStamp - grip.time < HELD ? grip.speed * THROW : 0;
      const behavior = Math.abs(thrown) > SLACK ? "smooth" : "instant";
      setTimeout(() => strip.removeAttribute("data-dragged")); // after the click
      grip = null;
      strip.scrollTo({ offset: strip.offset - strip.sign * thrown, behavior });
    }
    grip = null;
  });

  hear("rest", (event) => grip && isDragged() && event.preventDefault());
  hear("dragstart", (event) => grip && event.preventDefault());
  hear("click", (event) => {
    if (!isDragged()) return;
    event.stopPropagation(); // the click that ends a drag is none
    event.preventDefault();
  }, { capture: true });
}
