// Scroll positions for a strip of any length: browsers can only scroll an element of limited length.
import { EDGE_MARGIN, MAX_OFFSET, MAX_SCROLL_WIDTH } from "../base/constants.js";

/**
 * Maps offsets in a strip, in px, to scroll positions in content of limited length. Both advance 1:1. The origin only
 * moves when an offset is too near to an end of the content.
 *
 *     const range = new ScrollRange();
 *     range.resize({ extent: 166536939121 }, 1280);
 *     range.moveTo(range.maxOffset);  // 798720: the content now ends where the strip ends
 *     range.origin + 798720;    // 166536937841
 */
export class ScrollRange {
  /** The offset at scroll position 0, in px. */
  origin = 0;
  /** The greatest offset. It shows the last item at the trailing edge, with the inset. The least one if all of the strip fits. */
  maxOffset = 0;
  /** The least and the greatest offset that can be scrolled to. Before `resize`, the strip has no known ends. */
  minTarget = -MAX_OFFSET;
  maxTarget = MAX_OFFSET;
  /** How many px of the window one px of an offset scrolls by. */
  pixelScale = 1;
  /** The greatest scroll position. */
  maxScroll = 0;

  /**
   * Sets the range for a strip of `extent` px in a viewport of `viewportSize` px. `inset` px are before its start and after its end,
   * unless it wraps. `before` and `after` px are other content of a page that scrolls. `limit` is the longest scrollable content.
   */
  resize({ extent, wrap }, viewportSize, inset = 0, before = 0, after = 0, limit = MAX_SCROLL_WIDTH) {
    if (wrap) inset = 0;
    this.maxOffset = Math.max(0 - inset, extent - viewportSize + inset);
    this.minTarget = wrap ? -MAX_OFFSET : 0 - inset - before;
    this.maxTarget = wrap ? MAX_OFFSET : this.maxOffset + after;
    this.maxScroll = Math.min(this.maxTarget - this.minTarget, limit - viewportSize);
    this.length = this.maxScroll + viewportSize;
  }

  /** The nearest offset that the strip can be scrolled to, and 0 for what is no number. */
  clamp(offset) {
    return Math.min(this.maxTarget, Math.max(this.minTarget, +offset || 0));
  }

  /** Whether `offset`, and `margin` px on both sides within the strip, have scroll positions at the present origin. */
  reaches(offset, margin = EDGE_MARGIN) {
    return this.clamp(offset - margin) > this.origin - 1 && this.clamp(offset + margin) < this.origin + this.maxScroll + 1;
  }

  /**
   * Returns the scroll position of an offset within the strip. It is whole px of the window, which every browser stores exactly.
   * The origin takes the fraction, and moves further if the offset is not within reach.
   */
  moveTo(offset) {
    const origin = this.reaches(offset) ? this.origin : offset - this.maxScroll / 2;
    const scroll = Math.max(0, Math.floor((offset - Math.min(this.clamp(origin), this.maxTarget - this.maxScroll)) * this.pixelScale) / this.pixelScale);
    this.origin = offset - scroll;
    return scroll;
  }
}
