// How fast a strip moves.

export class Motion {
  #last = [0, 0, 0]; // offset, time in ms, velocity in px/ms

  /** The velocity in px/ms now that it is at `offset`; a jump over more than four widths is no movement. */
  at(offset, width) {
    const now = performance.now();
    const [former, time, velocity] = this.#last;
    const distance = offset - former;
    const isLate = now - time > 200;
    if (!distance) return isLate ? 0 : velocity;
    const isJump = isLate || Math.abs(distance) > 4 * width;
    this.#last = [offset, now, isJump ? 0 : distance / Math.max(1, now - time)];
    return this.#last[2];
  }
}
