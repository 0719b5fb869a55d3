// <carousel-strip>: says where it is scrolled, and draws what it is told.
import { Windows } from "./windows.js";
import { begin } from "./listen.js";
import { isSameItem } from "./card.js";
import { Cards } from "./cards.js";
import { Canvas } from "./canvas.js";
import { offsetShowing, poolFor } from "./stretch.js";

/** What strips can do besides: functions `(strip, on)`, which `begin` on connection. */
export const behaviours = new Set();

/**
 * A strip of items, as long as may be, in a few nodes.
 *
 *     <carousel-strip strip="albums"><template data-kind="card">...</template><ul></ul></carousel-strip>
 *
 * Attributes: `strip`, `height` (px; the strip's own if absent), `loop`, and `snap`, whose alignment says which
 * item is the current one. Events bubble; their `detail` is told in custom-elements.json.
 */
export class CarouselStrip extends HTMLElement {
  static get observedAttributes() {
    return ["strip", "height", "loop"];
  }

  #list;
  #cards;
  #windows; // those drawn
  #coming; // those that will be, once they cover the viewport
  #head = null; // what the last answer said besides its items
  #destination; // says at which offset those will be drawn
  #canvas = new Canvas();
  #drawn = [];
  #shown; // their indices
  #selected = null; // with its `origin` while it is not told of, for it waits for its fields
  #isHeld = false; // by a finger
  #ends; // what ends its behaviours
  #frame = 0;
  #width; // of the viewport, once that is observed
  #scrolled; // the scroll position while the strip is drawn
  #place = 0; // the offset that was drawn last
  #turned; // the `sign` then
  #goal; // the offset that a movement leads to

  /** The strip's px at the leading edge. */
  get offset() {
    return this.#canvas.origin + this.#scroll;
  }

  /** The offset that a movement leads to; at rest, `offset`. */
  get goal() {
    return this.#goal ?? this.offset;
  }

  /** The offset that shows the last item at the trailing edge. */
  get furthest() {
    return this.#canvas.end;
  }

  /** 1 where the strip runs from left to right, else -1, by `dir`. */
  get sign() {
    return this.matches(":dir(rtl)") ? -1 : 1;
  }

  /** What the last answer of `/window` said besides its items, or null. */
  get head() {
    return this.#head;
  }

  /** The items drawn, in order, those around the viewport too. */
  get items() {
    return this.#drawn;
  }

  /** The viewport's width in px, known without a layout. */
  get clientWidth() {
    return this.#width || super.clientWidth;
  }

