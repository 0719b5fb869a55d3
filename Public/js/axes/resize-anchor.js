// What stays in place while the items of a list, a grid or rows get other sizes.
import { firstAnchor } from "../windows/in-view.js";

/**
 * The anchors of a strip whose items get other sizes. Offsets are those at which the strip was drawn: the present one is wrong if
 * content before the list has another height.
 */
export class ResizeAnchor {
  #strip;
  #anchor; // the place of the item that stays, and the offset then: {item, at, end, offset}. Undefined or null until one is needed
  #requestedPlace; // the place of `scrollTo` that names an item, until the strip rests there

  constructor(strip) {
    this.#strip = strip;
  }

  /** Keeps the item `id` at `at` px of the viewport when its size changes next, to about `size` px. */
  set(id, at, size, offset) {
    this.#anchor = { item: id, at, end: at + size, offset };
  }

  /** The place of `scrollTo` comes first, until the strip rests there. */
  request(place) {
    this.#requestedPlace = (place.index ?? place.item) != null && place;
  }

  /** Follows a draw at `offset`, after one at `lastOffset`. */
  update(offset, lastOffset) {
    const { scrollTarget, pendingScroll, isReloading } = this.#strip;
    if (offset === lastOffset && offset === scrollTarget && !pendingScroll.place && !isReloading) this.#requestedPlace = null;
    this.#dropIfScrolled(offset);
  }

  /**
   * The place of the first item in view, and the offset. It is the same item until the reader scrolls. Its bottom edge stays if it would
   * be out of view. While the front is in view, the offset alone: the page does not scroll.
   */
  anchorsInView(offset) {
    this.#anchor ??= { ...firstAnchor(this.#strip, offset), offset };
    const { item, at, end } = this.#anchor;
    return [...(item && offset > 0 ? [{ item, at, end }] : []), { offset }];
  }

  /** The anchors for a reload with other sizes: the place of `scrollTo`, the item in view, or the present offset. */
  reloadAnchors(offset) {
    const inView = this.anchorsInView(offset).slice(0, -1).map((anchor) => ({ ...anchor, from: offset }));
    return [this.#requestedPlace, ...inView, {}].filter(Boolean);
  }

  /** Drops the anchor if the reader has scrolled from where it was, and from where the other sizes have it, to `offset`. */
  #dropIfScrolled(offset) {
    const anchor = this.#anchor;
    if (!anchor) return;
    const isAt = (other) => Math.abs(this.#strip.clamp(other) - offset) < 1;
    const item = this.#strip.items.find(({ id }) => id === anchor.item);
    if (item && (isAt(item.start - anchor.at) || isAt(item.start + item.size - anchor.end))) anchor.offset = offset;
    else if (!isAt(anchor.offset)) this.#anchor = null;
  }
}
