// Which windows a strip draws, and when others replace them.
import { tileSizeFor } from "../windows/geometry.js";
import { WindowCache } from "../windows/window-cache.js";
import { windowQuery } from "../windows/window-query.js";
import { reloadAnchors } from "./scroll-anchoring.js";
import { anchorsFor, isRelative, resolveAnchor } from "./anchors.js";

/**
 * The windows that a strip draws, and those that replace them: of another strip, view, revision or size.
 *
 *     idle ───── start ────► pending ── swapIfReady ──► idle
 *                            pending ── start ──► pending, and the former requests are aborted
 *     any of them ─────────────────── suspend ──► suspended, while the strip is hidden or removed
 *     suspended ─ start ───► pending
 *
 * Pending windows have a list of `anchors`: places in the strip, the best one first. The first anchor that the strip has says where
 * they will be drawn. They replace the drawn windows in a draw, as soon as they cover the viewport there. If they keep what is in
 * view, they also wait until the strip is at rest. A suspended strip has no windows. It keeps its anchors.
 *
 * - `windows`: the drawn ones. Undefined while there are none.
 * - `pending`: the windows that replace them.
 */
export class WindowSwap {
  #anchors; // the places to show next, the best one first. Undefined while the strip is idle
  #drawnItemsKey; // the `itemsKey` of the drawn items. A suspended strip keeps it. False if a later revision is wanted
  #resolution; // for the first of the anchors, in the pending windows. The next draw begins it
  #strip;
  #scroller;
  #notify;
  #onEmpty;

  /** `notify` is called with each response, and with errors: see `WindowCache`. `onEmpty` is called if the strip has no name, and so no items. */
  constructor(strip, scroller, notify, onEmpty) {
    this.#strip = strip;
    this.#scroller = scroller;
    this.#notify = notify;
    this.#onEmpty = onEmpty;
  }

  /** The places to show next, the best one first. Undefined while the strip is idle. */
  get anchors() {
    return this.#anchors;
  }

  /** The windows requested last, unless the server has rejected them. Undefined before the first layout, and while the strip is hidden. */
  get newest() {
    return (this.pending?.isRejected && this.windows) || this.pending || this.windows;
  }

