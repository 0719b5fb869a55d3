// Snapping: at rest, an item is aligned to the start, the center or the end of the viewport.
import { SNAP_DISTANCE } from "../base/constants.js";
import { zoomOf } from "../base/pixels.js";
import { canBeCurrent } from "../selection/selection.js";
import { minBy, startOffset } from "../windows/geometry.js";
import { currentItem } from "./navigation.js";

/**
 * Aligns an item as the attribute `snap` says: "start", "center" or "end", or "none". With "near" after it, an item far from its
 * aligned place stays where it is. An aligned item stays aligned when the strip is resized or reloaded. With `selection="current"` it
 * becomes the selected one. CSS scroll snapping would follow an element, which shows one item after another here.
 */
export function snap(strip, on) {
  const snapping = new Snapping(strip);
  on("scrollTo", (place) => snapping.request(place));
  on("beforeSettle", () => snapping.settle());
  on("snap", () => snapping.align());
  on("willreload", ({ detail }) => snapping.beforeSwap(detail));
  on("reload", () => snapping.afterSwap());
  on("beforeLayout", () => snapping.realign());
}

class Snapping {
  #strip;
  #id; // the id of the aligned item. Undefined before the strip first settles, null if no item is aligned
  #offset; // the offset at which that item is aligned
  #staysAligned; // whether it is still aligned when other windows are drawn
  #viewportSize; // the size of the viewport when the strip was drawn last
  #wasAligned; // whether the strip stood at `#offset` when it was drawn last
  #requestedPlace; // the place of `scrollTo`, if it names an item

  constructor(strip) {
    this.#strip = strip;
  }

  request(place) {
    if ((place.index ?? place.item) != null) this.#requestedPlace = place;
  }

  /** Stores the item that is aligned at rest: the one that was asked for, of several that are aligned as well at an end. */
  settle() {
    const strip = this.#strip;
    const place = this.#requestedPlace;
    const isNamed = ({ index, id }) => index === place?.index || id === place?.item;
    const item = strip.items.find((one) => isNamed(one) && !this.#isMisaligned(one)) ?? currentItem(strip); // `strip.current` has the index of the first lap
    this.#offset = strip.offset;
    this.#requestedPlace = null;
    if (!item) return;
    const isFirst = this.#id === undefined;
    this.#id = this.#isMisaligned(item) ? null : item.id;
    const isUnselected = item.id !== strip.selected?.id && strip.selection === "current";
    if (isUnselected && canBeCurrent(strip, item)) strip.select(item.index, isFirst ? "code" : "slide"); // at first, nothing has slid
  }

  /** Scrolls to the current item unless it is aligned. Returns true if it does. */
  align() {
    const strip = this.#strip;
    const isNew = this.#id === undefined && !this.#requestedPlace && strip.offset <= startOffset(strip); // such a strip starts with its first item
    const item = (isNew && strip.items.find((one) => one.index >= 0 && canBeCurrent(strip, one))) || strip.current;
    if (!strip.alignment || !item || !this.#isMisaligned(item)) return;
    if (/near/.test(strip.snap) && this.#isMisaligned(item, SNAP_DISTANCE)) return;
    strip.scrollTo({ offset: strip.offsetOf(item), behavior: isNew ? "instant" : "smooth" });
    return true;
  }

  /** Other windows are about to be drawn: those of `response`. */
  beforeSwap(response) {
    const { meta, offset } = this.#strip;
    const isSame = meta?.strip === response.strip;
    this.#staysAligned = isSame && offset === this.#offset;
    if (!isSame || !meta.count) this.#id = undefined; // the items of an empty strip are new
    if (!isSame && meta) this.#requestedPlace = null; // it was sought in the former strip
  }

  /** Other windows are drawn. */
  afterSwap() {
    if (this.#staysAligned) this.#offset = this.#strip.offset;
  }

  /** Aligns the same item in each draw, until the reader scrolls: sizes can change. */
  realign() {
    const strip = this.#strip;
    // A browser scrolls a strip that has become wider than its content, and the range has other ends.
    const isAligned = strip.offset === this.#offset || (this.#wasAligned && strip.viewportSize !== this.#viewportSize);
    this.#wasAligned = isAligned;
    this.#viewportSize = strip.viewportSize;
    if (!strip.alignment || !isAligned) return;
    const item = minBy(strip.items.filter(({ id }) => id === this.#id), (one) => this.#distance(one)); // a narrow loop shows an item more than once
    if (!item) return;
    this.#offset = this.#isMisaligned(item) ? strip.offsetOf(item) : strip.offset;
    if (this.#offset !== strip.offset) strip.scrollTo({ offset: this.#offset });
  }

  #distance(item) {
    return Math.abs(this.#strip.offsetOf(item) - this.#strip.offset);
  }

  /** Whether an item is `px` or more from its place. With `zoom`, WebKit rounds a scroll position to px of the window, and then to px of the strip. */
  #isMisaligned(item, px = 1) {
    const distance = this.#distance(item);
    return distance >= px && (zoomOf(this.#strip) === 1 || distance >= px + 1 / zoomOf(this.#strip));
  }
}
