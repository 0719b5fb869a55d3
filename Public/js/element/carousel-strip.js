// <carousel-strip>: reports where it is scrolled, and draws the items that the server returns.
import { Scroller } from "../axes/scroller.js";
import { callHook, start } from "../base/lifecycle.js";
import { CardPool } from "../cards/card-pool.js";
import { isSized } from "../cards/list.js";
import { currentItem } from "../motion/navigation.js";
import { placesToKeep } from "../place/scroll-anchoring.js";
import { FRONT, QUERY, isRelative, placesFor, search, targetOf, viewOf } from "../place/search.js";
import { inLap, itemsMeeting, poolFor, validPlace, wholeIndex } from "../windows/geometry.js";
import { untilLoaded } from "../windows/server.js";
import { WindowCache } from "../windows/window-cache.js";
import { ATTRIBUTES } from "./attributes.js";
import { readFirstWindow } from "./hydration.js";
import { OPTIONS, upgradeProperties } from "./options.js";
import { ScrollingElement, isOffAxis, watch } from "./viewport.js";

/** What strips do besides scrolling: functions `(strip, on)` that start when a strip is connected. See lifecycle.js. */
export const plugins = new Set();
export { plugins as behaviours }; // the name that pages know

/**
 * A strip of any number of items, in a few nodes.
 *
 *     <carousel-strip strip="albums"><template data-kind="card">...</template><ul></ul></carousel-strip>
 *
 * The list is in the document. All parts are in a shadow root. Documentation/element.json lists attributes and events.
 * `CarouselStrip.card` is the template of strips without one, and `CarouselStrip.words` has words of other languages.
 */
export class CarouselStrip extends ScrollingElement {
  static get observedAttributes() {
    return [...OPTIONS, "data-window"]; // the page can get another include
  }

  #sheet = new CSSStyleSheet(); // that of the axis
  #cards;
  #windows; // those that are drawn. Undefined while the strip is hidden
  /**
   * What the strip shows next. Empty while it shows what was asked for.
   *
   * - `places`: where, in the order of preference.
   * - `hasOtherItems`: other items, or a later revision.
   * - `isStale`: the drawn items are no places in it. They are of another strip, the server wrote them for another height, or they were drawn along another axis.
   * - `windows`, which replace the drawn ones, and the `search` for the first of the places. A hidden strip has none.
   */
  #next = {};
  #meta = null;
  #scroller = new Scroller(this, () => this.#draw());
  #items = [];
  #indices; // of #items, joined
  #starting; // a promise: the axis is loaded
  #stops; // stop the plugins
  #ownLayout; // that of the strip's settings, which the attribute has if the page names none
  #isNewView; // whether the view was changed in this task: places of `scrollTo` are places in it
  #frame; // the next one, if it draws
  #width; // of the viewport, observed. 0 while the strip is hidden
  #outerWidth; // with the padding
  #poolSize; // that was requested last

  /** The offset at the leading edge, in px. */
  get offset() {
    return this.#scroller.offset;
  }

  /** The offset that a smooth movement ends at. At rest, `offset`. */
  get scrollTarget() {
    return this.#scroller.target;
  }

  /** The greatest offset. It shows the last item at the trailing edge, with the inset. */
  get maxOffset() {
    return this.#scroller.range.maxOffset;
  }

  /** The last answer of `/window`, or null. */
  get meta() {
    return this.#meta;
  }

  /** The items drawn, in order: those in view, and those in the overscan. */
  get items() {
    return this.#items;
  }

