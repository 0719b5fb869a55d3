// The windows of one strip at one revision, height and pool: asked for, held, given up.
import { MARGIN, cellsMeeting } from "./stretch.js";

/** Answers kept; the oldest are given up first. */
const HELD = 64;
/** Requests at once: as many as a browser opens connections to one host over HTTP/1.1. */
const UNDER_WAY = 6;

export class Windows {
  /** What an answer says besides its items: revision, count, extent, pools ... Null until one came. */
  head;
  /** The stretch in px that slots are named for. */
  pool;
  #url;
  #query;
  #cell;
  #tell; // null once nothing is to come any more
  #held = []; // {from, to, items}: px that an answer covers
  #underWay = []; // {from, to, request}: px that one will
  #roundTrip = 100; // ms
  #last = [0, 0]; // where it was asked for last, and when in ms
  #velocity = 0; // then, in px/ms

  /**
   * @param {string} url - of `/window`.
   * @param {object} query - `strip`, and if known `height`, `revision`, `v`; the first answer pins the revision.
   * @param {object} stretch - `cell` and `pool` in px.
   * @param {Function} tell - called with each window that came, or with the error when cells did not.
   * @param {object} head - an answer that is here already.
   */
  constructor(url, query, { cell, pool }, tell, head = null) {
    this.#url = url;
    this.#query = query;
    this.#cell = cell;
    this.pool = pool;
    this.#tell = tell;
    this.head = head;
  }

  /**
   * Asks for what is missing of the px `from ..< to`, then ahead of it as it moves, at rest a pool's stretch on both
   * sides: one cell, or four where more are missing. What is under way and no longer wanted is aborted.
   */
  ask(from, to) {
    const velocity = this.#moved(from, to - from);
    const lead = this.pool + Math.abs(velocity) * (2 * this.#roundTrip + 100);
    const near = this.#cells(from - MARGIN, to + MARGIN);
    const ahead = this.#cells(from - (velocity > 0 ? MARGIN : lead), to + (velocity < 0 ? MARGIN : lead));
    const areMissing = (cells) => cells.filter((k) => this.#isMissing(k));
    if (!this.#tell || (!this.head && this.#underWay.length)) return;
    if (!this.head || areMissing(near).length > 1) this.#send(near[0], 4);
    if (!this.head) return;
    this.#abort((asked) => asked.to <= ahead[0] * this.#cell || asked.from > ahead.at(-1) * this.#cell);
    if (velocity < 0) ahead.reverse();
    const missing = areMissing([...near, ...ahead]);
    const size = missing.length > 2 ? 4 : 1; // by fours they are aligned as well
    for (const k of missing) {
      if (this.#underWay.length < UNDER_WAY && this.#isMissing(k)) this.#send(Math.floor(k / size) * size, size);
    }
  }

  /** Whether it is known that all items that meet the px `from ..< to` are here. */
  covers(from, to) {
    return this.head && isCovered(...this.#clip(from, to), this.#held);
  }

  /** The items here that meet the px `from ..< to`, in order. */
  items(from, to) {
    const found = this.#held.flatMap(({ items }) => items).filter(({ start, size }) => start < to && start + size > from);
    return [...new Map(found.map((item) => [item.index, item])).values()].sort((a, b) => a.index - b.index);
  }

  /**
   * One answer of `/window` to `more` than what all questions here share; its items are held. Throws the problem: an
   * error with its members.
   */
  async window(more, signal) {
    const query = { ...this.#query, ...more, pool: this.pool };
    if (this.head) query.revision = this.head.revision;
    const told = Object.entries(query).filter(([, value]) => value != null);
    const response = await fetch(`${this.#url}?${new URLSearchParams(told)}`, { signal });
    const { status } = response;
    const answer = await response.json().catch(() => null);
    if (!answer?.items) throw Object.assign(new Error(answer?.detail ?? status), answer, { status });
    const { offset, width, overscan, items } = answer;
    this.#held.push({ from: offset - overscan, to: offset + width + overscan, items });
    if (this.#held.length > HELD) this.#held.shift();
    this.head = answer;
    this.#tell?.(answer);
    return answer;
  }

  /** Asks no more, and gives up all that is under way. */
  close() {
    this.#tell = null;
    this.#abort(() => true);
  }

  /** How fast the viewport moves, in px/ms; a jump over more than four widths is no movement. */
  #moved(from, width) {
    const now = performance.now();
    const [distance, elapsed] = [from - this.#last[0], now - this.#last[1]];
    const isLate = elapsed > 200;
    if (distance || isLate) {
      this.#velocity = isLate || Math.abs(distance) > 4 * width ? 0 : distance / Math.max(1, elapsed);
      this.#last = [from, now];
    }
    return this.#velocity;
  }

  /** Of the px `from ..< to`, those within a strip that does not wrap. */
  #clip(from, to) {
    return this.head?.wrap ? [from, to] : [Math.max(0, from), Math.min(to, this.head?.extent ?? to)];
  }

  /** The numbers of the cells that meet the px `from ..< to`. */
  #cells(from, to) {
    return cellsMeeting(...this.#clip(from, to), this.#cell);
  }

  #isMissing(k) {
    const spans = [...this.#held, ...this.#underWay];
    return !isCovered(...this.#clip(k * this.#cell, (k + 1) * this.#cell), spans);
  }

  #abort(isIdle) {
    this.#underWay = this.#underWay.filter((asked) => !isIdle(asked) || asked.request.abort());
  }

  /** Asks for `count` cells; a failure is final: other windows are to take the place of these. */
  async #send(first, count) {
    const [offset, width] = [first * this.#cell, count * this.#cell];
    const request = new AbortController();
    this.#underWay.push({ from: offset, to: offset + width, request });
    const since = performance.now();
    try {
      await this.window({ offset, width }, request.signal);
      this.#roundTrip += (performance.now() - since - this.#roundTrip) / 4;
      this.#abort((asked) => asked.request === request);
    } catch (error) {
      if (request.signal.aborted) return; // nobody waits for it
      this.#tell?.(error);
      this.close();
    }
  }
}

/** Whether `spans` have the px `from ..< to` among them. */
function isCovered(from, to, spans) {
  while (from < to) {
    const span = spans.find((one) => one.from <= from && one.to > from);
    if (!span) return false;
    from = span.to;
  }
  return true;
}
