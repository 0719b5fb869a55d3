// Pinching: two fingers, or Ctrl and the wheel, change the size of rows, or of the columns of a grid.

import { preserveAttributes } from "../base/morphing.js";
import { pointsOf, span } from "../base/pointers.js";

/** Sizes are powers of it, in px. So readers share cached responses. */
const STEP = 1.2;
const MIN_SIZE = 48;
const MAX_SIZE = 800;
/** The pinch of a trackpad is many turns of the wheel by a few px. A mouse wheel turns by more than the limit. */
const WHEEL = { limit: 60, slowness: 240, pause: 300 }; // px, px and ms
const ATTRIBUTES = { rows: "row", grid: "column" };

const clampSize = (size) => Math.max(MIN_SIZE, Math.min(MAX_SIZE, size));

/** With the attribute `pinch`, a strip sets its `row` or its `column`, until the `signal` is aborted. The item at the fingers stays there. */
export class Pinch {
  #strip;
  #gesture; // what was between the fingers at first, and their distance
  #wheelGesture; // what was at the wheel's pointer, and the ratio of the sizes since
  #pause; // a timer: after it, the wheel begins another gesture

  constructor(strip, signal) {
    this.#strip = strip;
    const options = { capture: true, passive: false, signal };
    for (const type of ["touchstart", "touchmove", "touchend", "touchcancel"]) strip.addEventListener(type, (event) => this.#touch(event), options);
    strip.addEventListener("wheel", (event) => this.#wheel(event), options);
  }

  /** The attribute that pinching sets. Undefined in a list. */
  get #attribute() {
    return ATTRIBUTES[this.#strip.layout];
  }

  #touch(event) {
    const points = pointsOf(event.touches);
    if (points.length !== 2 || !event.cancelable || !this.#attribute) return void (this.#gesture = null);
    event.preventDefault(); // the page would be zoomed
    const { middle, distance } = span(points);
    this.#gesture ??= { ...this.#begin(middle), distance };
    this.#resize(this.#gesture, distance / this.#gesture.distance);
  }

  #wheel(event) {
    if (!event.ctrlKey || !this.#attribute) return;
    event.preventDefault();
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => (this.#wheelGesture = null), WHEEL.pause);
    const gesture = (this.#wheelGesture ??= { ...this.#begin([event.clientX, event.clientY]), ratio: 1 });
    const delta = Math.max(-WHEEL.limit, Math.min(WHEEL.limit, event.deltaY));
    gesture.ratio = clampSize(gesture.size * gesture.ratio * Math.exp(-delta / WHEEL.slowness)) / gesture.size;
    this.#resize(gesture, gesture.ratio);
  }

  /** The present size, and the item at a point of the window: `at` is its place in the viewport, and `fraction` how far down in it the point is. */
  #begin(point) {
    const strip = this.#strip;
    const node = strip.getRootNode().elementFromPoint(...point)?.closest("[data-index]");
    const item = node?.parentNode === strip.cardList && strip.items.find(({ index }) => index === +node.dataset.index);
    const [first] = strip.items;
    const size = strip[this.#attribute] ?? (strip.layout === "rows" ? first?.size : first?.width);
    if (!item) return { size };
    const { top, height } = node.getBoundingClientRect();
    return { size, item, at: item.start - strip.offset, fraction: (point[1] - top) / height };
  }

  /** Sets the size that a gesture began with, times `ratio`. */
  #resize({ size, item, at, fraction }, ratio) {
    const strip = this.#strip;
    const exponentOf = (number) => Math.round(Math.log(number) / Math.log(STEP));
    const steps = exponentOf(ratio);
    const next = steps ? clampSize(Math.round(STEP ** (exponentOf(size) + steps))) : size;
    if (!size || next === strip[this.#attribute]) return;
    const after = item && (item.size * next) / size;
    if (item) strip.axis.setAnchor(item.id, at + fraction * (item.size - after), after);
    preserveAttributes(strip);
    if (strip.layout === "grid") strip.columns = null; // a fixed number of columns ignores their width
    strip[this.#attribute] = next;
  }
}
