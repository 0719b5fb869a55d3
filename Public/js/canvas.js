// A strip of any length on a canvas that a browser can scroll.

/** Longest canvas, in px: transforms are 32-bit, and exact to 1/16 px up to here. */
export const LIMIT = 800_000;
/** A scroll position this near to an end of the canvas, in px, should move its origin. */
export const NEAR_END = 100_000;

/**
 * Maps offsets of the strip, in px, to scroll positions of a canvas of bounded length. Scrolling is 1:1;
 * the canvas' origin moves only when asked to `place` an offset that it does not reach comfortably.
 *
 *     const canvas = new Canvas(166536939121, 1280);
 *     canvas.place(canvas.clamp(Infinity));  // 798720: the canvas now ends where the strip does
 *     canvas.offset(798720);                 // 166536937841
 */
export class Canvas {
  /** Strip offset of the canvas' beginning, in px. */
  origin = 0;

  constructor(extent, width, wraps = false) {
    this.extent = extent;
    this.wraps = wraps;
    this.length = wraps ? LIMIT : Math.min(extent, LIMIT);
    this.width = width;
  }

  /** The greatest scroll position. */
  get room() {
    return Math.max(0, this.length - this.width);
  }

  /** Where its last item stands at the right edge. */
  get end() {
    return Math.max(0, this.extent - this.width);
  }

  get least() {
    return this.wraps ? -(2 ** 46) : 0;
  }

  get most() {
    return this.wraps ? 2 ** 46 : this.end;
  }

  /** The strip's offset at a scroll position. */
  offset(scroll) {
    return this.origin + scroll;
  }

  /** The offset nearest `offset` that the strip can be scrolled to. */
  clamp(offset) {
    return Math.min(this.most, Math.max(this.least, offset));
  }

  /** Whether `offset` can be reached by scrolling, with room to go on. */
  reaches(offset) {
    const scroll = offset - this.origin;
    const { room } = this;
    return (
      scroll >= (this.origin > this.least ? NEAR_END : 0) &&
      scroll <= room - (this.origin + room < this.most ? NEAR_END : 0)
    );
  }

  /** Whether the canvas ends at this scroll position while the strip does not. */
  isSpent(scroll) {
    const { room } = this;
    return (
      (scroll <= 0 && this.origin > this.least) ||
      (scroll >= room - 1 && this.origin + room < this.most)
    );
  }

  /**
   * The scroll position of `offset`, which is within the strip. The origin moves where it must, and then so
   * that the position is a whole number, which every browser keeps.
   */
  place(offset) {
    if (!this.reaches(offset)) {
      const origin = offset - Math.round(this.room / 2);
      this.origin = Math.max(this.least, Math.min(this.most - this.room, origin));
    }
    return offset - this.origin;
  }
}
