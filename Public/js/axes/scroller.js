// Where a strip is scrolled.
import { callHook } from "../base/plugin.js";
import { ScrollRange } from "./scroll-range.js";

/** Scrolls a strip to offsets, jumping or smoothly, and follows the movement. While a finger touches the strip, only the finger scrolls. */
export class Scroller {
  /** The scroll positions that offsets have. */
  range = new ScrollRange();
  /** The offset when the strip was drawn last. */
  lastOffset = 0;
  /** Whether a finger touches the strip. */
  isTouched = false;
  #lastDirection; // the direction of the strip when it was drawn last
  #afterTouch; // scrolls to where code wants the strip, once the finger is lifted
  #movement; // a smooth one: {from, to}, two offsets
  #position; // the scroll position, while it is cached
  #strip;
  #draw;

  /** `draw()` draws the strip at once. */
  constructor(strip, draw) {
    this.#strip = strip;
    this.#draw = draw;
  }

  /** The offset at the leading edge, in px. Outside of a draw, reading it measures the page, and can move the origin. */
  get offset() {
    return this.#scrollPosition + this.range.origin; // in this order: reading the scroll position can move the origin
  }

  /** The offset that a smooth movement ends at. At rest, `offset`. */
  get target() {
    return this.#movement?.to ?? this.offset;
  }

  /** Whether a smooth movement has begun, and has not moved the strip yet. */
  get isStarting() {
    return this.offset === this.#movement?.from;
  }

  /** Whether the reader has scrolled since the strip was drawn. */
  get isMovedByReader() {
    return !this.#movement && this.isMoving;
  }

  /** Whether the strip moves smoothly, or the reader has scrolled since it was drawn, as in a fling. A jump would end that. */
  get isMoving() {
    return this.#movement || Math.abs(this.offset - this.lastOffset) >= 1;
  }

  /** The scroll position, from the leading edge. Reading it causes a layout, so a draw reads it once. */
  get #scrollPosition() {
    return this.#position ?? this.#strip.axis.readPosition();
  }

  /** Caches the scroll position, until the strip jumps or the draw ends. */
  cachePosition() {
    this.#position = this.#strip.axis.readPosition();
  }

  /** Reads the scroll position again. */
  invalidatePosition() {
    this.#position = null;
  }

  /** Notes where the strip is drawn. If `dir` has changed since it was drawn last, the strip jumps there. */
  syncOffset() {
    if (this.#lastDirection === this.#strip.direction) this.lastOffset = this.offset;
    else this.jump(this.lastOffset);
  }

  jump(offset) {
    const scroll = this.range.moveTo(offset);
    if (scroll !== this.#scrollPosition) this.#strip.axis.scrollTo(scroll, "instant");
    this.invalidatePosition();
    this.lastOffset = offset;
    this.#lastDirection = this.#strip.direction;
  }

  /** Scrolls smoothly if that is asked for, the target is near, and the reader does not prefer reduced motion. */
  scrollTo(offset, behavior) {
    if (this.isTouched) return void (this.#afterTouch = () => this.scrollTo(offset, behavior));
    const to = this.range.clamp(offset);
    const from = this.offset;
    const distance = Math.abs(to - from);
    const isNear = distance >= 1 && distance < 8 * this.#strip.viewportSize && this.range.reaches(to);
    if (behavior === "smooth" && isNear && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#movement = { from, to };
      return this.#strip.axis.scrollTo(to - this.range.origin, behavior);
    }
    this.jump(to);
    callHook(this.#strip, "motionEnd"); // browsers say so only after a movement
    if (distance) this.#draw();
  }

  /** A finger touches the strip, or the last one was lifted. */
  touch(isTouched) {
    this.isTouched = isTouched;
    if (!isTouched) this.#afterTouch = this.#afterTouch?.();
  }

  /** Forgets the movement and the finger, as the strip leaves the page. */
  stop() {
    this.#movement = this.#afterTouch = null;
    this.isTouched = false;
  }

  /** The movement has ended. Moves the origin, while nothing is in motion. */
  end() {
    this.#movement = null;
    if (this.#strip.meta && !this.range.reaches(this.offset)) this.jump(this.offset);
  }
}