  /** Whether items that belong into the viewport are not here yet. */
  get isWaiting() {
    const windows = this.#windows;
    // One that has just grown is to have larger windows: of these no more than a pool's stretch is drawn.
    return !windows?.covers(...this.#view()) || windows.pool < this.clientWidth;
  }

  /** Whether a finger is on the strip: until it goes, nothing but the finger scrolls. */
  get isHeld() {
    return this.#isHeld;
  }

  /** The selected item, or null. */
  get selected() {
    return this.#selected;
  }

  /** "start", "center" or "end": how an item stands when it is the current one; undefined where nothing snaps. */
  get alignment() {
    return /start|center|end/.exec(this.getAttribute("snap"))?.[0];
  }

  /** The item drawn that stands nearest to where the current one does; undefined while none is. */
  get current() {
    const far = this.#drawn.map((item) => Math.abs(this.offsetOf(item) - this.offset));
    return this.#drawn[far.indexOf(Math.min(...far))];
  }

  connectedCallback() {
    if (!this.#cards) this.#begin();
    this.#ends = [(strip, on) => this.#follow(on), ...behaviours].map((behaviour) => begin(behaviour, this));
  }

  disconnectedCallback() {
    for (const end of this.#ends) end();
  }

  attributeChangedCallback(name, former, value) {
    if (former === value || !this.#isLaid) return;
    if (name !== "strip") return this.reload();
    this.deselect();
    this.renew(() => 0);
  }

  /**
   * Scrolls to an `index`, an `item` (its id) or an `offset` in px: `align` is "start", "center", "end" or "nearest", that
   * of `snap` if it is not said, or `at` the px of the viewport to put an item at; `behavior` the web's. With anything
   * else, as every element does. What is not drawn is found by a behaviour, `landing`; resolves once the way is known, and
   * the movement begins: `settle` tells of its end.
   */
  async scrollTo(place = {}) {
    const { index, item, offset, align, at, behavior } = place;
    if ((index ?? item ?? offset) == null) return super.scrollTo(...arguments);
    const known = this.#drawn.find((other) => other.index === index || other.id === item);
    let target = (index ?? item) == null ? offset : undefined;
    if (known) target = at === undefined ? this.offsetOf(known, align) : known.start - at;
    const way = { place, target };
    if (this.tell("seek", way) && target !== undefined) this.#go(target, behavior);
    await way.found;
  }

  /** Selects the item of `index`: highlighted, centred, and told by a `select` event, with the `origin` "code". */
  select(index, origin = "code") {
    if (origin !== "code" && this.getAttribute("selection") === "none") return;
    const item = { ...this.#drawn.find((other) => other.index === index), index, origin };
    if (this.#selected && !isSameItem(this.#selected, item)) this.deselect();
    this.#selected = item;
    this.#tellSelected();
    this.#redraw();
    return this.scrollTo({ index, align: this.alignment ?? "center", behavior: "smooth" });
  }

  /** Selects none, and tells so by a `deselect` event. */
  deselect() {
    const item = this.#selected;
    this.#selected = null;
    if (item) this.tell("deselect", item);
    this.#redraw();
  }

  /** Asks for a `revision`, the newest if none is named; a behaviour may say where that is to be drawn. */
  reload(revision) {
    if (this.#isLaid && this.tell("outdated", revision)) this.renew();
  }

  /**
   * Asks for windows of a `revision`, of the newest if that is not said, or of the one that `head` is an answer of. What
   * is drawn stays until they cover the viewport at the `destination`: a function of them that returns an offset, or
   * undefined while it does not know.
   */
  renew(destination = () => this.offset, revision, head) {
    const query = {
      revision,
      strip: this.getAttribute("strip"),
      height: this.getAttribute("height"),
      wrap: this.hasAttribute("loop") || null,
      v: this.dataset.version,
    };
    this.#coming?.close();
    this.#coming = new Windows(query, poolFor(this.clientWidth), (type, detail) => {
      this.tell(type, detail);
      this.#redraw();
    }, head);
    this.#destination = destination;
    this.#redraw();
  }

  /** The offset nearest `offset` that the strip can be scrolled to. */
  clamp(offset) {
    return this.#canvas.clamp(offset);
  }

  /** The offset that shows an item drawn, within the strip. */
  offsetOf(item, align = this.alignment) {
    return this.clamp(offsetShowing(item, align, this.clientWidth, this.offset));
  }

  /** The items that are here, drawn or not, in order. */
  get known() {
    return this.#windows?.items(-Infinity, Infinity) ?? [];
  }

  /** The node that shows the item of `index`, or null. */
  nodeOf(index) {
    return this.#list.querySelector(`[data-index="${index}"]`);
  }

  /** One answer of `/window` at the revision, height and pool drawn, where `query` says. */
  async window(query, signal) {
    return this.#windows?.window(query, signal);
  }

  /** Dispatches an event; whether nobody prevented its default. */
  tell(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable: true, detail }));
  }

  /** The scroll position, from the leading edge: while the strip is drawn, it is read but once, for that takes a layout. */
  get #scroll() {
    return this.#scrolled ?? this.sign * this.scrollLeft;
  }

  /** Whether windows were asked for: they are from the first layout on. */
  get #isLaid() {
    return this.#coming ?? this.#windows;
  }

