// A cache of the windows of one strip, at one revision, height and pool. It requests missing windows, and prefetches.
import { FLING_DISTANCE, FLING_VIEWPORTS, MAX_ANSWERS, MAX_REQUESTS } from "../base/constants.js";
import { MARGIN, itemsMeeting, tilesMeeting } from "./geometry.js";
import { request } from "./server.js";

export class WindowCache {
  /** The last answer, with its revision, count, extent, pools and so on. Null before the first answer. */
  meta;
  /** The pool size in px. The server names slots for it. A pinned cache has that of the answer in the page. */
  poolSize;
  /** The only offset that this cache is for. Undefined if it is for all. */
  pinned;
  #query;
  #strip;
  #notify; // null after `close` or a failure: no more requests
  #answers = []; // with {from, to}: the px that an answer covers. The one that was in view last is the last
  #requests = []; // AbortControllers with {from, to}

  /**
   * @param {object} query - `strip`, and optionally `height`, `revision` and `v`. The first answer pins the revision.
   * @param {number} poolSize - the pool size in px.
   * @param {CarouselStrip} strip - says what it may request. Its `source` answers in place of the server, if it has one.
   * @param {Function} notify - is called with "window" and each answer, or with "error" and the error.
   * @param {object} meta - an earlier answer, if there is one.
   */
  constructor(query, poolSize, strip, notify, meta) {
    this.#query = query;
    this.poolSize = query.pool = poolSize;
    this.#strip = strip;
    this.#notify = notify;
    this.meta = meta;
  }

