// An element whose part `viewport` scrolls its children, as the element itself would.
import { Line } from "../motion/line.js";
import { create } from "./dom.js";

/** All parts are in a shadow root. The element scrolls as if it was its viewport. */
export class ScrollingElement extends HTMLElement {
  #viewport = create("div", { part: "viewport" }, create("slot"));

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(create("div", {}, this.#viewport));
  }

  /** The part that scrolls. Its parent has all parts. */
  get viewport() {
    return this.#viewport;
  }

  /** How the strip scrolls and places its cards. */
  axis = new Line(this);

  /** The viewport's length along the axis, in px: the width of a strip. Reading it causes no layout. */
  get along() {
    return this.axis.along;
  }

  /** Without the padding at both sides. strip.css sets it to `--strip-bleed`, where cards are visible too. */
  get clientWidth() {
    return Math.max(0, this.#viewport.clientWidth - 2 * parseFloat(getComputedStyle(this.#viewport).paddingInlineStart)) || 0;
  }
  get scrollWidth() {
    return this.#viewport.scrollWidth;
  }
  get scrollLeft() {
    return this.#viewport.scrollLeft;
  }
  set scrollLeft(px) {
    this.#viewport.scrollLeft = px;
  }
  scrollTo() {
    this.#viewport.scrollTo(...arguments);
  }
  scrollBy() {
    this.#viewport.scrollBy(...arguments);
  }
}

/** Whether the layout of a strip needs another axis than the strip has. */
export function isOffAxis(strip) {
  return ((strip.getAttribute("layout") ?? "strip") === "strip") === !!strip.axis.isVertical;
}
