// The axis of a strip: x.
import { OUT_OF_SIGHT } from "../base/constants.js";
import { zoomOf } from "../base/pixels.js";

/**
 * How a strip scrolls and places its cards: along x, from its leading edge. Its height gives the items their sizes. The
 * axis of the other layouts is y. It has the same members: see vertical.js.
 */
export class HorizontalAxis {
  /** The parameter of `/window` for a length along the axis. */
  parameter = "width";
  #strip;

  constructor(strip) {
    this.#strip = strip;
  }

  /** The parameters of `/window` that the sizes of the items depend on. */
  get query() {
    return { layout: this.#layout, height: this.#strip.height, wrap: this.#strip.loop || null };
  }

  /** The same parameters, for the drawn answer. */
  queryOf({ height }) {
    return { layout: this.#layout, height };
  }

  /** Null unless the page names a layout: that of the strip's settings can be another one. */
  get #layout() {
    return this.#strip.layout && "strip";
  }

  /** The length of the viewport. Reading it causes no layout. */
  get viewportSize() {
    return this.#strip.clientWidth;
  }

  /** The scroll position, from the leading edge. */
  get position() {
    return this.#strip.direction * this.#strip.scrollLeft;
  }

  scrollTo(position, behavior) {
    this.#strip.viewport.scrollTo({ left: this.#strip.direction * position, behavior });
  }

  /** The height that the page shows the server's first window at. */
  heightOf(meta) {
    return parseFloat(getComputedStyle(this.#strip).getPropertyValue("--strip-height")) || meta?.height;
  }

  /** Nothing covers the cards. */
  scrollPaddingOf() {
    return 0;
  }

  /**
   * The first item in view of a strip that stands at `offset`, at its place, or else the offset. The item counts only if the
   * strip has other sizes when it is shown again.
   */
  placesInView(offset) {
    const first = this.#strip.items.find(({ start, size }) => start + size > offset + 1);
    if (!first) return [{ offset }];
    const { id, start, size } = first;
    return [{ item: id, at: start - offset, end: start + size - offset }, { offset }];
  }

  /** Sets the length that can be scrolled for an answer. Returns the rules of the strip's style sheet. */
  resize(meta, range, list) {
    const { viewportSize } = this;
    const { inset } = this.#strip;
    range.unit = zoomOf(list);
    range.resize(meta, viewportSize, inset === "center" ? viewportSize / 2 : +inset || 0);
    list.style.setProperty("width", `${range.length}px`, "important"); // a theme can have one for all lists
    this.#strip.viewport.toggleAttribute("data-long", range.length < meta.extent);
    const { size = 150 } = meta.items[meta.items.length >> 1] ?? {};
    return `:host{--height:${meta.height}px!important;--placeholder-width:${size}px}`; // of the placeholders
  }

  /** Moves the card of an item to `start` px after scroll position 0. */
  place({ style }, { size }, start, direction) {
    style.transform = `translateX(${direction * (Math.abs(start) < OUT_OF_SIGHT ? start : -OUT_OF_SIGHT)}px)`;
    style.width = `${size}px`;
  }
}
