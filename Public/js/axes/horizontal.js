// The axis of a strip: x.
import { OUT_OF_SIGHT } from "../base/constants.js";
import { zoomOf } from "../base/pixels.js";
import { firstAnchor } from "../windows/in-view.js";

/** A strip scrolls along x, from its leading edge. Its height gives the items their sizes. @implements {Axis} */
export class HorizontalAxis {
  isVertical = false;
  isInFlow = false;
  parameter = "width";
  align = "center";
  #strip;

  constructor(strip) {
    this.#strip = strip;
  }

  get query() {
    const { layout, height, loop } = this.#strip;
    return { layout: layout && "strip", height, wrap: loop || null }; // without the attribute, the strip's settings name the layout
  }

  get viewportSize() {
    return this.#strip.clientWidth;
  }

  /** 0 in a strip that wraps. */
  get minOffset() {
    return this.#strip.meta.wrap ? 0 : this.#strip.clamp(-Infinity);
  }

  readPosition() {
    return this.#strip.direction * this.#strip.scrollLeft;
  }

  scrollTo(position, behavior) {
    this.#strip.viewport.scrollTo({ left: this.#strip.direction * position, behavior });
  }

  heightOf(response) {
    return parseFloat(getComputedStyle(this.#strip).getPropertyValue("--strip-height")) || response?.height;
  }

  /** Nothing covers the cards. */
  scrollPaddingOf() {
    return 0;
  }

  /**
   * The first item in view of a strip that stands at `offset`, at its place, or else the offset. The item counts only if the
   * strip has other sizes when it is shown again.
   */
  anchorsInView(offset) {
    return [firstAnchor(this.#strip, offset), { offset }].filter(Boolean);
  }

  resize(response, range, list) {
    const { viewportSize } = this;
    const { inset } = this.#strip;
    range.pixelScale = zoomOf(list);
    range.resize(response, viewportSize, inset === "center" ? viewportSize / 2 : +inset || 0);
    list.style.setProperty("width", `${range.length}px`, "important"); // a theme can have one for all lists
    this.#strip.viewport.toggleAttribute("data-long", range.length < response.extent);
    const { size = 150 } = response.items[response.items.length >> 1] ?? {};
    return `:host{--height:${response.height}px!important;--placeholder-width:${size}px}`; // strip.css draws placeholders of this size
  }

  place({ style }, { size }, start, direction) {
    style.transform = `translateX(${direction * (Math.abs(start) < OUT_OF_SIGHT ? start : -OUT_OF_SIGHT)}px)`;
    style.width = `${size}px`;
  }

  /** Its viewport alone scrolls it, and each draw sees its size. Keys lead along the strip. */
  listen() {}
  syncLayout() {}
  measure() {}
  relayout() {}
  directionOf() {}
  nextItem() {}
}
