// <carousel-strip>: reports where it is scrolled, and draws the items that the server returns.
import { ScrollRange } from "../axes/scroll-range.js";
import { call, start } from "../base/lifecycle.js";
import { CardPool } from "../cards/card-pool.js";
import { isSized } from "../cards/list.js";
import { placesToKeep } from "../place/scroll-anchoring.js";
import { FRONT, QUERY, isRelative, placesFor, placesInView, search, viewOf } from "../place/search.js";
import { inLap, itemsMeeting, minBy, poolFor, validPlace, wholeIndex } from "../windows/geometry.js";
import { mayRequest } from "../windows/prefetch.js";
import { untilLoaded } from "../windows/server.js";
import { WindowCache } from "../windows/window-cache.js";
import { PROPERTIES } from "./attributes.js";
import { takeWindow } from "./hydration.js";
import { ScrollingElement, isOffAxis, takeProperties, watch } from "./viewport.js";

/** What strips do besides scrolling: functions `(strip, on)` that start when a strip is connected. See lifecycle.js. */
export const behaviours = new Set();

/**
 * A strip of any number of items, in a few nodes.
 *
 *     <carousel-strip strip="albums"><template data-kind="card">...</template><ul></ul></carousel-strip>
 *
 * The list is in the document. All parts are in a shadow root.
 *
 * This class reads the attributes `strip`, those of a view, `layout` and `snap`. Its axis reads those of sizes, and `loop`.
 * The behaviours in define.js read the others. `CarouselStrip.card` is the template of strips without one, and
 * `CarouselStrip.words` has words of other languages. Events bubble. Documentation/element.json lists them.
 */
export class CarouselStrip extends ScrollingElement {
  static get observedAttributes() {
    return [...QUERY, "height", "loop", "inset", "layout", "data-window"]; // the page can get another include
  }

  #sheet = new CSSStyleSheet(); // that of the axis
  #cards;
  #windows; // the windows that are drawn
  #nextWindows; // windows that replace them once they cover the viewport
  #places; // those of #nextWindows, in the order of preference
  #search; // for them
  #meta = null;
  #range = new ScrollRange();
  #items = [];
  #indices; // of #items, joined
  #isTouched = false;
  #afterTouch; // scrolls to the place that code asked for while a finger touched the strip
  #isScaled; // whether the cards have other sizes than the windows will have, as those of the server at another height
  #starting; // a promise: the axis is loaded
  #stops; // stop the behaviours
  #ownLayout; // that of the strip's settings, which the attribute has if the page names none
  #isOther; // whether other items, or a later revision, were asked for since the windows were drawn
  #lastQuery; // of the axis, when windows were renewed last
  #frame = 0;
  #width; // of the viewport, observed. 0 while the strip is hidden
  #outerWidth; // with the padding
  #pool; // for this viewport
  #isNear; // whether the strip is near the screen
  #cachedScroll; // the scroll position during a draw
  #lastOffset = 0; // when it was drawn last
  #lastDirection;
  #scrollTarget;
  #begun; // the offset at which the movement to #scrollTarget began

  /** The offset at the leading edge, in px. */
  get offset() {
    return this.#scroll + this.#range.origin; // reading the scroll position can move the origin
  }

  /** The offset that a smooth movement ends at. At rest, `offset`. */
  get scrollTarget() {
    return this.#scrollTarget ?? this.offset;
  }

  /** The greatest offset. It shows the last item at the trailing edge, with the inset. */
  get maxOffset() {
    return this.#range.maxOffset;
  }

  /** The last answer of `/window`, or null. */
  get meta() {
    return this.#meta;
  }

  /** The items drawn, in order: those in view, and those in the overscan. */
  get items() {
    return this.#items;
  }

  /** The viewport's width in px. Reading it causes no layout. */
  get clientWidth() {
    return this.#width || super.clientWidth;
  }

  /** Whether a finger touches the strip. Until it is lifted, only the finger scrolls. */
  get isTouched() {
    return this.#isTouched;
  }

  /** Whether items in view are not loaded yet. A strip that has just grown waits for windows of a larger pool. */
  get isWaiting() {
    return !this.#windows?.covers(...this.#spanAt()) || this.#windows.pool < this.viewportSize;
  }

  connectedCallback() {
    takeProperties(this, Object.keys(PROPERTIES));
    this.#starting = this.#start();
  }

