// A cache of the windows of one strip, at one revision, height and pool. It requests what is missing, and prefetches.
import { MAX_ANSWERS, MAX_REQUESTS } from "../element/constants.js";
import { MARGIN, cellsMeeting, itemsMeeting } from "./geometry.js";
import { SERVER } from "./server.js";

export class WindowCache {
  /** The last answer, with its revision, count, extent, pools and so on. Null before the first answer. */
  head;
  /** The pool size in px. The server names slots for it. */
  pool;
  /** The only offset that this cache is for. Undefined if it is for all. */
  frozen;
  #query;
  #notify; // null after `close` or a failure: no more requests
  #answers = []; // {from, to, items}: the px that an answer covers
  #requests = []; // AbortControllers with {from, to}
  #roundTrip = 100; // ms, a moving average
  #lastFrom = 0; // the viewport's start at the last move
  #lastTime = 0; // when that was, in ms
  #velocity = 0; // at that time, in px/ms

  /**
   * @param {object} query - `strip`, and optionally `height`, `revision` and `v`. The first answer pins the revision.
   * @param {number} pool - the pool size in px.
   * @param {Function} notify - is called with "window" and each answer, or with "error" and the error.
   * @param {object} head - an earlier answer, if there is one.
   */
  constructor(query, pool, notify, head) {
    this.#query = query;
    this.pool = query.pool = pool;
    this.#notify = notify;
    this.head = head;
  }

  /** Caches only `head`, the answer that is in the page. Nothing is requested as long as the viewport is at its offset. */
  freeze() {
    this.#add(this.head);
    this.frozen = this.head.offset;
  }

  /**
   * Requests the missing cells of the viewport `from ..< to`. Prefetches ahead of a movement, or a pool's size on both
   * sides at rest. A request covers one cell, or four if more are missing. Requests outside this range are aborted.
   */
  load(from, to) {
    if (this.frozen !== undefined) return;
    const velocity = this.#measureVelocity(from, to - from);
    const lead = this.pool + Math.abs(velocity) * (2 * this.#roundTrip + 100);
    const low = from - (velocity > 0 ? MARGIN : lead);
    const high = to + (velocity < 0 ? MARGIN : lead);
    if (!this.#notify || (!this.head && this.#requests.length)) return;
    const near = this.#missing(from - MARGIN, to + MARGIN);
    if (!this.head || near.length > 1) this.#send(near[0], 4);
    if (!this.head) return;
    this.#abort((request) => request.to <= low || request.from >= high);
    const ahead = this.#missing(low, high);
    if (velocity < 0) ahead.reverse();
    const size = ahead.length > 2 ? 4 : 1; // four cells are aligned to four, so that clients share them
    for (const k of [...near, ...ahead]) {
      if (this.#requests.length < MAX_REQUESTS && this.#isMissing(k)) this.#send(Math.floor(k / size) * size, size);
    }
  }

  /** Whether all items that meet `from ..< to` are cached. */
  covers(from, to) {
    return this.head && isCovered(...this.#clip(from, to), this.#answers);
  }

  /** The cached items that meet `from ..< to`, in order. */
  items(from, to) {
    const found = this.#answers.flatMap((answer) => itemsMeeting(answer.items, from, to));
    return found.sort((a, b) => a.index - b.index).filter((item, k) => item.index !== found[k - 1]?.index);
  }

  /**
   * Requests one window: `more` extends the query that all requests share. Caches and returns the answer. Throws an
   * error with the members of the problem, and with the `response`.
   */
  async request(more, signal) {
    const query = { ...this.#query, ...more };
    query.revision = this.head?.revision ?? query.revision;
    const parameters = Object.entries(query).filter(([, value]) => value != null);
    const response = await fetch(`${SERVER}window?${new URLSearchParams(parameters)}`, { signal });
    const answer = await response.json().catch(() => null);
    if (!answer?.items) throw Object.assign(new Error(answer?.detail), answer, { response });
    this.#add(answer);
    this.head = answer;
    this.#notify?.("window", answer);
    return answer;
  }

  #add({ offset, width, overscan, items }) {
    const cached = { from: offset - overscan, to: offset + width + overscan, items };
    this.#answers = [...this.#answers.slice(1 - MAX_ANSWERS), cached];
  }

  /** Aborts all requests, and sends no more. */
  close() {
    this.#notify = null;
    this.#abort(() => true);
  }

  /** The viewport's velocity in px/ms. A jump of more than four viewports counts as no movement. */
  #measureVelocity(from, width) {
    const now = performance.now();
    const distance = from - this.#lastFrom;
    const elapsed = now - this.#lastTime;
    const isLate = elapsed > 200;
    if (distance || isLate) {
      this.#velocity = isLate || Math.abs(distance) > 4 * width ? 0 : distance / Math.max(1, elapsed);
      this.#lastFrom = from;
      this.#lastTime = now;
    }
    return this.#velocity;
  }

  /** The part of `from ..< to` that is within the strip. A strip that wraps has no ends. */
  #clip(from, to) {
    return this.head?.wrap ? [from, to] : [Math.max(0, from), Math.min(to, this.head?.extent ?? to)];
  }

  /** The cells that meet `from ..< to`, and are neither cached nor requested. */
  #missing(from, to) {
    return cellsMeeting(...this.#clip(from, to), this.pool / 4).filter((k) => this.#isMissing(k));
  }

  #isMissing(k) {
    const spans = [...this.#answers, ...this.#requests];
    return !isCovered(...this.#clip((k * this.pool) / 4, ((k + 1) * this.pool) / 4), spans);
  }

  #abort(isUnwanted) {
    this.#requests = this.#requests.filter((request) => !isUnwanted(request) || request.abort());
  }

  /** Requests `count` cells. A failure closes this cache: the strip then makes another one. */
  async #send(first, count) {
    const offset = (first * this.pool) / 4;
    const width = (count * this.pool) / 4;
    const request = Object.assign(new AbortController(), { from: offset, to: offset + width });
    this.#requests.push(request);
    const sent = performance.now();
    try {
      await this.request({ offset, width }, request.signal);
      this.#roundTrip += (performance.now() - sent - this.#roundTrip) / 4;
      this.#abort((other) => other === request);
    } catch (error) {
      if (request.signal.aborted) return;
      this.#notify?.("error", error);
      this.close();
    }
  }
}

/** Whether the union of `spans` contains `from ..< to`. */
function isCovered(from, to, spans) {
  while (from < to) {
    const span = spans.find((one) => one.from <= from && one.to > from);
    if (!span) return false;
    from = span.to;
  }
  return true;
}
