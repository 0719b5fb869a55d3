// The windows of one strip at one revision, height and pool: asked for, held, given up.
import { ANSWERS_KEPT, UNDER_WAY } from "./figures.js";
import { SERVER } from "./server.js";
import { MARGIN, cellsMeeting, meeting } from "./stretch.js";

export class Windows {
  /** What an answer says besides its items: revision, count, extent, pools ... Null until one came. */
  head;
  /** The stretch in px that slots are named for. */
  pool;
  #query;
  #tell; // null once nothing is to come any more
  #held = []; // {from, to, items}: px that an answer covers
  #underWay = []; // AbortControllers with {from, to}: px that an answer will
  #roundTrip = 100; // ms
  #last = 0; // where it was asked for last
  #since = 0; // when that was, in ms
  #velocity = 0; // then, in px/ms

  /**
   * @param {object} query - `strip`, and if known `height`, `revision`, `v`; the first answer pins the revision.
   * @param {number} pool - in px.
   * @param {Function} tell - called with "window" and each answer that came, or "error" when cells did not.
   * @param {object} head - an answer that is here already.
   */
  constructor(query, pool, tell, head) {
    this.#query = query;
    this.pool = query.pool = pool;
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
    const low = from - (velocity > 0 ? MARGIN : lead);
    const high = to + (velocity < 0 ? MARGIN : lead);
    if (!this.#tell || (!this.head && this.#underWay.length)) return;
    const near = this.#missing(from - MARGIN, to + MARGIN);
    if (!this.head || near.length > 1) this.#send(near[0], 4);
    if (!this.head) return;
    this.#abort((asked) => asked.to <= low || asked.from >= high);
    const ahead = this.#missing(low, high);
    if (velocity < 0) ahead.reverse();
    const size = ahead.length > 2 ? 4 : 1; // by fours they are aligned as well
    for (const k of [...near, ...ahead]) {
      if (this.#underWay.length < UNDER_WAY && this.#isMissing(k)) this.#send(Math.floor(k / size) * size, size);
    }
  }

  /** Whether it is known that all items that meet the px `from ..< to` are here. */
  covers(from, to) {
    return this.head && isCovered(...this.#clip(from, to), this.#held);
  }

  /** The items here that meet the px `from ..< to`, in order. */
  items(from, to) {
    const found = this.#held.flatMap((one) => meeting(one.items, from, to));
    return found.sort((a, b) => a.index - b.index).filter((item, k) => item.index !== found[k - 1]?.index);
  }

  /**
   * One answer of `/window` to `more` than what all questions here share; its items are held. Throws the problem: an
   * error with its members, and the `response`.
   */
  async window(more, signal) {
    const query = { ...this.#query, ...more };
    query.revision = this.head?.revision ?? query.revision;
    const told = Object.entries(query).filter(([, value]) => value != null);
    const response = await fetch(`${SERVER}window?${new URLSearchParams(told)}`, { signal });
    const answer = await response.json().catch(() => null);
    if (!answer?.items) throw Object.assign(new Error(answer?.detail), answer, { response });
    const { offset, width, overscan, items } = answer;
    const answered = { from: offset - overscan, to: offset + width + overscan, items };
    this.#held = [...this.#held.slice(1 - ANSWERS_KEPT), answered];
    this.head = answer;
    this.#tell?.("window", answer);
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
    const distance = from - this.#last;
    const elapsed = now - this.#since;
    const isLate = elapsed > 200;
    if (distance || isLate) {
      this.#velocity = isLate || Math.abs(distance) > 4 * width ? 0 : distance / Math.max(1, elapsed);
      this.#last = from;
      this.#since = now;
    }
    return this.#velocity;
  }

  /** Of the px `from ..< to`, those within a strip that does not wrap. */
  #clip(from, to) {
    return this.head?.wrap ? [from, to] : [Math.max(0, from), Math.min(to, this.head?.extent ?? to)];
  }

  /** The numbers of the cells that meet the px `from ..< to`, and are neither here nor under way. */
  #missing(from, to) {
    return cellsMeeting(...this.#clip(from, to), this.pool / 4).filter((k) => this.#isMissing(k));
  }

  #isMissing(k) {
    const spans = [...this.#held, ...this.#underWay];
    return !isCovered(...this.#clip((k * this.pool) / 4, ((k + 1) * this.pool) / 4), spans);
  }

  #abort(isIdle) {
    this.#underWay = this.#underWay.filter((asked) => !isIdle(asked) || asked.abort());
  }

  /** Asks for `count` cells; a failure is final: other windows are to take the place of these. */
  async #send(first, count) {
    const offset = (first * this.pool) / 4;
    const width = (count * this.pool) / 4;
    const request = Object.assign(new AbortController(), { from: offset, to: offset + width });
    this.#underWay.push(request);
    const since = performance.now();
    try {
      await this.window({ offset, width }, request.signal);
      this.#roundTrip += (performance.now() - since - this.#roundTrip) / 4;
      this.#abort((asked) => asked === request);
    } catch (error) {
      if (request.signal.aborted) return; // nobody waits for it
      this.#tell?.("error", error);
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