  /** The px of the strip that a viewport at `offset` shows. */
  #view(offset = this.offset) {
    return [offset, offset + this.clientWidth];
  }

  /** Makes its own what is in the page at the start. */
  #begin() {
    this.#list = this.querySelector("ul") ?? this.appendChild(document.createElement("ul"));
    this.#cards = new Cards(this.#list, this);
    this.#drawn = this.#cards.adopt();
    if (!this.dataset.window) return;
    const head = JSON.parse(this.dataset.window);
    this.#lay(head, head.offset);
    this.#show();
  }

  /** Draws what scrolling, fingers, another size and, by a transition, the style sheet ask for. */
  #follow(on) {
    on("scroll focusin focusout transitionend", () => this.#redraw());
    on("scrollend", () => {
      this.#goal = null;
      this.#jump(this.offset); // nobody can see the canvas' origin move
      this.#redraw();
    });
    on("click", (event) => {
      const card = event.target.closest("[data-index]");
      if (card) this.select(+card.dataset.index, "tap");
    });
    on("touchstart touchend touchcancel", (event) => {
      this.#isHeld = !!event.touches.length;
      this.#redraw();
    });
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(this);
    return () => {
      sizes.disconnect();
      this.#destination ??= () => this.#place;
      this.#coming?.close();
      this.#windows?.close();
      this.#coming = this.#windows = null;
    };
  }

  #resize() {
    const width = (this.#width = super.clientWidth);
    if (!width) return;
    if (this.#head) this.#canvas.fit(this.#head, width);
    if (poolFor(width) === this.#isLaid?.pool) this.#redraw();
    else this.renew(this.#destination, null, this.#coming ? null : this.#head);
  }

  #redraw() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    if (this.#windows) this.#stand();
    if (this.#coming) this.#changeWindows();
    const windows = this.#windows;
    this.toggleAttribute("data-waiting", this.isWaiting && (windows || !this.#drawn.length));
    if (!windows) return;
    this.#scrolled = this.sign * this.scrollLeft;
    if (!this.#isHeld && !this.#canvas.reaches(this.offset, 1)) this.#jump(this.offset);
    windows.ask(...this.#view());
    const former = this.#drawn;
    const from = this.offset - Math.max(0, (windows.pool - this.clientWidth) / 2); // what leads stays, if not all has room
    const items = (this.#drawn = windows.items(from, from + windows.pool));
    this.#show();
    this.#tellSelected();
    const shown = items.map((item) => item.index).join();
    if (shown !== this.#shown) {
      this.#shown = shown; // before it is told: who hears of it may scroll on
      this.tell("windowchange", { items, former });
    }
    this.tell("draw");
    this.#scrolled = null;
  }

  /** Notes the place; a strip that was turned round stays where it was. */
  #stand() {
    if (this.#turned === this.sign) this.#place = this.offset;
    else this.#jump(this.#place);
  }

  #show() {
    this.#cards.draw(this.#drawn, this.#canvas.origin, this.#windows);
  }

  #tellSelected() {
    const item = this.#selected && this.#drawn.find((other) => isSameItem(this.#selected, other));
    if (!item?.fields) return;
    const { origin } = this.#selected;
    this.#selected = item;
    if (origin) this.tell("select", { ...item, origin });
  }

  /** Draws the windows that were prepared from now on, if they cover the viewport and no finger holds it. */
  #changeWindows() {
    const windows = this.#coming;
    const offset = this.#destination(windows);
    if (offset === undefined) return;
    const view = this.#view(offset);
    windows.ask(...view);
    if (this.#isHeld || !windows.covers(...view)) return;
    this.tell("willreload", windows.head);
    this.#windows?.close();
    this.#windows = windows;
    this.#coming = this.#destination = undefined;
    this.#lay(windows.head, offset);
    this.tell("reload", windows.head);
  }

  /** Lays the canvas for a strip as an answer describes it, and scrolls it to `offset`. */
  #lay(head, offset) {
    this.#head = head;
    this.#canvas.fit(head, this.clientWidth);
    this.#list.style.width = `${this.#canvas.length}px`;
    this.style.setProperty("--height", `${head.height}px`);
    this.toggleAttribute("data-long", this.#canvas.length < head.extent);
    this.#jump(this.clamp(offset));
  }

  #jump(offset) {
    const scroll = this.#canvas.place(offset);
    if (scroll !== this.#scroll) super.scrollTo({ left: this.sign * scroll, behavior: "instant" });
    this.#scrolled = null;
    this.#place = offset;
    this.#turned = this.sign;
  }

  /** Scrolls to an offset: smoothly if that was asked for, is near, and motion is welcome. */
  #go(offset, behavior) {
    const target = this.clamp(offset);
    const far = Math.abs(target - this.offset);
    const isNear = far >= 1 && far < 8 * this.clientWidth && this.#canvas.reaches(target);
    if (behavior === "smooth" && isNear && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#goal = target;
      super.scrollTo({ left: this.sign * (target - this.#canvas.origin), behavior });
    } else {
      this.#jump(target);
      this.dispatchEvent(new Event("scrollend")); // which browsers tell only of what moved
      this.#draw();
    }
  }
}