  disconnectedCallback() {
    for (const stop of this.#stops ?? []) stop();
    this.#stops = null;
  }

  attributeChangedCallback(name, oldValue, value) {
    if (oldValue === value) return;
    if (name === "strip" && this.layout === this.#ownLayout) this.layout = null;
    if (name === "layout" && isOffAxis(this)) return this.#changeAxis();
    if (!QUERY.includes(name) || (name !== "strip" && this.#newestWindows)) return this.reload();
    if (name === "strip") this.deselect?.(); // of the behaviour `selection`
    if (this.#meta) [this.#isOther, this.#places] = [true, [FRONT]];
    if (this.#width && this.#stops) this.refetch(this.#places); // otherwise the first layout does
  }

  /**
   * Scrolls to an `index`, an `item` (its id) or an `offset` in px. `align` is "start", "center", "end" or "nearest",
   * by default that of `snap`. `at` is the place of an item in the viewport in px, instead of `align`. Other arguments
   * scroll as in every element. Resolves when the movement begins.
   */
  async scrollTo(place = {}) {
    if ((place.index ?? place.item ?? place.offset) == null) return super.scrollTo(...arguments);
    const { index, item, offset, align, at, behavior } = (place = validPlace(place));
    if (!this.#stops) await this.#starting;
    const copies = this.#items.filter((other) => other.index === index || other.id === item); // a loop can show an item more than once
    const drawn = this.clientWidth && !(this.#isScaled && !this.#windows) && minBy(copies, ({ start }) => Math.abs(start - this.offset));
    let target = (index ?? item) == null ? offset : undefined;
    if (drawn) target = at === undefined ? this.offsetOf(drawn, align) : drawn.start - at;
    call(this, "scrollTo", place);
    if (!this.emit("beforescrollto", { place, target })) return;
    this.seeker.end();
    if (target === undefined && this.loadedItems[0]) return this.seeker.seek(this, place, this.#windows);
    if (target === undefined || !this.#meta || !this.clientWidth) this.refetch(placesFor(place));
    else this.#scrollOrJump(target, behavior);
  }

  /** Requests a `revision`, by default the newest one: see `refetch`. Items in view keep their place. */
  reload(revision) {
    this.#isOther ||= !this.#newestWindows && revision > this.#meta?.revision; // a hidden strip has no windows
    if (!this.#newestWindows || !this.emit("beforereload", revision)) return;
    this.refetch(this.drawnView ? placesToKeep(this) : this.#places, revision); // the initial position stays
  }

  /**
   * Requests windows of a `revision`, by default the newest one, or of the revision of the answer `meta`. They replace
   * the drawn windows once they cover the viewport at the first of `places` that the strip has. A place is what `scrollTo`
   * takes, by default the present offset. With null or a number, the revision is at least that of the windows requested last.
   */
  refetch(places = [{}], revision, meta) {
    if (revision < this.#nextWindows?.revision) revision = this.#nextWindows.revision;
    const items = Object.fromEntries(QUERY.map((name) => [name, this.getAttribute(name)]));
    const query = { revision, ...items, ...this.axis.query, v: this.dataset.version };
    if (meta && places[0]?.within && JSON.stringify(this.axis.query) === this.#lastQuery) places = places.slice(1); // nothing has moved
    this.#places = places;
    this.#lastQuery = JSON.stringify(this.axis.query);
    if (!query.strip) return this.#clear();
    this.#nextWindows?.close();
    this.#pool = poolFor(this.viewportSize);
    if (this.source) meta = null; // the behaviour `measure` answers, with other widths than the server
    const windows = (this.#nextWindows = new WindowCache(query, this.#pool, (type, detail) => {
      this.emit(type, detail);
      this.requestDraw();
      if (!this.layout && detail?.layout) this.layout = this.#ownLayout = detail.layout;
    }, meta, this.axis.parameter, this.source, (isInView) => mayRequest(this.isOnScreen, isInView)));
    this.#search?.end();
    this.#search = search(this, places, windows, () => this.requestDraw());
    if (!this.#items[0]?.fields && meta?.items.length) windows.freeze(...this.#spanAt()); // the server's first window
    this.requestDraw();
  }

  /** The nearest offset that the strip can be scrolled to. */
  clamp(offset) {
    return this.#range.clamp(offset);
  }

  /** The nearest index that the strip has. Any whole number in a strip that wraps, and in one that is not loaded yet. */
  clampIndex(index) {
    const whole = wholeIndex(index);
    if (this.#nextWindows || !this.#meta || this.#meta.wrap) return whole;
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

  /** Starts the strip. The first strip with a layout loads its axis. on-demand.js loads optional behaviours. */
  async #start() {
    const loading = CarouselStrip.prepare?.(this);
    if (loading) await loading;
    if (isOffAxis(this)) (await untilLoaded(() => import("../axes/vertical.js"))).setAxis(this, this.#range);
    if (!this.isConnected || this.#stops) return;
    if (!this.#cards) this.#adopt();
    this.#stops = [];
    for (const behaviour of [(strip, on) => this.#watch(on), ...behaviours]) this.#stops.push(start(behaviour, this));
  }

  /** Starts again along the other axis, at the same item, or at the front. */
  #changeAxis() {
    if (!this.#stops) return; // it is about to start
    const [first] = itemsMeeting(this.#items, ...this.#spanAt(this.#lastOffset)); // the attribute has changed the scroll position
    if (!this.#isOther && this.#lastOffset > 0 && first) this.#places = [{ item: first.id }, FRONT];
    this.#places ??= [FRONT];
    this.disconnectedCallback();
    this.#isScaled = true;
    this.connectedCallback();
  }

  /** The scroll position, from the leading edge. Reading it causes a layout, so a draw reads it once. */
  get #scroll() {
    return this.#cachedScroll ?? this.axis.position;
  }

  /** The windows requested last. Undefined before the first layout. */
  get #newestWindows() {
    return this.#nextWindows ?? this.#windows;
  }

  /** The start and the end of a viewport. */
  #spanAt(offset = this.offset) {
    return [offset, offset + this.viewportSize];
  }

  /** Takes over the list and the cards that the server rendered. */
  #adopt() {
    this.#cards = new CardPool(this, () => this.#repair());
    this.shadowRoot.adoptedStyleSheets.push(this.#sheet);
    const meta = takeWindow(this);
    const height = this.axis.heightOf(meta);
    this.#isScaled = meta && height !== meta.height;
    this.#items = this.#cards.adopt(meta, height);
    if (!meta) return;
    this.#setMeta({ ...meta, height, items: this.#isScaled ? [] : meta.items }, meta.offset + this.offset + this.direction * this.earlyScroll);
    this.#drawCards();
  }

  #watch(on) {
    const stop = watch(this, on, {
      isAhead: () => this.#scrollTarget !== null && this.offset === this.#begun,
      touched: (isTouched) => (this.#isTouched = isTouched) || (this.#afterTouch = this.#afterTouch?.()),
      near: (isNear) => (this.#isNear = isNear),
      resized: () => this.#resize(),
    });
    on("ended", () => {
      this.#scrollTarget = null;
      if (this.#meta && !this.#range.reaches(this.offset)) this.#jump(this.offset); // moves the origin while nothing is in motion
    });
    return () => {
      stop();
      [this.#scrollTarget, this.#isTouched, this.#isNear, this.drawnView] = [null, false, false];
      this.#suspend();
    };
  }

  /** Closes the windows. Others will be drawn at the same offset, if any were drawn. */
  #suspend() {
    if (this.seeker.place) this.#places = placesFor(this.seeker.place);
    else if (this.#meta && isRelative(this.#places)) this.#places = placesInView(this, this.#lastOffset);
    this.seeker.end();
    this.#search?.end();
    this.#nextWindows?.close();
    this.#windows?.close();
    this.#nextWindows = this.#windows = null;
  }

  /** Shows no items, until the strip has a name again. */
  #clear() {
    this.#suspend();
    this.#items = [];
    if (this.#meta) this.#drawCards();
  }

  #resize() {
    this.#outerWidth = this.viewport.clientWidth;
    const width = (this.#width = super.clientWidth);
    if (!width) return this.#suspend();
    this.axis.measure?.();
    if (this.#windows) this.#setMeta(this.#meta, this.offset);
    if (this.#newestWindows && poolFor(this.viewportSize) === this.#pool) this.requestDraw();
    else this.refetch(this.#places, null, this.#nextWindows || this.#isOther ? null : this.#meta);
  }

  #draw() {
    this.#frame = 0;
    try {
      if (this.#isNear) this.#drawWindows();
    } finally {
      this.#cachedScroll = null;
    }
  }

  #drawWindows() {
    if (this.#cards.takeChanges()) this.#repair();
    const [former, formerMeta] = [this.#items, this.#meta];
    if (this.viewport.clientWidth !== this.#outerWidth || this.axis.track?.()) this.#resize(); // the observer hears of it after this frame
    if (this.#windows && this.#lastDirection === this.direction) this.#lastOffset = this.offset;
    else if (this.#windows) this.#jump(this.#lastOffset); // `dir` has changed
    if (this.#nextWindows) this.#replaceWindows();
    const windows = this.#windows;
    if (!windows) return;
    this.toggleAttribute("data-waiting", this.isWaiting);
    this.#cachedScroll = this.axis.position;
    if (!this.isTouched && !this.#range.reaches(this.offset, 1)) this.#jump(this.offset);
    if (!this.#nextWindows && windows.frozen !== undefined && (windows.frozen !== this.offset || this.prefetchLevel > 1)) this.refetch(undefined, null, windows.meta);
    windows.load(...this.#spanAt(), this.upcoming ?? this.scrollTarget, this.upcoming === undefined ? this.prefetchLevel : 0);
    const from = this.offset - Math.max(0, (windows.pool - this.viewportSize) / 2);
    this.#items = windows.items(from, from + windows.pool);
    call(this, "layout");
    this.#drawCards();
    const indices = this.#items.map((item) => item.index).join();
    const isOther = indices !== this.#indices;
    this.#indices = indices; // before the event, since a listener may scroll
    if (isOther) this.emit("windowchange", { items: this.#items.map((item) => inLap(item, this.#meta)), former: former.map((item) => inLap(item, formerMeta)) });
    call(this, "cards");
    call(this, "show", isOther);
    this.emit("draw");
    this.#cards.takeChanges(); // its own
  }

  /** Keeps the place if the page has replaced the list or the cards, as a morphing refresh does. The draw puts them back. */
  #repair() {
    if (this.#cards.areWhole || !this.#windows) return;
    if (!isSized(this.cardList)) this.#setMeta(this.#meta, this.#lastOffset);
    this.#indices = null; // for a "windowchange": what it sets is gone, too
    this.requestDraw();
  }

  #drawCards() {
    this.#cards.draw(this.#items, this.#range.origin, this.#windows);
  }

  /** Replaces the drawn windows by the next ones, if those cover the viewport and no finger touches the strip. */
  #replaceWindows() {
    const windows = this.#nextWindows;
    this.#search.start();
    const { offset, isOutdated } = this.#search;
    if (offset === undefined) return;
    const viewport = this.#spanAt(offset);
    windows.load(...viewport);
    if (this.isTouched || !windows.covers(...viewport)) return;
    if (isOutdated) return this.reload(windows.revision);
    this.emit("willreload", windows.meta);
    this.#windows?.close();
    [this.#windows, this.drawnView] = [windows, viewOf(this)];
    this.#nextWindows = this.#places = this.#isOther = undefined;
    this.#setMeta(windows.meta, offset);
    this.emit("reload", windows.meta);
    if (this.seeker.place) this.seeker.seek(this, this.seeker.place, windows);
  }

  /** Sets the height and the scrollable length for an answer, and jumps to `offset`. */
  #setMeta(meta, offset) {
    this.#meta = meta;
    this.#sheet.replaceSync(this.axis.resize(meta, this.#range, this.cardList));
    this.#jump(this.clamp(offset));
  }

  #jump(offset) {
    const scroll = this.#range.moveTo(offset);
    if (scroll !== this.#scroll) this.axis.scrollTo(scroll, "instant");
    [this.#cachedScroll, this.#lastOffset, this.#lastDirection] = [null, offset, this.direction];
  }

  /** Scrolls smoothly if that is asked for, the target is near, and the reader does not prefer reduced motion. */
  #scrollOrJump(offset, behavior) {
    if (this.isTouched) return void (this.#afterTouch = () => this.#scrollOrJump(offset, behavior));
    const target = this.clamp(offset);
    const distance = Math.abs(target - this.offset);
    const isNear = distance >= 1 && distance < 8 * this.viewportSize && this.#range.reaches(target);
    if (behavior === "smooth" && isNear && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      [this.#scrollTarget, this.#begun] = [target, this.offset];
      return this.axis.scrollTo(target - this.#range.origin, behavior);
    }
    this.#jump(target);
    call(this, "ended"); // browsers say so only after a movement
    this.#draw();
  }
}