  /**
   * Caches only `meta`, the answer that is in the page, if it covers the viewport `from ..< to`. Nothing is requested as
   * long as the viewport stays there.
   */
  pin(from, to) {
    this.#add(this.meta);
    if (!this.covers(from, to)) return (this.#answers = []);
    if (this.meta.isRequested && this.meta.pool === this.poolSize) return; // by the page, as the others will be
    this.pinned = from;
    this.poolSize = this.#query.pool = this.meta.pool;
  }

  /**
   * Requests the missing windows of the viewport `from ..< to`, the nearest ones first. Also prefetches those on the way to
   * `scrollTarget`, the offset that a movement ends at, and on both sides by the `prefetchLevel`: see prefetch.js. Aborts requests
   * that are farther away.
   *
   * A request covers a pool's size, and is aligned to it, so that clients share answers. Only the first one of an unknown
   * revision is not aligned: it covers the viewport. What is prefetched does not depend on the latency, so that a slow connection
   * is not asked for more.
   */
  load(from, to, scrollTarget = from, prefetchLevel = 0) {
    const { poolSize } = this;
    if (!this.#notify || this.pinned !== undefined) return;
    const isInView = (answer) => answer.from < to && answer.to > from;
    this.#answers.sort((one, other) => isInView(one) - isInView(other));
    if (!this.meta && this.revision == null) return this.#requests[0] || (this.#strip.mayRequest && this.#send(Math.max(0, from - MARGIN)));
    const reach = [MARGIN, poolSize, poolSize + Math.min(FLING_DISTANCE, FLING_VIEWPORTS * (to - from))][this.meta ? prefetchLevel : 0];
    const first = Math.min(from, scrollTarget);
    const last = Math.max(from, scrollTarget) + to - from;
    if (!prefetchLevel && this.covers(first - MARGIN, last + MARGIN)) return; // also by the window of an item
    const low = first - reach;
    const high = last + reach;
    const inView = this.#missing(first, last);
    const may = (k) => (inView.includes(k) ? this.#strip.mayRequest : this.#strip.mayPrefetch());
    const rest = Math.max(0, poolSize - reach); // what was requested at another level may arrive
    this.#abort((request) => request.to <= low - rest || request.from >= high + rest);
    const distance = (start) => Math.abs(start + poolSize / 2 - (from + to) / 2);
    const needed = this.#missing(from - MARGIN, to + MARGIN);
    for (const k of this.#missing(low, high).sort((one, other) => distance(one * poolSize) - distance(other * poolSize))) {
      if (!may(k)) continue; // each request counts
      const farthest = Math.max(...this.#requests.map((one) => distance(one.from)));
      if (this.#requests.length >= MAX_REQUESTS) {
        if (!needed.includes(k)) break;
        this.#abort((one) => distance(one.from) === farthest);
      }
      this.#send(k * poolSize);
    }
  }

  /** Whether all items that meet `from ..< to` are cached. */
  covers(from, to) {
    return this.meta && isCovered(...this.#clip(from, to), this.#answers);
  }

  /** The cached items that meet `from ..< to`, in order. */
  items(from, to) {
    const found = this.#answers.flatMap((answer) => itemsMeeting(answer.items, from, to));
    return found.sort((a, b) => a.index - b.index).filter((item, k) => item.index !== found[k - 1]?.index);
  }

  /**
   * Requests one window of `size` px, by default the least one: `more` extends the query that all requests share. Returns
   * the answer, and caches it unless `more` asks for another view, height and so on.
   */
  async request({ size = 16, ...more }, signal) {
    const query = { ...this.#query, [this.#strip.axis.parameter]: size, ...more, revision: this.revision };
    const answer = await (this.#strip.dataSource?.(query, signal) ?? request("window", query, signal));
    if (Object.keys(more).some((name) => name in this.#query)) return answer;
    this.#add(answer);
    this.meta = answer;
    this.#notify?.("window", answer);
    return answer;
  }

  /** The revision of the answers. Undefined or null before the first one, unless it was asked for. */
  get revision() {
    return this.meta?.revision ?? this.#query.revision;
  }

  /** Those of `ids` that the strip has at this revision: see `findItems`. */
  find(ids, signal) {
    const { strip, pool, wrap, ...query } = this.#query;
    return findItems(strip, ids, { ...query, revision: this.revision }, signal);
  }

  #add(answer) {
    for (const item of answer.items) item.group ??= null;
    answer.from = answer.offset - answer.overscan;
    answer.to = answer.offset + answer[this.#strip.axis.parameter] + answer.overscan;
    this.#answers = [...this.#answers.slice(1 - MAX_ANSWERS), answer];
  }

  /** Aborts all requests, and sends no more. */
  close() {
    this.#notify = null;
    this.#abort(() => true);
  }

  /** The part of `from ..< to` that is within the strip. A strip that wraps has no ends. */
  #clip(from, to) {
    const { wrap, extent = to } = this.meta ?? this.#query;
    return wrap ? [from, to] : [Math.max(0, from), Math.min(to, extent)];
  }

  /** The numbers of the tiles of a pool's size that meet `from ..< to`, and are neither cached nor requested there. */
  #missing(from, to) {
    const { poolSize } = this;
    const [low, high] = this.#clip(from, to);
    const spans = [...this.#answers, ...this.#requests];
    const isMissing = (k) => !isCovered(Math.max(low, k * poolSize), Math.min(high, (k + 1) * poolSize), spans);
    return tilesMeeting(low, high, poolSize).filter(isMissing);
  }

  #abort(isUnwanted) {
    this.#requests = this.#requests.filter((request) => !isUnwanted(request) || request.abort());
  }

  /** Requests a pool's size from `offset` on. A failure closes this cache: the strip then makes another one. */
  async #send(offset) {
    const size = this.poolSize;
    const controller = Object.assign(new AbortController(), { from: offset, to: offset + size });
    this.#requests.push(controller);
    try {
      await this.request({ offset, size }, controller.signal);
      this.#abort((other) => other === controller);
    } catch (error) {
      if (controller.signal.aborted) return;
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

/**
 * Those of `ids` that a strip has, by id: {index, start, size}. `query` has its view, revision, layout and so on. A window of
 * a missing item is an error, which browsers log.
 */
export async function findItems(strip, ids, query, signal) {
  const asked = JSON.stringify([...new Set(ids)].slice(0, 200)); // as many as the server takes
  const { items } = await request(`strips/${strip}/items`, { ids: asked, ...query }, signal);
  return new Map(items.map((item) => [item.id, item]));
}
