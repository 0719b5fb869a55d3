// Dragging with the mouse. Fingers and pens scroll natively.
import { DRAG_THRESHOLD, MAX_PAUSE, MOMENTUM_TIME } from "../base/constants.js";
import { scaleOf } from "../base/pixels.js";
import { scrollSmoothly } from "./navigation.js";

/** What drags itself, or selects text by dragging, in a card. */
const DRAGGED = "input, select, textarea, [contenteditable]:not([contenteditable=false]), [role=slider], [draggable=true], :is(audio, video)[controls]";

/**
 * The mouse drags the strip, and flings it. A drag is not a click, and one that begins on a control in a card is for the control.
 * Dispatches `panstart` when the mouse or a finger begins to move the strip, and `panend` when it is lifted.
 */
export function drag(strip, on) {
  const dragging = new Drag(strip, on);
  return () => dragging.stop();
}

class Drag {
  #strip;
  #isPanning = false; // whether the mouse or a finger moves the strip
  #hasFingerMoved;
  #last; // the event of the mouse's last movement, or of its press
  #velocity; // px/ms
  #target; // the offset that the strip is dragged to. Browsers round scroll positions

  constructor(strip, on) {
    this.#strip = strip;
    on("touchstart touchmove", ({ type }) => {
      this.#hasFingerMoved = type === "touchmove";
    });
    on("scroll", () => strip.isTouched && this.#hasFingerMoved && this.#setPanning(true));
    on("afterRender", () => this.#last || strip.isTouched || this.#setPanning(false)); // the page can have removed the node that hears the finger
    on("pointerdown", (event) => this.#press(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup pointercancel", (event) => this.#release(event));
    on("dragstart", () => !this.#last);
    on("click", (event) => this.#click(event), strip, true);
    on("isMoving", () => this.#isDragging);
  }

  stop() {
    this.#strip.toggleAttribute("data-dragged", false);
    this.#setPanning(false);
  }

  get #isDragging() {
    return this.#last && this.#strip.hasAttribute("data-dragged");
  }

  #setPanning(isPanning) {
    if (isPanning === this.#isPanning) return;
    this.#isPanning = isPanning;
    this.#strip.emit(isPanning ? "panstart" : "panend");
  }

  #press(event) {
    const strip = this.#strip;
    if (event.pointerType !== "mouse" || event.button || event.target === strip || strip.axis.isVertical) return; // the target of an event in a part is the strip
    const path = event.composedPath();
    if (path.slice(0, path.indexOf(strip)).some((node) => node.matches?.(DRAGGED))) return;
    this.#last = event;
    this.#velocity = 0;
    this.#target = strip.offset;
  }

  #move(event) {
    const strip = this.#strip;
    if (!event.buttons) return this.#release(event); // the button was released elsewhere, such as in a dialog of the browser
    const moved = event.clientX - this.#last?.clientX;
    if (!this.#isDragging && !(Math.abs(moved) >= DRAG_THRESHOLD)) return;
    strip.setPointerCapture(event.pointerId);
    strip.toggleAttribute("data-dragged", true);
    this.#setPanning(true);
    const scrolled = moved / scaleOf(strip.viewport);
    this.#velocity = (this.#velocity + scrolled / (event.timeStamp - this.#last.timeStamp || 1)) / 2;
    this.#last = event;
    const from = Math.abs(this.#target - strip.offset) < 2 ? this.#target : strip.offset;
    this.#target = strip.clamp(from - strip.direction * scrolled);
    strip.scrollTo({ offset: this.#target });
  }

  /** Flings the strip, unless the pointer has paused. */
  #release({ timeStamp }) {
    const strip = this.#strip;
    const wasDragging = this.#isDragging;
    const momentum = timeStamp - this.#last?.timeStamp < MAX_PAUSE ? this.#velocity * MOMENTUM_TIME : 0;
    this.#last = null;
    if (!wasDragging) return;
    setTimeout(() => strip.toggleAttribute("data-dragged", false)); // after the click event
    this.#setPanning(false);
    scrollSmoothly(strip, strip.offset - strip.direction * momentum);
  }

  /** Drops the click at the end of a drag. */
  #click(event) {
    if (!this.#strip.hasAttribute("data-dragged")) return;
    event.stopPropagation();
    return false;
  }
}