  /** The current item: the drawn one that is nearest to its aligned place. */
  get current() {
    return inLap(currentItem(this), this.#meta);
  }

  /** The viewport's width in px. Reading it causes no layout. */
  get clientWidth() {
    return this.#width || super.clientWidth;
  }

  /** Whether a finger touches the strip. Until it is lifted, only the finger scrolls. */
  get isTouched() {
    return this.#scroller.isTouched;
  }

  /** Whether items in view are not loaded yet. A strip that has just grown waits for windows of a larger pool. */
  get isWaiting() {
    return !this.#windows?.covers(...this.#spanAt()) || this.#windows.poolSize < this.viewportSize;
  }

  connectedCallback() {
    upgradeProperties(this);
    this.#starting = this.#start();
  }

  disconnectedCallback() {
    for (const stop of this.#stops ?? []) stop();
    this.#stops = null;
    callHook(this, "disconnected");
  }

  /** An option has another value: an attribute, or a custom property. ATTRIBUTES has what depends on it. */
  attributeChangedCallback(name, former, value) {
    if (former === value) return;
    const changes = ATTRIBUTES[name]?.changes;
    if (changes === "items" && (name === "strip" || !this.#newestWindows)) this.#showFront(name);
    else if (changes === "axis" && isOffAxis(this)) this.#changeAxis();
    else if (changes === "cells") this.axis.rearrange?.();
    else if (changes || name === "data-window") this.reload(changes === "sizes" ? this.#newestWindows?.revision : undefined); // the same items
    if (changes === "items" && this.#meta) this.#isNewView = true;
    callHook(this, "option", name);
  }

  /**
   * Scrolls to an `index`, an `item` (its id) or an `offset` in px. `align` is "start", "center", "end" or "nearest",
   * by default that of `snap`. `at` is the place of an item in the viewport in px, instead of `align`. Other arguments
   * scroll as in every element. Resolves when the movement begins.
   */
  async scrollTo(place = {}) {
    if ((place.index ?? place.item ?? place.offset) == null) return super.scrollTo(...arguments);
    place = validPlace(place);
    if (!this.#stops) await this.#starting;
    const isDrawn = this.clientWidth && !this.#next.isStale && !this.#isNewView;
    const target = targetOf(place, this, isDrawn ? this.#items : []);
    callHook(this, "scrollTo", place);
    if (!this.emit("beforescrollto", { place, target })) return;
    this.pendingScroll.end();
    if (target === undefined && isDrawn && this.loadedItems[0]) return this.pendingScroll.start(this, place, this.#windows);
    if (target === undefined || !this.#meta || !this.clientWidth || this.#isNewView) this.refetch(placesFor(place));
    else this.#scroller.scrollTo(target, place.behavior);
  }

  /** Requests a `revision`, by default the newest one: see `refetch`. Items in view keep their place. */
  reload(revision) {
    this.#next.hasOtherItems ||= !this.#newestWindows && revision > this.#meta?.revision; // a hidden strip has no windows
    if (!this.#newestWindows || !this.emit("beforereload", revision)) return;
    this.refetch(this.drawnView && isRelative(this.#next.places) ? placesToKeep(this) : this.#next.places, revision); // a place that was asked for stays
  }

  /**
   * Requests windows of a `revision`, by default the newest one, or of the revision of the answer `meta`. They replace
   * the drawn windows once they cover the viewport at the first of `places` that the strip has. A place is what `scrollTo`
   * takes, by default the present offset. With null or a number, the revision is at least that of the windows requested last.
   * An answer for other sizes has another extent, and so does not count.
   */
  refetch(places = [{}], revision, meta) {
    const newest = this.#next.windows?.revision;
    if (revision < newest) revision = newest;
    const query = { revision, ...Object.fromEntries(QUERY.map((name) => [name, this.option(name)])), ...this.axis.query, v: this.dataset.version };
    const sizes = JSON.stringify(this.axis.query);
    if (this.dataSource || meta?.sizes !== sizes) meta = null; // the plugin `measure` answers, with other widths than the server
    else if (places[0]?.end) places = places.slice(1); // nothing has moved
    if (!query.strip) { // no items until the strip has a name again
      this.#next.places = places;
      this.#suspend();
      return this.#empty();
    }
    const next = this.#cancel();
    const notify = (type, detail) => {
      detail.sizes = sizes;
      this.emit(type, detail);
      if (detail.parameter === "strip") this.#empty();
      this.requestDraw();
      if (!this.layout && detail.layout) this.layout = this.#ownLayout = detail.layout;
    };
    const windows = new WindowCache(query, (this.#poolSize = poolFor(this.viewportSize)), this, notify, meta);
    Object.assign(next, { places, windows, search: search(this, places, windows, () => this.requestDraw()) });
    if (!this.#items[0]?.fields && meta?.items.length) windows.pin(...this.#spanAt()); // the server's first window
    this.requestDraw();
  }

  /** The nearest offset that the strip can be scrolled to. */
  clamp(offset) {
    return this.#scroller.range.clamp(offset);
  }

  /** The nearest index that the strip has. Any whole number in a strip that wraps, and in one that is not loaded yet. */
  clampIndex(index) {
    const whole = wholeIndex(index);
    if (this.#next.windows || !this.#meta || this.#meta.wrap) return whole;
    return Math.max(0, Math.min(whole, this.#meta.count - 1));
  }

  /** The loaded items, drawn or not, in order. */
  get loadedItems() {
    return this.#windows?.items(-Infinity, Infinity) ?? [];
  }

  /** Requests one window of `size` px, at the drawn revision, height and pool. */
  async window(query, signal) {
    return this.#windows?.request(query, signal);
  }

  /** Draws in the next frame, once. */
  requestDraw() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  /** Starts the strip. The first strip with a layout loads its axis. on-demand.js loads optional plugins. */
  async #start() {
    const loading = CarouselStrip.prepare?.(this);
    if (loading) await loading;
    if (isOffAxis(this)) (await untilLoaded(() => import("../axes/vertical.js"))).setAxis(this, this.#scroller.range);
    if (!this.isConnected || this.#stops) return;
    if (!this.#cards) this.#hydrate();
    this.#stops = [];
    for (const plugin of [(strip, on) => this.#watch(on), ...plugins]) this.#stops.push(start(plugin, this));
  }

  /** Shows the front of another strip, or of another view of a hidden one. */
  #showFront(name) {
    if (name === "strip" && this.layout === this.#ownLayout) this.layout = this.#ownLayout = null;
    if (name === "strip") this.deselect?.(); // of the plugin `selection`
    if (this.#meta) Object.assign(this.#next, { places: [FRONT], hasOtherItems: true, isStale: true });
    if (this.#width && this.#stops) this.refetch(this.#next.places); // otherwise the first layout does
  }

  /** Starts again along the other axis, at the same item, or at the front. */
  #changeAxis() {
    if (!this.#stops) return; // it is about to start
    const next = this.#next;
    const [first] = itemsMeeting(this.#items, ...this.#spanAt(this.#scroller.lastOffset)); // the attribute has changed the scroll position
    if (!next.hasOtherItems && this.#scroller.lastOffset > 0 && first) next.places = [{ item: first.id }, FRONT];
    next.places ??= [FRONT];
    this.disconnectedCallback();
    this.#next.isStale = true;
    this.connectedCallback();
  }

  /** The windows requested last. Undefined before the first layout. */
  get #newestWindows() {
    return this.#next.windows ?? this.#windows;
  }

  /** The start and the end of a viewport. */
  #spanAt(offset = this.offset) {
    return [offset, offset + this.viewportSize];
  }

  /** Takes over the list and the cards that the server rendered. */
  #hydrate() {
    this.#cards = new CardPool(this, () => this.#repair());
    this.shadowRoot.adoptedStyleSheets.push(this.#sheet);
    const meta = readFirstWindow(this);
    const height = this.axis.heightOf(meta);
    const isStale = (this.#next.isStale = meta && height !== meta.height);
    this.#items = this.#cards.hydrate(meta, height);
    if (!meta) return;
    this.#setMeta({ ...meta, height, sizes: isStale || JSON.stringify(this.axis.query) }, meta.offset + this.offset + this.direction * this.earlyScroll);
    this.#drawCards();
  }

  #watch(on) {
    const stop = watch(this, on, this.#scroller, () => this.#resize());
    return () => {
      stop();
      this.drawnView = undefined;
      this.#suspend();
    };
  }

  /** Ends the requests and the search for what the strip shows next. It is still to be shown: returns it. */
  #cancel() {
    const { windows, search: searching, ...next } = this.#next;
    windows?.close();
    searching?.end();
    return (this.#next = next);
  }

  /** Closes the windows. Others will be drawn at the same offset, if any were drawn. */
  #suspend() {
    const next = this.#cancel();
    if (this.pendingScroll.place) next.places = placesFor(this.pendingScroll.place);
    else if (this.#meta && isRelative(next.places)) next.places = this.axis.placesInView(this.#scroller.lastOffset);
    this.pendingScroll.end();
    this.#closeWindows();
  }

  #closeWindows() {
    this.#windows = this.#windows?.close();
  }

  /** Hides all cards. */
  #empty() {
    this.#closeWindows();
    this.#items = [];
    if (this.#meta) this.#drawCards();
  }

  #resize() {
    this.#outerWidth = this.viewport.clientWidth;
    const width = (this.#width = super.clientWidth);
    if (!width) return this.#suspend();
    this.axis.measure?.();
    if (this.#windows) this.#setMeta(this.#meta, this.offset);
    const { windows, hasOtherItems, places } = this.#next;
    if (this.#newestWindows && this.#poolSize === poolFor(this.viewportSize)) this.requestDraw();
    else this.refetch(places, null, windows || hasOtherItems ? null : this.#meta);
  }

  #draw() {
    this.#frame = cancelAnimationFrame(this.#frame);
    try {
      if (this.isNearViewport) this.#drawWindows();
    } finally {
      this.#scroller.release();
    }
  }

  #drawWindows() {
    this.#isNewView = false;
    if (this.#cards.takeChanges()) this.#repair();
    const scroller = this.#scroller;
    const former = this.#items;
    const formerMeta = this.#meta;
    if (this.viewport.clientWidth !== this.#outerWidth || this.axis.track?.()) this.#resize(); // the observer hears of it after this frame
    if (this.#windows) scroller.follow();
    if (this.#next.windows) this.#replaceWindows();
    this.pendingScroll.resume();
    const windows = this.#windows;
    if (!windows) return;
    this.toggleAttribute("data-waiting", this.isWaiting);
    scroller.keep();
    if (!this.isTouched && !scroller.range.reaches(this.offset, 1)) scroller.jump(this.offset);
    if (!this.#next.windows && windows.pinned !== undefined && (windows.pinned !== this.offset || this.prefetchLevel > 1)) this.refetch(undefined, null, windows.meta);
    windows.load(...this.#spanAt(), this.upcoming ?? this.scrollTarget, this.upcoming === undefined ? this.prefetchLevel : 0);
    const from = this.offset - Math.max(0, (windows.poolSize - this.viewportSize) / 2);
    this.#items = windows.items(from, from + windows.poolSize);
    callHook(this, "layout");
    this.#drawCards();
    const indices = this.#items.map((item) => item.index).join();
    const hasChanged = indices !== this.#indices;
    this.#indices = indices; // before the event, since a listener may scroll
    if (hasChanged) this.emit("windowchange", { items: inLaps(this.#items, this.#meta), former: inLaps(former, formerMeta) });
    callHook(this, "cards");
    callHook(this, "show", hasChanged);
    this.emit("draw");
    this.#cards.takeChanges(); // its own
  }

  /** Keeps the place if the page has replaced the list or the cards, as a morphing refresh does. The draw puts them back. */
  #repair() {
    if (this.#cards.areIntact || !this.#windows) return;
    if (!isSized(this.cardList)) this.#setMeta(this.#meta, this.#scroller.lastOffset);
    this.#indices = null; // for a "windowchange": what it sets is gone, too
    this.requestDraw();
  }

  #drawCards() {
    this.#cards.draw(this.#items, this.#scroller.range.origin, this.#windows);
  }

  /** Replaces the drawn windows by the next ones, if those cover the viewport and no finger touches the strip. */
  #replaceWindows() {
    const { windows, search: searching } = this.#next;
    searching.start();
    const { offset, isOutdated } = searching;
    if (offset === undefined) return;
    const viewport = this.#spanAt(offset);
    windows.load(...viewport);
    if (this.isTouched || !windows.covers(...viewport)) return;
    if (isOutdated) return this.reload(windows.revision);
    this.emit("willreload", windows.meta);
    this.#closeWindows();
    this.#windows = windows;
    this.drawnView = viewOf(this);
    this.#next = {};
    this.#setMeta(windows.meta, offset);
    this.emit("reload", windows.meta);
    if (this.pendingScroll.place) this.pendingScroll.start(this, this.pendingScroll.place, windows);
  }

  /** Sets the height and the scrollable length for an answer, and jumps to `offset`. */
  #setMeta(meta, offset) {
    this.#meta = meta;
    this.#sheet.replaceSync(this.axis.resize(meta, this.#scroller.range, this.cardList));
    this.#scroller.jump(this.clamp(offset));
  }
}

const inLaps = (items, meta) => items.map((item) => inLap(item, meta));
