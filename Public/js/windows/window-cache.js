// A cache of the windows of one strip, at one revision, height and pool. It requests missing windows, and prefetches.
import { FLING_DISTANCE, FLING_VIEWPORTS, MAX_REQUESTS, MAX_RESPONSES, MIN_OVERSCAN } from "../base/constants.js";
import { fetchJSON } from "../server/requests.js";
import { backoffDelay, isRejected } from "../server/retries.js";
import { itemsMeeting, tilesMeeting } from "./geometry.js";

export class WindowCache {
  /** Whether it sends requests: until it is closed, as by a failure. */
  isOpen = true;
  /** Whether the server has rejected a request: it would reject the same one again. */
  isRejected = false;
  #strip;
  #notify;
  #responses = []; // each with {from, to}: the px that it covers. Those that were in view last are the last
  #hydratedOffset; // the only offset that can be shown, if only the server's first window is cached, and its slots are of another pool
  #isInView; // whether a span met the viewport when windows were requested last
  #inFlight = []; // AbortControllers with {from, to}
  #failures = 0; // pauses of prefetches since the last response
  #pauseTimer; // after a prefetch that failed: until its end only what is in view is requested

  /**
   * @param {object} query - of which strip, view and sizes the windows are: see window-query.js. The first response fixes the revision.
   * @param {Strip} strip - says what it may request. Its `dataSource` answers in place of the server, if it has one.
   * @param {Function} notify - is called with "window" and each response, or with "error" and the error.
   * @param {object} response - an earlier response, if there is one.
   */
  constructor(query, strip, notify, response) {
    this.query = query;
    this.tileSize = query.parameters.pool; // the pool size in px, for which slots are named. With the response in the page, it is that of the response
    this.#strip = strip;
    this.#notify = notify;
    this.response = response; // the last one, with its revision, count, extent, pools and so on. Null before the first one
  }

