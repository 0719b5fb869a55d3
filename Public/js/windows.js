// The windows of one strip at one revision, height and pool: asked for, held, given up.
import { MARGIN, cellsMeeting, requestsFor } from "./stretch.js";

/** Cells kept; the oldest are given up first. */
const HELD = 128;
/** Requests at once: as many as a browser opens connections to one host over HTTP/1.1. */
const UNDER_WAY = 6;
/** The first pause before a retry, and the longest, in ms: each is twice the one before. */
const PAUSES = [500, 30_000];

export class Windows {
  /** What an answer says besides its items: revision, count, extent, pools ... Null until one came. */
  head;
  /** The stretch in px that slots are named for. */
  pool;
  #url;
  #query;
  #cell;
  #tell;
  #cells = new Map();
  #landing = null;
  #underWay = new Map();
  #isRefused = false;
  #failures = 0;
  #retry = 0;
  #roundTrip = 100;

  /**
   * @param {string} url - of `/window`.
   * @param {object} query - `strip`, and if known `height`, `revision`, `v`; the first answer pins the revision.
   * @param {object} stretch - `cell` and `pool` in px.
   * @param {Function} tell - called with each window that came, or with the error when one did not.
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
   * Asks for what is missing of the px `from ..< to`, then ahead of it for a movement of `velocity` px/ms.
   * What is under way and no longer wanted is aborted.
   */
  ask(from, to, velocity = 0) {
    const lead = this.#cell / 2 + Math.abs(velocity) * (2 * this.#roundTrip + 100);
    const near = this.#cellsOf(from - MARGIN, to + MARGIN);
    const wanted = this.#cellsOf(
      from - (velocity > 0 ? MARGIN : lead),
      to + (velocity < 0 ? MARGIN : lead),
    );
    for (const [request, [first, end]] of this.#underWay) {
      if (end > wanted[0] && first < wanted[1]) continue;
      request.abort();
      this.#underWay.delete(request);
    }
    if (this.#retry || this.#isRefused) return;
    if (!this.head) {
      if (!this.#underWay.size) this.#askFor([near[0], near[0] + 4]);
      return;
    }
    const isMissing = (k) => !this.#cells.has(k) && !this.#isUnderWay(k);
    for (const cells of requestsFor(near, isMissing)) this.#askFor(cells);
    const count = wanted[1] - wanted[0];
    const size = count > 2 * UNDER_WAY ? 4 : 1; // a fling asks by fours, aligned as well
    for (let n = 0; n < count; n += 1) {
      const k = velocity < 0 ? wanted[1] - 1 - n : wanted[0] + n;
      if (this.#underWay.size >= UNDER_WAY || !isMissing(k)) continue;
      const first = Math.floor(k / size) * size;
      this.#askFor([first, first + size]);
    }
  }

  /** Whether all items that meet the px `from ..< to` are here. */
  covers(from, to) {
    const landing = this.#landing;
    if (landing && from >= landing.from && to <= landing.to) return true;
    const [first, end] = this.#cellsOf(from, to);
    for (let k = first; k < end; k += 1) if (!this.#cells.has(k)) return false;
    return this.head !== null;
  }

  /** The items here that meet the px `from ..< to`, in order. */
  items(from, to) {
    const found = new Map();
    const take = (items = []) => {
      for (const item of items) {
        if (item.start < to && item.start + item.size > from) found.set(item.index, item);
      }
    };
    take(this.#landing?.items);
    const [first, end] = this.#cellsOf(from, to);
    for (let k = first; k < end; k += 1) take(this.#cells.get(k));
    return [...found.values()].sort((a, b) => a.index - b.index);
  }

  /**
   * The window in which an item stands as `place` says (`index` or `item`, `align`, `offset`, `width`), in
   * one request: it can be drawn before its cells are here.
   */
  async land(place, signal) {
    const window = await this.window({ ...place, overscan: MARGIN }, signal);
    const { offset, items } = window;
    this.#landing = { from: offset - MARGIN, to: offset + place.width + MARGIN, items };
    return window;
  }

  /** One answer of `/window` to `more` than what all questions here share. Throws errors with the problem's `status` and words. */
  async window(more, signal) {
    const query = { ...this.#query, ...more, pool: this.pool };
    if (this.head) query.revision = this.head.revision;
    const address = new URL(this.#url);
    for (const [name, value] of Object.entries(query)) {
      if (value != null) address.searchParams.set(name, value);
    }
    const response = await fetch(address, { signal });
    const answer = await response.json().catch(() => null);
    if (!answer?.items) {
      const { status } = response;
      throw Object.assign(new Error(answer?.detail ?? `The server answered ${status}.`), { status });
    }
    this.head = answer;
    return answer;
  }

  /** Gives up all that is under way. */
  close() {
    this.#isRefused = true;
    clearTimeout(this.#retry);
    for (const request of this.#underWay.keys()) request.abort();
    this.#underWay.clear();
  }

  /** The cells that meet the px `from ..< to`, none outside a strip that does not wrap. */
  #cellsOf(from, to) {
    if (this.head?.wrap) return cellsMeeting(from, to, this.#cell);
    return cellsMeeting(Math.max(0, from), Math.min(to, this.head?.extent ?? to), this.#cell);
  }

  #isUnderWay(k) {
    for (const [first, end] of this.#underWay.values()) if (k >= first && k < end) return true;
    return false;
  }

  async #askFor([first, end]) {
    const request = new AbortController();
    this.#underWay.set(request, [first, end]);
    const since = performance.now();
    const from = first * this.#cell;
    const width = (end - first) * this.#cell;
    try {
      const window = await this.window({ offset: from, width }, request.signal);
      this.#roundTrip += (performance.now() - since - this.#roundTrip) / 4;
      this.#failures = 0;
      for (let k = first; k < end; k += 1) this.#hold(k, window.items);
      this.#underWay.delete(request);
      this.#tell(window);
    } catch (error) {
      if (!this.#underWay.delete(request)) return; // aborted: nobody waits for it
      this.#fail(error);
    }
  }

  #hold(k, items) {
    const [from, to] = [k * this.#cell, (k + 1) * this.#cell];
    this.#cells.delete(k);
    this.#cells.set(k, items.filter((item) => item.start < to && item.start + item.size > from));
    if (this.#cells.size > HELD) this.#cells.delete(this.#cells.keys().next().value);
  }

  #fail(error) {
    if (error.status < 500) {
      this.close();
    } else if (!this.#retry) {
      const pause = Math.min(PAUSES[1], PAUSES[0] * 2 ** this.#failures);
      this.#failures += 1;
      this.#retry = setTimeout(() => {
        this.#retry = 0;
        this.#tell(null);
      }, pause);
    }
    this.#tell(error);
  }
}
