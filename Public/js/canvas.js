// A strip of any length on a canvas that a browser can scroll.

/** Longest canvas, in px: transforms are 32-bit, and exact to 1/16 px up to here. */
export const LIMIT = 800_000;
/** A scroll position this near to an end of the canvas, in px, should move its origin. */
export const NEAR_END = 100_000;
/** How far, in px, a strip that wraps goes either way. */
const FAR = 1e14;

/**
 * Maps offsets of the strip, in px, to scroll positions of a canvas of bounded length. Scrolling is 1:1;
 * the canvas' origin moves only when asked to `place` an offset that it does not reach comfortably.
 *
 *     const canvas = new Canvas();
 *     canvas.fit({ extent: 166536939121 }, 1280);
 *     canvas.place(canvas.end);  // 798720: the canvas now ends where the strip does
 *     canvas.origin + 798720;    // 166536937841
 */
export class Canvas {
  /** Strip offset of the canvas' beginning, in px. */
  origin = 0;
  /** The offset that has the last item at the right edge. */
  end = 0;

  /** Makes it the canvas of a strip of `extent` px, which may `wrap`, in a viewport of `width` px. */
  fit({ extent, wrap }, width) {
    this.end = Math.max(0, extent - width);
    this.least = wrap ? -FAR : 0;
    this.most = wrap ? FAR : this.end;
    /** The greatest scroll position. */
    this.room = Math.min(this.most, LIMIT - width);
    this.length = this.room + width;
  }

  /** The offset nearest `offset` that the strip can be scrolled to. */
  clamp(offset) {
    return Math.min(this.most, Math.max(this.least, offset || 0));
  }

  /** Whether `offset` can be scrolled to, and `further` px past it unless the strip ends there. */
  reaches(offset, further = NEAR_END) {
    return this.clamp(offset - further) > this.origin - 1 && this.clamp(offset + further) < this.origin + this.room + 1;
  }

  /**
   * The scroll position of `offset`, which is within the strip: a whole number, which every browser keeps. The origin
   * moves for what is left of a px, and further where it must.
   */
  place(offset) {
    const origin = this.reaches(offset) ? this.origin : offset - this.room / 2;
    const scroll = Math.floor(offset - Math.min(this.clamp(origin), this.most - this.room));
    this.origin = offset - scroll;
    return scroll;
  }
}