  /**
   * Caches `response`, which is in the page, if it covers the viewport `from ..< to`. If its pool is not that of the query, its slots have
   * other names: the cache then requests nothing, and another one replaces it at the first scroll (see `isOutgrown`).
   */
  hydrate(from, to) {
    this.#add(this.response);
    if (!this.covers(from, to)) return (this.#responses = []);
    if (this.response.pool === this.tileSize) return;
    this.#hydratedOffset = from;
    this.tileSize = this.response.pool;
  }

  /** Whether another cache must replace this one: it has only a response of the page, and the strip has left its offset or prefetches for a fling. */
  isOutgrown(offset, prefetchLevel) {
    return this.#hydratedOffset !== undefined && (this.#hydratedOffset !== offset || prefetchLevel > 1);
  }

  /**
   * Requests the windows that the viewport `from ..< to` lacks, the nearest ones first.
   *
   * It also prefetches: the way to `scrollTarget`, where a movement ends, and both sides, as far as the `prefetchLevel` says (see
   * prefetch.js). Requests for what is farther away are aborted.
   *
   * Each request is for one tile. Tiles are the same for all clients, so that they share responses. The first request of all is
   * an exception: without a revision, it begins before the viewport, and covers it alone.
   */
  load(from, to, scrollTarget = from, prefetchLevel = 0) {
    const { tileSize } = this;
    if (!this.isOpen || this.#hydratedOffset !== undefined) return;
    const isInView = (this.#isInView = (span) => span.from < to && span.to > from);
    this.#responses.sort((one, other) => isInView(one) - isInView(other));
    if (!this.response && this.revision == null) return this.#inFlight[0] || (this.#strip.mayRequest && this.#fetchTile(Math.max(0, from - MIN_OVERSCAN)));
    const reach = [MIN_OVERSCAN, tileSize, tileSize + Math.min(FLING_DISTANCE, FLING_VIEWPORTS * (to - from))][this.response ? prefetchLevel : 0];
    const first = Math.min(from, scrollTarget);
    const last = Math.max(from, scrollTarget) + to - from;
    if (!prefetchLevel && this.covers(first - MIN_OVERSCAN, last + MIN_OVERSCAN)) return; // the window of an item can cover it, too
    const low = first - reach;
    const high = last + reach;
    const inView = this.#missing(first, last);
    const mayFetch = (k) => (inView.includes(k) ? this.#strip.mayRequest : !this.#pauseTimer && this.#strip.mayPrefetch());
    const rest = Math.max(0, tileSize - reach); // requests of a higher level go on within a tile
    this.#abort((request) => request.to <= low - rest || request.from >= high + rest);
    const distance = (start) => Math.abs(start + tileSize / 2 - (from + to) / 2);
    const needed = this.#missing(from - MIN_OVERSCAN, to + MIN_OVERSCAN);
    for (const k of this.#missing(low, high).sort((one, other) => distance(one * tileSize) - distance(other * tileSize))) {
      if (!mayFetch(k)) continue; // asked for each tile: a request counts once it is sent
      if (this.#inFlight.length >= MAX_REQUESTS) {
        if (!needed.includes(k)) break;
        const farthest = Math.max(...this.#inFlight.map((request) => distance(request.from)));
        this.#abort((request) => distance(request.from) === farthest);
      }
      this.#fetchTile(k * tileSize);
    }
  }

  /** Whether all items that meet `from ..< to` are cached. */
  covers(from, to) {
    return this.response && isCovered(...this.#clip(from, to), this.#responses);
  }

  /** The cached items that meet `from ..< to`, in order. */
  items(from, to) {
    const items = this.#responses.flatMap((response) => itemsMeeting(response.items, from, to));
    return items.sort((a, b) => a.index - b.index).filter((item, k) => item.index !== items[k - 1]?.index);
  }

  /**
   * Requests one window of `size` px, by default the least one: `more` extends the query that all requests share. Returns
   * the response, and caches it unless `more` asks for another view, height and so on.
   */
  async fetchWindow({ size = 16, ...more }, signal) {
    const query = { ...this.query.parameters, pool: this.tileSize, [this.#strip.axis.parameter]: size, ...more, revision: this.revision };
    const response = await (this.#strip.dataSource?.(query, signal) ?? fetchJSON("window", query, signal));
    if (Object.keys(more).some((name) => name in this.query.parameters)) return response;
    this.#add(response);
    this.response = response;
    if (this.isOpen) this.#notify("window", response);
    return response;
  }

  /** The revision of the responses. Undefined or null before the first one, unless it was asked for. */
  get revision() {
    return this.response?.revision ?? this.query.parameters.revision;
  }

  /** Those of `ids` that the strip has at this revision: see `findItems`. */
  find(ids, signal) {
    const { strip, pool, wrap, ...query } = this.query.parameters;
    return findItems(strip, ids, { ...query, revision: this.revision }, signal);
  }

  #add(response) {
    this.#failures = 0;
    for (const item of response.items) item.group ??= null;
    response.sizesKey = this.query.sizesKey;
    response.from = response.offset - response.overscan;
    response.to = response.offset + response[this.#strip.axis.parameter] + response.overscan;
    this.#responses = [...this.#responses.slice(1 - MAX_RESPONSES), response];
  }

  /** Reports an error. Closes the cache, unless windows were requested for the viewport: then only the search for a place in them has failed. */
  fail(error, isDrawn = this.#isInView !== undefined) {
    this.#notify("error", error);
    this.isRejected = isRejected(error);
    if (!isDrawn) this.close();
  }

  /** Aborts all requests, and sends no more. */
  close() {
    this.isOpen = false;
    clearTimeout(this.#pauseTimer);
    this.#abort(() => true);
  }

  /** The part of `from ..< to` that is within the strip. A strip that wraps has no ends. */
  #clip(from, to) {
    const { wrap, extent = to } = this.response ?? this.query.parameters;
    return wrap ? [from, to] : [Math.max(0, from), Math.min(to, extent)];
  }

  /** The numbers of the tiles that meet `from ..< to`, and are neither cached nor requested there. */
  #missing(from, to) {
    const [low, high] = this.#clip(from, to);
    const { tileSize } = this;
    const spans = [...this.#responses, ...this.#inFlight];
    const isMissing = (k) => !isCovered(Math.max(low, k * tileSize), Math.min(high, (k + 1) * tileSize), spans);
    return tilesMeeting(low, high, tileSize).filter(isMissing);
  }

  #abort(isUnwanted) {
    this.#inFlight = this.#inFlight.filter((request) => !isUnwanted(request) || request.abort());
  }

  /**
   * Requests a tile from `offset` on. A failure in view closes this cache: the strip then makes another one. So does a
   * prefetch that the server rejects. After another failure, prefetches pause.
   */
  async #fetchTile(offset) {
    const size = this.tileSize;
    const controller = Object.assign(new AbortController(), { from: offset, to: offset + size });
    this.#inFlight.push(controller);
    try {
      await this.fetchWindow({ offset, size }, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      if (this.#isInView(controller) || isRejected(error)) return this.fail(error, false);
      this.#pauseTimer ??= setTimeout(() => {
        this.#pauseTimer = null;
        this.#strip.requestDraw(); // which requests it again
      }, backoffDelay(this.#failures++, error));
    }
    this.#abort((request) => request === controller);
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
 * Those of `ids` that a strip has, by id: {index, start, size}. The map also has their `revision`. `query` has the view, revision,
 * layout and so on. A window of a missing item is an error, which browsers log.
 */
export async function findItems(strip, ids, query, signal) {
  const asked = JSON.stringify([...new Set(ids)]); // at most MAX_ANCHORS
  const { items, revision } = await fetchJSON(`strips/${strip}/items`, { ids: asked, ...query }, signal);
  return Object.assign(new Map(items.map((item) => [item.id, item])), { revision });
}
