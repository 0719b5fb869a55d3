// Dragging with the mouse; fingers and pens scroll natively.

/** A pointer that moved less than this, in px, clicks. */
const SLACK = 5;
/** How long a throw goes on, in ms at its velocity. */
const THROW = 250;

export function drag(strip, signal) {
  let grip = null;
  const hear = (type, act, options) => strip.addEventListener(type, act, { signal, ...options });

  hear("pointerdown", ({ pointerType, button, clientX, timeStamp }) => {
    if (pointerType !== "mouse" || button !== 0) return;
    grip = { x: clientX, from: strip.offset, moves: false, trail: [[clientX, timeStamp]] };
  });

  hear("pointermove", (event) => {
    const { buttons, clientX, pointerId, timeStamp } = event;
    if (!buttons) release(event); // let go outside, before the strip had captured the pointer
    if (!grip || (!grip.moves && Math.abs(clientX - grip.x) < SLACK)) return;
    if (!grip.moves) strip.setPointerCapture(pointerId);
    grip.moves = true;
    strip.toggleAttribute("data-dragged", true);
    grip.trail = [...grip.trail.filter(([, at]) => timeStamp - at < 100), [clientX, timeStamp]];
    strip.scrollTo({ offset: grip.from - strip.sign * (clientX - grip.x) });
  });

  const release = ({ timeStamp }) => {
    if (!grip?.moves) {
      grip = null;
      return;
    }
    const [[x, at], [end]] = [grip.trail.find(([, when]) => timeStamp - when < 100) ?? grip.trail.at(-1), grip.trail.at(-1)];
    const velocity = (end - x) / Math.max(16, timeStamp - at);
    grip = null;
    strip.removeAttribute("data-dragged");
    strip.addEventListener("click", swallow, { capture: true });
    setTimeout(() => strip.removeEventListener("click", swallow, { capture: true }));
    const throws = Math.abs(velocity) > 0.1;
    const offset = strip.offset - (throws ? strip.sign * velocity * THROW : 0);
    strip.scrollTo({ offset, behavior: throws ? "smooth" : "instant" });
  };
  hear("pointerup", release);
  hear("pointercancel", release);
  hear("rest", (event) => grip?.moves && event.preventDefault());
  hear("dragstart", (event) => grip && event.preventDefault());
}

/** The click that ends a drag is none. */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
