// <carousel-strip>: says where it is scrolled, and draws what it is told.
import { Canvas } from "./canvas.js";
import { isSameItem } from "./card.js";
import { Cards } from "./cards.js";
import { Motion } from "./motion.js";
import { WINDOW } from "./server.js";
import { offsetShowing, stretchFor } from "./stretch.js";
import { Windows } from "./windows.js";
import { tellScrollEnd } from "./scroll-end.js";

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
  #destination = null; // says at which offset those will be drawn; null while that is not known
  #head = null; // what the last answer said besides its items
  #canvas = new Canvas(0, 0);
  #sign = 1; // -1 where the strip runs from right to left
  #pool = 0; // 0 before the first layout
  #drawn = [];
  #shown; // their indices
  #selected = null;
  #origin = null; // of a selection that is not told of yet, for it waits for its fields
  #arrived = true; // whether a movement came to its end
  #settled; // where it last was told to
  #motion = new Motion();
  #life; // aborted when disconnected
  #journey = null; // a way that is looked up: aborted by the next one
  #frame = 0;

  /** The strip's px at the leading edge. */
  get offset() {
    return this.#canvas.offset(this.#scroll);
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
    const { offset } = this;
    return !this.#windows?.covers(offset, offset + this.clientWidth);
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
    return this.#drawn.reduce((best, item) => (best && far(best) <= far(item) ? best : item), undefined);
  }

  /** What the machine did: `nodes` there, `made` here, `reuses`; the `pools` of each kind, and the `pool` in px. */
  get figures() {
    const { count, made, reuses } = this.#cards;
    const { head, pool = 0 } = this.#windows ?? {};
    return { nodes: count, made, reuses, pools: head?.pools ?? {}, pool };
  }

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const hear = (type, act) => this.addEventListener(type, act, { signal, passive: true });
    this.#sign = getComputedStyle(this).direction === "rtl" ? -1 : 1;
    if (!this.#cards) this.#begin();
    for (const type of ["scroll", "focusin", "focusout"]) hear(type, () => this.#redraw());
    if (!("onscrollend" in this)) tellScrollEnd(this, signal);
    hear("scrollend", () => this.#arrive());
    hear("click", ({ target }) => this.#click(target));
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(this);
    signal.addEventListener("abort", () => sizes.disconnect());
    for (const behaviour of behaviours) behaviour(this, signal);
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#journey?.abort();
    cancelAnimationFrame(this.#frame);
    this.#coming?.close();
    this.#windows?.close();
    this.#coming = this.#windows = this.#journey = null;
    this.#pool = this.#frame = 0;
  }

  attributeChangedCallback(name, former, value) {
    if (!this.#pool || former === value) return;
    if (name === "strip") this.#prepare({ destination: () => 0 });
    else this.#prepare({ revision: this.#head?.revision, places: this.#places() });
  }

  /**
   * Scrolls to an `index`, an `item` (its id) or an `offset` in px: `align` is "start", "center", "end" or
   * "nearest", or `at` the px of the viewport to put an item at; `behavior` the web's. With anything else, as every
   * element does.
   */
  async scrollTo(place) {
    const { index, item, offset, align = "start", at, behavior } = Object(place);
    if ((index ?? item ?? offset) === undefined) return super.scrollTo(...arguments);
    this.#journey?.abort();
    this.#journey = new AbortController();
    const { signal } = this.#journey;
    try {
      if (!this.#windows) await this.#reloaded(signal);
      const known = this.#drawn.find((other) => other.index === index || other.id === item);
      if (offset !== undefined) this.#go(offset, behavior);
      else if (known) this.#go(at === undefined ? this.offsetOf(known, align) : known.start - at, behavior);
      else {
        const how = at === undefined ? { align, offset: this.offset } : { at };
        this.#go((await this.#windows.land({ index, item, ...how, width: this.clientWidth }, signal)).offset, behavior);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#hear(this.#windows, error);
      if (error.status === 410) this.#reloaded(signal).then(() => this.scrollTo(place));
      else this.#journey = null;
    }
  }

  /** Selects the item of `index`: highlighted, centred, and told by a `select` event, with the `origin` "code". */
  select(index, origin = "code") {
    const item = this.#drawn.find((other) => other.index === index) ?? { index };
    if (this.#selected && !isSameItem(this.#selected, item)) this.deselect();
    this.#selected = item;
    this.#origin = origin;
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
    if (this.#pool) this.#prepare({ places: this.#places() });
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
  async window(query) {
    return this.#windows?.window(query);
  }

  /** Dispatches an event; whether nobody prevented its default. */
  tell(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable: true, detail }));
  }

  /** The scroll position, from the leading edge. */
  get #scroll() {
    return this.#sign * this.scrollLeft;
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
    for (const { index } of this.#drawn) this.#cards.showing(index).stand({ origin: this.#canvas.origin, sign: this.#sign });
  }

  /** Waits for the first windows, or the next ones. */
  #reloaded(signal) {
    return new Promise((go) => this.addEventListener("reload", go, { signal, once: true }));
  }

  #resize() {
    const width = this.clientWidth;
    if (!width) return;
    this.#canvas.width = width;
    const head = this.#head?.strip === this.strip ? this.#head : null;
    if (stretchFor(width).pool === this.#pool) this.#redraw();
    else this.#prepare({ revision: head?.revision, head });
  }

  /** Where the items in view stand, the first one first: the one that is still there is to stay where it is. */
  #places() {
    const { offset } = this;
    const inView = this.#drawn.filter(({ start, size }) => start + size > offset && start < offset + this.clientWidth);
    return inView.map(({ id, start }) => ({ item: id, at: start - offset, offset }));
  }

  /**
   * Asks for windows of another strip, revision, height or pool. What is drawn stays until they cover the
   * viewport at their `destination`, or so that the first of `places` that `/window` finds holds.
   */
  async #prepare(what) {
    const { revision, head = null, destination = () => this.offset, places = [], pause = 500 } = what;
    const stretch = stretchFor(this.clientWidth);
    const query = {
      strip: this.strip,
      height: this.height,
      wrap: this.hasAttribute("loop") || null,
      revision,
      v: this.dataset.version || null,
    };
    const windows = new Windows(WINDOW, query, stretch, (answer) => this.#hear(windows, answer), head);
    const isWanted = () => this.#coming === windows;
    this.#coming?.close();
    this.#coming = windows;
    this.#pool = stretch.pool;
    this.#destination = places.length ? null : destination;
    for (const place of places) {
      try {
        const { offset } = await windows.land({ ...place, width: this.clientWidth });
        this.#destination = () => this.offset + offset - place.offset;
        break;
      } catch (error) {
        if (!isWanted()) return;
        if (error.status === 404) continue;
        this.#hear(windows, error);
        setTimeout(() => isWanted() && this.#prepare({ ...what, pause: 2 * pause }), pause);
        return;
      }
    }
    if (isWanted()) this.#destination ??= destination;
    this.#redraw();
  }

  /** What came of a question: a window, an error, or null when it is time to try again. */
  #hear(windows, answer) {
    if (windows !== this.#windows && windows !== this.#coming) return;
    if (answer?.status === 410) {
      if (windows === this.#coming || !this.#coming) this.reload();
    } else if (answer instanceof Error) this.tell("error", answer);
    else if (answer) this.tell("window", answer);
    this.#redraw();
  }

  #redraw() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.#pool) return;
    if (this.#coming && this.#destination) this.#changeWindows();
    const windows = this.#windows;
    if (!windows) return;
    if (this.#canvas.isSpent(this.#scroll)) this.#jump(this.#canvas.place(this.offset));
    const [from, to] = [this.offset, this.offset + this.clientWidth];
    windows.ask(from, to, this.#motion.at(from, this.clientWidth));
    const { isWaiting } = this;
    this.toggleAttribute("data-waiting", isWaiting);
    const reach = (windows.pool - this.clientWidth) / 2;
    const [former, drawn] = [this.#shown, this.#drawn];
    this.#drawn = windows.items(from - reach, to + reach);
    this.#cards.draw(this.#drawn, {
      scheme: windows,
      origin: this.#canvas.origin,
      sign: this.#sign,
      pools: this.#head.pools,
      selects: (item) => this.#selected !== null && isSameItem(this.#selected, item),
    });
    this.#tellSelected();
    this.#shown = String(this.#drawn.map(({ index }) => index));
    if (former !== this.#shown) this.tell("windowchange", { items: this.#drawn, former: drawn });
    if (this.#arrived && !isWaiting && !this.#coming && !this.#journey) this.#settle();
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

  /** Draws the windows that were prepared from now on, if they cover the viewport. */
  #changeWindows() {
    const windows = this.#coming;
    const from = this.#destination();
    windows.ask(from, from + this.clientWidth);
    if (!windows.covers(from, from + this.clientWidth)) return;
    this.tell("willreload", windows.head);
    this.#windows?.close();
    this.#windows = windows;
    this.#coming = this.#destination = null;
    this.#lay(windows.head, from);
    this.tell("reload", windows.head);
  }

  /** Lays the canvas for a strip as an answer describes it, and scrolls it to `offset`. */
  #lay(head, offset) {
    this.#head = head;
    const { extent, wrap } = head;
    const isRight = extent === this.#canvas.extent && wrap === this.#canvas.wraps;
    if (!isRight) this.#canvas = new Canvas(extent, this.clientWidth, wrap);
    this.#list.style.width = `${this.#canvas.length}px`;
    this.style.setProperty("--height", `${head.height}px`);
    this.toggleAttribute("data-long", this.#canvas.length < extent);
    this.#settled = undefined;
    this.#arrived = true;
    this.#jump(this.#canvas.place(this.#canvas.clamp(offset)));
  }

  #jump(scroll) {
    if (scroll !== this.#scroll) super.scrollTo({ left: this.#sign * scroll, behavior: "instant" });
  }

  /** Scrolls to an offset: smoothly if that was asked for, is near, and motion is welcome. */
  #go(offset, behavior) {
    this.#journey = null;
    const target = this.#canvas.clamp(offset);
    const isNear = Math.abs(target - this.offset) < 8 * this.clientWidth;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (behavior === "smooth" && isNear && !isCalm && this.#canvas.reaches(target)) {
      super.scrollTo({ left: this.#sign * (target - this.#canvas.origin), behavior });
    } else {
      this.#jump(this.#canvas.place(target));
      this.#arrived = true;
      this.#draw();
    }
  }

  /** Moves the canvas' origin while nobody can see it. */
  #arrive() {
    if (!this.#canvas.reaches(this.offset)) this.#jump(this.#canvas.place(this.offset));
    this.#arrived = true;
    this.#redraw();
  }
}
