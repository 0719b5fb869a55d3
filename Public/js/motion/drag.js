// Dragging with the mouse. Fingers and pens scroll natively.
import { DRAG_THRESHOLD, MAX_PAUSE, THROW_TIME } from "../base/constants.js";
import { scaleOf } from "../base/pixels.js";
import { scrollSmoothly } from "./navigation.js";

/** What drags itself, or selects text by dragging, in a card. */
const DRAGGED = "input, select, textarea, [contenteditable]:not([contenteditable=false]), [draggable=true], [role=slider], :is(audio, video)[controls]";

/**
 * The mouse drags the strip, and throws it. A drag is not a click, and one that begins on a control in a card is for the control.
 * Dispatches `panstart` when the mouse or a finger begins to move the strip, and `panend` when it is lifted.
 */
export function drag(strip, on) {
  let isPanning = false;
  const setPanning = (isNow) => {
    if (isNow === isPanning) return;
    isPanning = isNow;
    strip.emit(isNow ? "panstart" : "panend");
  };
  let hasFingerMoved;
  on("touchstart touchmove", ({ type }) => {
    hasFingerMoved = type === "touchmove";
  });
  on("scroll", () => strip.isTouched && hasFingerMoved && setPanning(true));
  on("touchend touchcancel", () => strip.isTouched || setPanning(false));

  let last; // the event of the last movement, or of the press
  let velocity; // px/ms
  let target; // the offset that the strip is dragged to. Browsers round scroll positions
  const isDragging = () => last && strip.hasAttribute("data-dragged");

  on("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button || event.target === strip || strip.axis.isVertical) return; // the target of a part is the strip
    const path = event.composedPath();
    if (path.slice(0, path.indexOf(strip)).some((node) => node.matches?.(DRAGGED))) return;
    last = event;
    velocity = 0;
    target = strip.offset;
  });

  on("pointermove", (event) => {
    if (!event.buttons) return release(event); // elsewhere, such as in a dialog of the browser
    const moved = event.clientX - last?.clientX;
    if (!isDragging() && !(Math.abs(moved) >= DRAG_THRESHOLD)) return;
    strip.setPointerCapture(event.pointerId);
    strip.toggleAttribute("data-dragged", true);
    setPanning(true);
    const scrolled = moved / scaleOf(strip.viewport);
    velocity = (velocity + scrolled / (event.timeStamp - last.timeStamp || 1)) / 2;
    last = event;
    const from = Math.abs(target - strip.offset) < 2 ? target : strip.offset;
    target = strip.clamp(from - strip.direction * scrolled);
    strip.scrollTo({ offset: target });
  });

  const release = (event) => {
    const wasDragging = isDragging();
    const thrown = event.timeStamp - last?.timeStamp < MAX_PAUSE ? velocity * THROW_TIME : 0;
    last = null;
    if (!wasDragging) return;
    setTimeout(() => strip.toggleAttribute("data-dragged", false)); // after the click event
    setPanning(false);
    scrollSmoothly(strip, strip.offset - strip.direction * thrown);
  };
  on("pointerup pointercancel", release);

  on("dragstart", () => !last);
  on("click", (event) => {
    if (!strip.hasAttribute("data-dragged")) return;
    event.stopPropagation();
    return false;
  }, strip, true);
  on("isMoving", isDragging);
  return () => {
    strip.toggleAttribute("data-dragged", false);
    setPanning(false);
  };
}
