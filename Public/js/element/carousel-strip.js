// <carousel-strip>: reports where it is scrolled, and draws the items that the server returns.
import { needsOtherAxis } from "../axes/axis.js";
import { Scroller } from "../axes/scroller.js";
import { callHook, startPlugin } from "../base/plugin.js";
import { CardPool } from "../cards/card-pool.js";
import { isSized } from "../cards/list.js";
import { currentItem } from "../motion/navigation.js";
import { START, anchorsFor, targetOf } from "../position/anchors.js";
import { WindowSwap } from "../position/window-swap.js";
import { retryUntilLoaded } from "../server/retries.js";
import { inLap, toSafeInteger, validPlace } from "../windows/geometry.js";
import { firstAnchor } from "../windows/in-view.js";
import { ATTRIBUTES } from "./attributes.js";
import { readFirstWindow } from "./hydration.js";
import { OPTIONS, upgradeProperties } from "./options.js";
import { ScrollingElement } from "./scrolling-element.js";
import { observeViewport } from "./viewport.js";

/** What strips do besides scrolling: functions `(strip, on)` that start when a strip is connected. See base/plugin.js. */
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
    return [...OPTIONS, "data-window"]; // a page can put another window of the server into the attribute
  }

  #sheet = new CSSStyleSheet(); // has the rules of the axis
  #cards;
  #response = null;
  #scroller = new Scroller(this, () => this.#draw());
  #swap = new WindowSwap(this, this.#scroller, (type, detail) => this.#notify(type, detail), () => this.#empty()); // replaces the drawn windows by others
  #items = [];
  #drawnKey; // the indices and the ids of the drawn items
  #starting; // the promise of `#start`
  #stops; // functions that stop the plugins
  #settingsLayout; // the layout of the strip's settings, which the attribute gets if the page names none
  #frame; // the request for the next frame, if that draws
  #isDrawing;
  #width; // of the viewport, as observed. 0 while the strip is hidden
  #outerWidth; // of the viewport with its padding

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

  /** A response of `/window` that is drawn, or null. Strip, view, revision, sizes and count are those of all that is drawn. */
  get meta() {
    return this.#response;
  }

  /** The view of the drawn items: see `viewOf`. Undefined while there are none. */
  get drawnView() {
    return this.#swap.windows?.query.view;
  }

  /** Whether the drawn items are stale: those of another strip, view or axis come next. */
  get isStale() {
    return this.#items[0] && this.#swap.isStale;
  }

  /** Whether windows are requested that will replace the drawn ones. False once such a request has failed. */
  get isReloading() {
    return this.#swap.pending?.isOpen;
  }

  /** The items drawn, in order: those in view, and those in the overscan. */
  get items() {
    return this.#items;
  }

  /** The current item: the drawn one that is nearest to its aligned place. */
  get current() {
    return inLap(currentItem(this), this.#response);
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
    const windows = this.#swap.windows;
    return !windows?.covers(this.offset, this.offset + this.viewportSize) || windows.tileSize < this.viewportSize;
  }

  connectedCallback() {
    upgradeProperties(this);
    this.#starting = this.#start();
  }

  disconnectedCallback() {
    this.#stops = this.#stops?.forEach((stop) => stop());
    this.#swap.suspend();
    callHook(this, "disconnected");
  }

  /** A strip that `moveBefore` moves goes on. Another ancestor may scroll it now. */
  connectedMoveCallback() {
    if (this.#stops) this.#resize();
  }

  /** An option has another value: an attribute, or a custom property. ATTRIBUTES has what depends on it. */
  attributeChangedCallback(name, former, value) {
    if (former === value) return;
    const changes = ATTRIBUTES[name]?.changes;
    if (changes === "items" && (name === "strip" || !this.#swap.newest)) this.#showStart(name);
    else if (changes === "axis" && needsOtherAxis(this)) this.#changeAxis();
    else if (changes === "cells") this.axis.relayout();
    else if (changes || name === "data-window") this.reload(changes === "sizes" ? null : undefined); // the same items get other sizes
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
    const swap = this.#swap;
    const isDrawn = this.clientWidth && this.#response?.sizesKey && !swap.targetsPending;
    const target = targetOf(place, this, isDrawn ? this.#items : []);
    if (!this.emit("beforescrollto", { place, target })) return;
    callHook(this, "scrollTo", place);
    this.pendingScroll.end();
    if (target !== undefined && this.clientWidth && this.#response && !swap.isStarting) this.#scroller.scrollTo(target, place.behavior);
    else if (isDrawn && swap.windows) return this.pendingScroll.start(this, place, swap.windows);
    else this.refetch(anchorsFor(place));
  }

  /** Requests a `revision`, by default the newest one: see `refetch`. Items in view keep their place, unless an axis passes other `anchors`. */
  reload(revision, anchors) {
    this.#swap.reload(revision, anchors);
  }

  /**
   * Requests windows, which replace the drawn ones once they cover the viewport. `anchors` are places, as `scrollTo` takes them: the
   * strip shows the first one that it has. By default it is the present offset. The `revision` is
   *
   * - undefined for the newest one
   * - null for the one of the windows requested last, or the newest one if it is unknown: a retry
   * - a number for this one, or for that of the windows requested last if it is later
   *
   * `response` is an earlier response, which says the revision and the extent. It does not count if it is for other sizes.
   */
  refetch(anchors, revision, response) {
    this.#swap.start(anchors, revision, response);
  }

  /** The nearest offset that the strip can be scrolled to. */
  clamp(offset) {
    return this.#scroller.range.clamp(offset);
  }

  /** The nearest index that the strip has. One that wraps, or is not loaded yet, has every whole number. */
  clampIndex(index) {
    const whole = toSafeInteger(index);
    if (this.isReloading || !this.#response || this.#response.wrap) return whole;
    return Math.max(0, Math.min(whole, this.#response.count - 1));
  }

  /** The loaded items, drawn or not, in order. */
  get loadedItems() {
    return this.#swap.windows?.items(-Infinity, Infinity) ?? [];
  }

  /** Requests one window of `size` px, at the drawn revision, height and pool. */
  async window(query, signal) {
    return this.#swap.windows?.fetchWindow(query, signal);
  }

  /** Draws in the next frame, once. */
  requestDraw() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  /** Starts the plugins, once the axis of the layout is loaded, and what on-demand.js loads for the strip. */
  async #start() {
    const loading = CarouselStrip.prepare?.(this);
    if (loading) await loading;
    if (needsOtherAxis(this)) (await retryUntilLoaded(() => import("../axes/vertical.js"))).setAxis(this, this.#scroller.range);
    if (!this.isConnected || this.#stops) return;
    if (!this.#cards) this.#hydrate();
    this.#stops = [];
    const observe = (strip, on) => observeViewport(strip, on, this.#scroller, () => this.#resize());
    for (const plugin of [observe, ...plugins]) this.#stops.push(startPlugin(plugin, this));
  }

  /** Shows the start of another strip, or of another view of a hidden one. */
  #showStart(name) {
    if (name === "strip") {
      if (this.layout === this.#settingsLayout) this.layout = this.#settingsLayout = null;
      this.deselect?.(); // the core alone has no selection
    }
    if (this.#response) this.#swap.showNext([START]);
    if (this.#width && this.#stops) this.refetch(this.#swap.anchors); // otherwise the first layout requests them
  }

  /** Starts again along the other axis, at the same item, or at the start. */
  #changeAxis() {
    if (!this.#stops) return; // it is about to start, with the axis of its layout
    const lastOffset = this.#scroller.lastOffset; // the present one is wrong: style sheets have already changed the axis
    const swap = this.#swap;
    const anchor = lastOffset > 0 && !swap.targetsPending && firstAnchor(this, lastOffset);
    swap.showNext(anchor ? anchorsFor({ item: anchor.item }) : (swap.anchors ?? [START]));
    this.disconnectedCallback();
    this.connectedCallback();
  }

  /** Takes over the list and the cards that the server rendered. */
  #hydrate() {
    this.#cards = new CardPool(this, () => this.#repair());
    this.shadowRoot.adoptedStyleSheets.push(this.#sheet);
    const response = readFirstWindow(this);
    const height = this.axis.heightOf(response);
    this.#items = this.#cards.hydrate(response, height);
    if (!response) return;
    const { sizesKey } = this.#swap.markDrawn();
    this.#setResponse({ ...response, height, sizesKey: height === response.height && sizesKey }, response.offset + this.offset + this.direction * this.earlyScroll);
    this.#drawCards();
  }

  /** Dispatches a response or an error of a request for windows. */
  #notify(type, detail) {
    this.emit(type, detail);
    if (detail.parameter === "strip") this.#empty();
    this.requestDraw();
    if (!this.layout && detail.layout) this.layout = this.#settingsLayout = detail.layout;
  }

  /** Hides all cards. */
  #empty() {
    this.#swap.close();
    this.#items = [];
    if (this.#response) this.#drawCards();
  }

  #resize() {
    this.#outerWidth = this.viewport.clientWidth;
    const width = super.clientWidth;
    if (!width) this.#swap.suspend();
    if (!(this.#width = width)) return;
    this.axis.measure();
    if (this.#swap.windows) this.#setResponse(this.#response, this.offset);
    this.#swap.resize();
  }

  /** Draws at once. If a listener asks for this during a draw, it follows in the next frame. */
  #draw() {
    this.#frame = cancelAnimationFrame(this.#frame);
    if (this.#isDrawing) return this.requestDraw();
    try {
      this.#isDrawing = true;
      if (this.isNearViewport) this.#drawWindows();
    } finally {
      this.#isDrawing = this.#scroller.invalidatePosition();
    }
  }

  /** The draw itself, in the order that Documentation/Plugins.md has. Listeners of plugins are called in three phases. */
  #drawWindows() {
    const former = this.#itemsInLaps;
    this.#syncWithPage();
    const windows = this.#swap.windows;
    if (!windows) return;
    this.toggleAttribute("data-waiting", this.isWaiting);
    this.#loadAround();
    callHook(this, "beforeLayout");
    this.#drawCards();
    const key = JSON.stringify(this.#items, ["index", "id"]);
    const hasChanged = key !== this.#drawnKey;
    this.#drawnKey = key; // before the event, since a listener may scroll
    if (hasChanged) this.emit("windowchange", { items: this.#itemsInLaps, former });
    callHook(this, "afterLayout");
    callHook(this, "afterRender", hasChanged);
    this.#cards.takeMutations(); // the draw's own changes are not those of the page
    this.emit("draw");
  }

  /** Takes over what has changed since the last draw: the page's nodes, the size, the scroll position, and pending windows that are ready. */
  #syncWithPage() {
    if (this.#cards.takeMutations()) this.#repair();
    if (this.viewport.clientWidth !== this.#outerWidth || this.axis.syncLayout()) this.#resize(); // the observer is called after this frame
    const isMoving = this.#swap.windows && this.#scroller.isMoving;
    if (this.#swap.windows) this.#scroller.syncOffset();
    this.#swap.swapIfReady(isMoving, (windows, offset) => {
      this.#setResponse(windows.response, offset);
      this.#findItems(windows);
    });
    this.pendingScroll.resume();
  }

  /** Requests what is missing around the viewport, and finds the items to draw. */
  #loadAround() {
    const windows = this.#swap.windows;
    this.#scroller.cachePosition();
    if (!this.isTouched && !this.#scroller.range.reaches(this.offset, 1)) this.#scroller.jump(this.offset);
    if (windows.isOutgrown(this.offset, this.prefetchLevel)) this.#swap.enlarge();
    windows.load(this.offset, this.offset + this.viewportSize, this.predictedOffset ?? this.scrollTarget, this.predictedOffset === undefined ? this.prefetchLevel : 0);
    this.#findItems(windows);
  }

  #findItems(windows) {
    const from = this.offset - Math.max(0, (windows.tileSize - this.viewportSize) / 2);
    this.#items = windows.items(from, from + windows.tileSize);
  }

  /** Keeps the place if the page has replaced the list or the cards, as a morphing refresh does. The draw puts them back. */
  #repair() {
    callHook(this, "option"); // a template that the page has added can need a plugin
    if (this.#cards.checkIntact() || !this.#swap.windows) return;
    if (!isSized(this.cardList)) this.#setResponse(this.#response, this.#scroller.lastOffset);
    this.#drawnKey = null; // dispatches "windowchange" again: what its listeners have set is gone, too
    this.requestDraw();
  }

  /** The drawn items as events have them. */
  get #itemsInLaps() {
    return this.#items.map((item) => inLap(item, this.#response));
  }

  #drawCards() {
    this.#cards.draw(this.#items, this.#scroller.range.origin, this.#swap.windows);
  }

  /** Sets the height and the scrollable length for a response, and jumps to `offset`. */
  #setResponse(response, offset) {
    this.#response = response;
    this.#sheet.replaceSync(this.axis.resize(response, this.#scroller.range, this.cardList));
    this.#scroller.jump(this.clamp(offset));
  }
}
