// <carousel-strip>: says where it is scrolled, and draws what it is told.
import { Canvas } from "./canvas.js";
import { isSameItem } from "./card.js";
import { Cards } from "./cards.js";
import { tellScrollEnd } from "./scroll-end.js";
import { WINDOW } from "./server.js";
import { offsetShowing, stretchFor } from "./stretch.js";
import { Windows } from "./windows.js";

/** What strips can do besides: functions `(strip, signal)`, called on connection; `signal` aborts at its end. */
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
  #windows = null; // those drawn
  #coming = null; // those that will be, once they cover the viewport
  #head = null; // what the last answer said besides its items
  #destination; // says at which offset those will be drawn
  #revision = null; // the one wanted; null for the newest
  #canvas = new Canvas(0, 0);
  #sign = 1; // -1 where the strip runs from right to left
  #drawn = [];
  #shown; // their indices
  #selected = null;
  #origin = null; // of a selection that is not told of yet, for it waits for its fields
  #isHeld = false; // by a finger
  #arrived = true; // whether a movement came to its end
  #settled; // where it last was told to
  #life; // aborted when disconnected
  #frame = 0;

  /** The strip's px at the leading edge. */
  get offset() {
    return this.#canvas.origin + this.#scroll;
  }

  /** The offset that shows the last item at the trailing edge. */
  get furthest() {
    return this.#canvas.end;
  }

  /** 1 where the strip runs from left to right, else -1. */
  get sign() {
    return this.#sign;
  }

  /** What the last answer of `/window` said besides its items, or null. */
  get head() {
    return this.#head;
  }

  /** The items drawn, in order, those around the viewport too. */
  get items() {
    return this.#drawn;
  }

  /** Whether items that belong into the viewport are not here yet. */
  get isWaiting() {
    return !this.#windows?.covers(...this.#view());
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
    const far = (item) => Math.abs(this.offsetOf(item) - this.offset);
    return [...this.#drawn].sort((one, other) => far(one) - far(other))[0];
  }

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const hear = (types, act) => {
      for (const type of types) this.addEventListener(type, act, { signal, passive: true });
    };
    this.#sign = getComputedStyle(this).direction === "rtl" ? -1 : 1;
    if (!this.#cards) this.#begin();
    hear(["scroll", "focusin", "focusout"], () => this.#redraw());
    if (!("onscrollend" in this)) tellScrollEnd(this, signal);
    hear(["scrollend"], () => this.#arrive());
    hear(["click"], ({ target }) => this.#click(target));
    hear(["touchstart", "touchend", "touchcancel"], ({ touches }) => {
      this.#isHeld = touches.length > 0;
      this.#redraw();
    });
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(this);
    signal.addEventListener("abort", () => sizes.disconnect());
    for (const behaviour of behaviours) behaviour(this, signal);
  }

  disconnectedCallback() {
    this.#life.abort();
    cancelAnimationFrame(this.#frame);
    this.#coming?.close();
    this.#windows?.close();
    this.#coming = this.#windows = null;
    this.#frame = 0;
  }

  attributeChangedCallback(name, former, value) {
    if (former === value || !this.#isLaid) return;
    if (name === "strip") this.renew(null, () => 0);
    else this.#outdate(this.#revision);
  }

  /**
   * Scrolls to an `index`, an `item` (its id) or an `offset` in px: `align` is "start", "center", "end" or
   * "nearest", or `at` the px of the viewport to put an item at; `behavior` the web's. With anything else, as every
   * element does. What is not drawn is found by a behaviour, `landing`.
   */
  async scrollTo(place) {
    const { index, item, offset, align = "start", at, behavior } = Object(place);
    if ((index ?? item ?? offset) === undefined) return super.scrollTo(...arguments);
    const known = this.#drawn.find((other) => other.index === index || other.id === item);
    const target = offset ?? (known && (at === undefined ? this.offsetOf(known, align) : known.start - at));
    const way = { place, target };
    if (this.tell("seek", way) && target !== undefined) this.#go(target, behavior);
    await way.found;
  }

  /** Selects the item of `index`: highlighted, centred, and told by a `select` event, with the `origin` "code". */
  select(index, origin = "code") {
    const item = this.#drawn.find((other) => other.index === index) ?? { index };
    if (this.#selected && !isSameItem(this.#selected, item)) this.deselect();
    this.#selected = item;
    this.#origin = origin;
    this.#tellSelected();
    this.#redraw();
    return this.scrollTo({ index, align: this.alignment ?? "center", behavior: "smooth" });
  }

  /** Selects none, and tells so by a `deselect` event. */
  deselect() {
    const item = this.#selected;
    this.#selected = this.#origin = null;
    if (item) this.tell("deselect", item);
    this.#redraw();
  }

  /** Asks for the newest revision; what is in view stays where it is. */
  reload() {
    if (this.#isLaid) this.#outdate(null);
  }

  /**
   * Asks for windows of a revision, the newest if null. What is drawn stays until they cover the viewport at the
   * `destination`: a function of them that returns an offset, or undefined while it does not know. `head` says of the
   * revision what an answer would.
   */
  renew(revision, destination = () => this.offset, head = null) {
    const query = {
      strip: this.getAttribute("strip"),
      height: this.getAttribute("height"),
      wrap: this.hasAttribute("loop") || null,
      revision,
      v: this.dataset.version,
    };
    this.#coming?.close();
    const windows = new Windows(WINDOW, query, stretchFor(this.clientWidth), (answer) => this.#hear(windows, answer), head);
    this.#coming = windows;
    this.#revision = revision;
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

  /** The node that shows the item of `index`, or null. */
  nodeOf(index) {
    return this.#cards.showing(index)?.node ?? null;
  }

  /** One answer of `/window` at the revision, height and pool drawn, where `query` says. */
  async window(query, signal) {
    return this.#windows?.window(query, signal);
  }

  /** Dispatches an event; whether nobody prevented its default. */
  tell(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable: true, detail }));
  }

  /** The scroll position, from the leading edge. */
  get #scroll() {
    return this.#sign * this.scrollLeft;
  }

  /** Whether windows were asked for: they are from the first layout on. */
  get #isLaid() {
    return this.#coming ?? this.#windows;
  }

  /** The px of the strip that a viewport at `offset` shows, and `more` px on both sides. */
  #view(more = 0, offset = this.offset) {
    return [offset - more, offset + this.clientWidth + more];
  }

  /** Makes its own what is in the page at the start. */
  #begin() {
    this.#list = this.querySelector("ul") ?? this.appendChild(document.createElement("ul"));
    this.#list.role = "listbox";
    this.#cards = new Cards(this.#list, this, (type, detail) => this.tell(type, detail));
    this.#drawn = this.#cards.adopt();
    if (!this.dataset.window) return;
    const head = JSON.parse(this.dataset.window);
    delete this.dataset.window;
    this.#lay(head, head.offset);
    this.#show();
  }

  #resize() {
    const { clientWidth: width } = this;
    if (!width) return;
    this.#canvas.width = width;
    if (stretchFor(width).pool === this.#isLaid?.pool) this.#redraw();
    else if (this.#coming) this.renew(this.#revision, this.#destination);
    else this.renew(this.#revision, undefined, this.#head);
  }

  /** What is drawn is no longer right: a behaviour may say where that of `revision` is to be drawn. */
  #outdate(revision) {
    if (this.tell("outdated", revision)) this.renew(revision);
  }

  /** What came of a question: a window, or an error. */
  #hear(windows, answer) {
    if (windows !== this.#windows && windows !== this.#coming) return;
    this.tell(answer instanceof Error ? "error" : "window", answer);
    this.#redraw();
  }

  #redraw() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.#coming) this.#changeWindows();
    const windows = this.#windows;
    if (!windows) return;
    const { offset, isWaiting } = this;
    if (!this.#isHeld && !this.#canvas.reaches(offset, 1)) this.#jump(offset);
    windows.ask(...this.#view());
    this.toggleAttribute("data-waiting", isWaiting);
    const former = this.#drawn;
    this.#drawn = windows.items(...this.#view((windows.pool - this.clientWidth) / 2));
    this.#show();
    this.#tellSelected();
    const shown = String(this.#drawn.map(({ index }) => index));
    if (shown !== this.#shown) this.tell("windowchange", { items: this.#drawn, former });
    this.#shown = shown;
    if (this.#arrived && !isWaiting && !this.#coming) this.#settle();
  }

  #show() {
    this.#cards.draw(this.#drawn, {
      scheme: this.#windows,
      origin: this.#canvas.origin,
      sign: this.#sign,
      pools: this.#head.pools,
      selected: this.#selected,
    });
  }

  #tellSelected() {
    const item = this.#selected && this.#drawn.find((other) => isSameItem(this.#selected, other));
    if (!item?.fields) return;
    this.#selected = item;
    const origin = this.#origin;
    this.#origin = null;
    if (origin) this.tell("select", { ...item, origin });
  }

  /** Tells that the strip is at rest, unless a behaviour has it move on. */
  #settle() {
    this.#arrived = false;
    if (this.offset === this.#settled || !this.tell("rest")) return;
    this.#settled = this.offset;
    this.tell("settle", this.current);
  }

  #click(target) {
    const card = this.#cards.holding(target);
    if (card?.isShown && this.getAttribute("selection") !== "none") this.select(card.item.index, "tap");
  }

  /** Draws the windows that were prepared from now on, if they cover the viewport and no finger holds it. */
  #changeWindows() {
    const windows = this.#coming;
    const offset = this.#destination(windows);
    if (offset === undefined) return;
    windows.ask(...this.#view(0, offset));
    if (this.#isHeld || !windows.covers(...this.#view(0, offset))) return;
    this.tell("willreload", windows.head);
    this.#windows?.close();
    this.#windows = windows;
    this.#coming = null;
    this.#lay(windows.head, offset);
    this.tell("reload", windows.head);
  }

  /** Lays the canvas for a strip as an answer describes it, and scrolls it to `offset`. */
  #lay(head, offset) {
    this.#head = head;
    this.#revision = head.revision;
    const { extent, wrap } = head;
    const isRight = extent === this.#canvas.extent && wrap === this.#canvas.wraps;
    if (!isRight) this.#canvas = new Canvas(extent, this.clientWidth, wrap);
    this.#list.style.width = `${this.#canvas.length}px`;
    this.style.setProperty("--height", `${head.height}px`);
    this.toggleAttribute("data-long", this.#canvas.length < extent);
    this.#settled = undefined;
    this.#arrived = true;
    this.#jump(this.clamp(offset));
  }

  #jump(offset) {
    const scroll = this.#canvas.place(offset);
    if (scroll !== this.#scroll) super.scrollTo({ left: this.#sign * scroll, behavior: "instant" });
  }

  /** Scrolls to an offset: smoothly if that was asked for, is near, and motion is welcome. */
  #go(offset, behavior) {
    const target = this.clamp(offset);
    const isNear = Math.abs(target - this.offset) < 8 * this.clientWidth;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (behavior === "smooth" && isNear && !isCalm && this.#canvas.reaches(target)) {
      super.scrollTo({ left: this.#sign * (target - this.#canvas.origin), behavior });
    } else {
      this.#jump(target);
      this.#arrived = true;
      this.#draw();
    }
  }

  /** Moves the canvas' origin while nobody can see it. */
  #arrive() {
    this.#jump(this.offset);
    this.#arrived = true;
    this.#redraw();
  }
}