  /** Whether the drawn items are stale: those of another strip, view or axis come next. An index is one of theirs. */
  get isStale() {
    return (this.newest?.query ?? windowQuery(this.#strip)).itemsKey !== this.#drawnItemsKey;
  }

  /** Whether a scroll target is one in the pending windows: their items or sizes differ from the drawn ones, or `scrollTo` has asked for their place. */
  get targetsPending() {
    return this.isStale || (this.pending?.isOpen && (this.pending.query.sizesKey !== this.#strip.meta.sizesKey || !isRelative(this.#anchors)));
  }

  /**
   * Whether `targetsPending`, and no draw has followed `start()` yet. Until that draw, the anchors are not resolved, and an offset is one
   * in the pending windows. A suspended strip with anchors counts: it would return to them.
   */
  get isStarting() {
    return this.newest ? this.targetsPending && !this.#resolution : this.#anchors;
  }

  /** The items that the strip asks for now are drawn: the server has rendered them. Returns the query for them. */
  markDrawn() {
    const query = windowQuery(this.#strip);
    this.#drawnItemsKey = query.itemsKey;
    return query;
  }

  /** At its first layout, or when it is shown again, the strip shows the first of these places that it has. */
  showNext(anchors) {
    this.#anchors = anchors;
  }

  /**
   * Requests a `revision`, by default the newest one. Keeps what is in view, or shows the first of `anchors`. If a place that was asked for
   * is still pending, that place stays. A suspended strip requests the revision later.
   */
  reload(revision, anchors) {
    const strip = this.#strip;
    if (!this.newest) this.#drawnItemsKey = revision <= strip.meta?.revision && this.#drawnItemsKey; // null counts as 0: a retry wants no later revision
    else if (strip.emit("beforereload", revision)) this.start(strip.drawnView && isRelative(this.#anchors) ? (anchors ?? reloadAnchors(strip)) : this.#anchors, revision);
  }

  /** Requests windows for the present size of the viewport, unless the newest ones are for it. */
  resize() {
    const strip = this.#strip;
    if (this.newest?.query.parameters.pool === tileSizeFor(strip.viewportSize)) strip.requestDraw();
    else this.start(this.#anchors, null, this.pending || this.isStale ? null : strip.meta);
  }

  /** Requests the drawn items again, in the pool of the query, unless other windows are pending and the server has not rejected them. */
  enlarge() {
    const { pending, windows } = this;
    if (!pending || (pending.isRejected && pending.query !== windows.query)) this.start(undefined, null, windows.response, windows.query);
  }

  /**
   * Requests windows: see `CarouselStrip.refetch`. The `query` is what the strip asks for now, or that of the drawn windows. Without a
   * name, the strip is suspended until it has one.
   */
  start(anchors = [{}], revision, response, query = windowQuery(this.#strip, revision, this.newest?.revision)) {
    const strip = this.#strip;
    if (strip.dataSource || response?.sizesKey !== query.sizesKey) response = null; // with a data source, the server's widths are wrong
    else if (anchors[0]?.end) anchors = anchors.slice(1); // nothing has moved
    this.#cancel();
    this.#anchors = anchors;
    if (!query.parameters.strip) return this.#onEmpty(this.suspend());
    this.pending = new WindowCache(query, strip, this.#notify, response);
    if (!strip.items[0]?.fields && response?.items.length) this.pending.hydrate(strip.offset, strip.offset + strip.viewportSize); // the server's first window
    strip.requestDraw();
  }

  /**
   * Replaces the drawn windows if the time has come. `onSwap(windows, offset)` scrolls to the place. Each draw calls it. Windows that
   * keep what is in view wait while the strip `isMoving`: to scroll would end the movement.
   */
  swapIfReady(isMoving, onSwap) {
    const strip = this.#strip;
    const windows = this.pending;
    if (!windows) return;
    this.#resolution ??= resolveAnchor(strip, this.#anchors, windows, () => strip.requestDraw());
    this.#resolution.start();
    const { offset, isStale } = this.#resolution;
    if (offset === undefined) return;
    const end = offset + strip.viewportSize;
    windows.load(offset, end);
    if (strip.isTouched || !windows.covers(offset, end)) return;
    if (isMoving && isRelative(this.#anchors)) return strip.requestDraw();
    if (isStale) return this.reload(windows.revision);
    strip.emit("willreload", windows.response);
    if (windows !== this.pending) return; // a listener has asked for others, or removed the strip
    this.close();
    this.windows = windows;
    this.#drawnItemsKey = windows.query.itemsKey;
    this.pending = this.#resolution = this.#anchors = undefined;
    onSwap(windows, offset);
    strip.emit("reload", windows.response);
    if (strip.pendingScroll.place) strip.pendingScroll.start(strip, strip.pendingScroll.place, windows);
  }

  /** Closes all windows. The anchors keep the place: what `scrollTo` still searches for, or what is in view. */
  suspend() {
    const { meta, axis, pendingScroll } = this.#strip;
    if (pendingScroll.place) this.#anchors = anchorsFor(pendingScroll.place);
    else if (meta && !this.isStale && isRelative(this.#anchors)) this.#anchors = axis.anchorsInView(this.#scroller.lastOffset);
    if (this.pending && this.pending.revision !== meta?.revision) this.#drawnItemsKey = false; // a later one was on its way
    this.#cancel();
    pendingScroll.end();
    this.close();
  }

  /** Closes the drawn windows. */
  close() {
    this.windows = this.windows?.close();
  }

  /** Ends the requests and the resolution of the pending windows. */
  #cancel() {
    this.pending = this.pending?.close();
    this.#resolution = this.#resolution?.end();
  }
}
