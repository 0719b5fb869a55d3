// <carousel-strip>: says where it is scrolled, and draws what it is told.
import { Canvas } from "./canvas.js";
import { Cards } from "./cards.js";
import { RovingFocus } from "./focus.js";
import { GroupTitle } from "./groups.js";
import { watchPictures } from "./pictures.js";
import { offsetShowing, stretchFor } from "./stretch.js";
import { Windows } from "./windows.js";

/** Where windows are: on the server that this file came from. */
const WINDOW = new URL("../window", import.meta.url);

/**
 * A strip of items, as long as may be, in a few nodes.
 *
 *     <carousel-strip strip="albums"><template data-kind="card">...</template><ul></ul></carousel-strip>
 *
 * Attributes: `strip`, `height` (px; the strip's own if absent). Events, all of which bubble: `windowchange`
 * (other items are drawn), `reload` (another strip, revision, height or pool: `detail` is what `/window` says of it),
 * `select` (`detail` is the item), `error` (`detail` is what went wrong).
 */
export class CarouselStrip extends HTMLElement {
  static get observedAttributes() {
    return ["strip", "height"];
  }

  #list;
  #cards;
  #windows = null; // those drawn
  #coming = null; // those that will be, once they cover the viewport
  #destination = null; // the offset that those will be drawn at; null: where the strip stands
  #head = null; // what the last answer said besides its items
  #canvas = new Canvas(0, 0);
  #pool = 0; // 0 before the first layout
  #group;
  #drawn = [];
  #selected = null;
  #untold = false; // whether the selected item's event waits for its fields
  #focus;
  #motion = { offset: 0, at: 0, velocity: 0 };
  #life; // aborted when disconnected
  #journey; // aborted by the next one
  #frame = 0;

  get strip() {
    return this.getAttribute("strip");
  }

  set strip(name) {
    this.setAttribute("strip", name);
  }

  /** Height of the items in px; null for the strip's own. */
  get height() {
    return this.hasAttribute("height") ? Number(this.getAttribute("height")) : null;
  }

  set height(px) {
    if (px === null) this.removeAttribute("height");
    else this.setAttribute("height", px);
  }

  /** The strip's px at the left edge. */
  get offset() {
    return this.#canvas.offset(this.scrollLeft);
  }

  /** The offset that shows the last item at the right edge. */
  get furthest() {
    return this.#canvas.end;
  }

  /** How many items the strip has, once that is known. */
  get count() {
    return this.#head?.count ?? 0;
  }

  /** The strip's length in px; of one that wraps, the length of a turn. */
  get extent() {
    return this.#canvas.extent;
  }

  /** Whether the strip goes on past both ends. */
  get wraps() {
    return this.#canvas.wraps;
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

  /** What the machine did: `nodes` there, `made` here, `reuses`; the `pools` of each kind, and the `pool` in px. */
  get figures() {
    const { count, made, reuses } = this.#cards;
    const { head, pool = 0 } = this.#windows ?? {};
    return { nodes: count, made, reuses, pools: head?.pools ?? {}, pool };
  }

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    if (!this.#cards) this.#begin();
    this.addEventListener("scroll", () => this.#redraw(), { signal, passive: true });
    this.addEventListener("scrollend", () => this.#settle(), { signal });
    this.addEventListener("click", (event) => this.#click(event), { signal });
    this.addEventListener("focusin", () => this.#redraw(), { signal });
    this.addEventListener("focusout", () => this.#redraw(), { signal });
    this.#focus = new RovingFocus(this, signal);
    watchPictures(this.#list, signal);
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(this);
    signal.addEventListener("abort", () => sizes.disconnect());
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#journey?.abort();
    cancelAnimationFrame(this.#frame);
    this.#coming?.close();
    this.#windows?.close();
    this.#coming = this.#windows = null;
    this.#pool = this.#frame = 0;
  }

  attributeChangedCallback(name, former, value) {
    if (!this.#pool || former === value) return;
    const first = this.#drawn.find(({ start, size }) => start + size > this.offset);
    if (name === "height" && first) {
      const place = { item: first.id, at: first.start - this.offset };
      this.#prepare({ revision: this.#head.revision, place });
    } else {
      this.#group.clear();
      this.#prepare({ destination: 0 });
    }
  }

  /**
   * Scrolls to an `index`, an `item` (its id) or an `offset` in px: `align` is "start", "center", "end" or
   * "nearest", `behavior` the web's. With anything else, as every element does.
   */
  async scrollTo(place, ...rest) {
    const { index, item, offset, align = "start", behavior = "auto" } = Object(place);
    if (index === undefined && item === undefined && offset === undefined) {
      super.scrollTo(...[place, ...rest].filter((argument) => argument !== undefined));
      return;
    }
    this.#journey?.abort();
    this.#journey = new AbortController();
    const { signal } = this.#journey;
    try {
      if (!this.#windows) await this.#start(signal);
      const known = this.#drawn.find((other) => other.index === index || other.id === item);
      const here = { offset: this.offset, width: this.clientWidth };
      if (offset !== undefined) this.#go(offset, behavior);
      else if (known) this.#go(offsetShowing(known, align, here.width, here.offset), behavior);
      else {
        const window = await this.#windows.land({ index, item, align, ...here }, signal);
        this.#go(window.offset, behavior);
      }
    } catch (error) {
      if (!signal.aborted) this.#dispatch("error", error);
    }
  }

  /** Selects the item of `index`: highlighted, centred, and told by a `select` event. */
  select(index) {
    this.#selected = this.#drawn.find((item) => item.index === index) ?? { index };
    this.#focus.active = index;
    this.#untold = true;
    this.#redraw();
    return this.scrollTo({ index, align: "center", behavior: "smooth" });
  }

  /** Scrolls by `count` viewports; returns the offset that this leads to. */
  page(count) {
    const offset = this.#canvas.clamp(this.offset + count * this.clientWidth);
    this.#go(offset, "smooth");
    return offset;
  }

  /** The node that shows the item of `index`, or null. */
  nodeOf(index) {
    return this.#cards.showing(index)?.node ?? null;
  }

  /** Makes its own what is in the page at the start. */
  #begin() {
    this.#list = this.querySelector("ul") ?? this.appendChild(document.createElement("ul"));
    this.#list.setAttribute("role", "listbox");
    this.#list.setAttribute("aria-orientation", "horizontal");
    const name = this.getAttribute("aria-labelledby");
    if (name) this.#list.setAttribute("aria-labelledby", name);
    this.#cards = new Cards(this.#list, this);
    this.#group = new GroupTitle(this.querySelector(".group"));
    this.#drawn = this.#cards.adopt();
    if (!this.dataset.window) return;
    const head = JSON.parse(this.dataset.window);
    delete this.dataset.window;
    if (head.group) this.#group.note(head.group);
    this.#lay(head, head.offset);
    for (const { index } of this.#drawn) this.#cards.showing(index).stand(this.#canvas.origin);
  }

  /** Waits for the first windows. */
  #start(signal) {
    return new Promise((resolve, reject) => {
      this.addEventListener("reload", resolve, { signal, once: true });
      signal.addEventListener("abort", reject);
    });
  }

  #resize() {
    const width = this.clientWidth;
    if (!width) return;
    this.#canvas.width = width;
    const head = this.#head?.strip === this.strip ? this.#head : null;
    if (stretchFor(width).pool === this.#pool) this.#redraw();
    else this.#prepare({ revision: head?.revision, head });
  }

  /**
   * Asks for windows of another strip, revision, height or pool. What is drawn stays until they cover the
   * viewport at their `destination`, or at the `place` that `/window` finds.
   */
  #prepare({ revision, head = null, destination = null, place = null }) {
    const stretch = stretchFor(this.clientWidth);
    const query = { strip: this.strip, height: this.height, revision, v: this.dataset.version || null };
    const windows = new Windows(WINDOW, query, stretch, (answer) => this.#hear(windows, answer), head);
    this.#coming?.close();
    this.#coming = windows;
    this.#pool = stretch.pool;
    this.#destination = place ? undefined : destination;
    if (place) {
      windows.land({ ...place, width: this.clientWidth }).then(
        ({ offset }) => {
          if (this.#coming === windows) this.#destination = offset;
          this.#redraw();
        },
        (error) => this.#hear(windows, error),
      );
    }
    this.#redraw();
  }

  /** What came of a question: a window, an error, or null when it is time to try again. */
  #hear(windows, answer) {
    if (windows !== this.#windows && windows !== this.#coming) return;
    if (answer?.group) this.#group.note(answer.group);
    if (answer?.status === 410) {
      this.#group.clear();
      this.#prepare({});
    } else if (answer instanceof Error) this.#dispatch("error", answer);
    this.#redraw();
  }

  #redraw() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.#pool) return;
    if (this.#coming) this.#changeWindows();
    if (!this.#windows) return;
    if (this.#canvas.isSpent(this.scrollLeft)) this.#jump(this.#canvas.place(this.offset));
    const [from, to] = [this.offset, this.offset + this.clientWidth];
    this.#windows.ask(from, to, this.#velocity(from));
    this.toggleAttribute("data-waiting", this.isWaiting);
    const reach = (this.#windows.pool - this.clientWidth) / 2;
    const former = this.#drawn;
    this.#drawn = this.#windows.items(from - reach, to + reach);
    this.#cards.draw(this.#drawn, {
      scheme: this.#windows,
      origin: this.#canvas.origin,
      count: this.#head.count,
      pools: this.#head.pools,
      selected: this.#selected?.index,
      active: this.#focus.reachable(this.#drawn, from),
    });
    this.#showGroup(from);
    this.#tellSelected();
    this.#focus.grant();
    if (isOther(former, this.#drawn)) this.#dispatch("windowchange", { items: this.#drawn });
  }

  #showGroup(offset) {
    const first = this.#drawn.find(({ start, size }) => start + size > offset);
    const windows = this.#windows;
    if (first) this.#group.show(first.index, async (index) => (await windows.window({ index, width: 1 })).group);
  }

  #tellSelected() {
    const item = this.#untold && this.#drawn.find(({ index }) => index === this.#selected.index);
    if (!item?.fields) return;
    this.#selected = item;
    this.#untold = false;
    this.#dispatch("select", item);
  }

  #click({ target }) {
    const card = this.#cards.holding(target);
    if (card?.isShown) this.select(card.item.index);
  }

  #dispatch(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, detail }));
  }

  /** Draws the windows that were prepared from now on, if they cover the viewport. */
  #changeWindows() {
    const windows = this.#coming;
    if (this.#destination === undefined) return;
    const from = this.#destination ?? this.offset;
    windows.ask(from, from + this.clientWidth);
    if (!windows.covers(from, from + this.clientWidth)) return;
    this.#windows?.close();
    this.#windows = windows;
    this.#coming = this.#destination = null;
    this.#lay(windows.head, from);
    this.#dispatch("reload", windows.head);
  }

  /** Lays the canvas for a strip as an answer describes it, and scrolls it to `offset`. */
  #lay(head, offset) {
    this.#head = head;
    const { extent, wrap } = head;
    if (extent !== this.#canvas.extent || wrap !== this.#canvas.wraps) {
      this.#canvas = new Canvas(extent, this.clientWidth, wrap);
    }
    this.#list.style.width = `${this.#canvas.length}px`;
    this.style.setProperty("--height", `${head.height}px`);
    this.toggleAttribute("data-long", this.#canvas.length < extent);
    this.#jump(this.#canvas.place(this.#canvas.clamp(offset)));
  }

  #jump(scroll) {
    if (scroll !== this.scrollLeft) super.scrollTo({ left: scroll, behavior: "instant" });
  }

  /** Scrolls to an offset: smoothly if that was asked for, is near, and motion is welcome. */
  #go(offset, behavior) {
    const target = this.#canvas.clamp(offset);
    const isNear = Math.abs(target - this.offset) < 8 * this.clientWidth;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (behavior === "smooth" && isNear && !isCalm && this.#canvas.reaches(target)) {
      super.scrollTo({ left: target - this.#canvas.origin, behavior });
    } else {
      this.#jump(this.#canvas.place(target));
      this.#draw();
    }
  }

  /** Moves the canvas' origin while nobody can see it. */
  #settle() {
    if (!this.#canvas.reaches(this.offset)) this.#jump(this.#canvas.place(this.offset));
    this.#redraw();
  }

  /** The movement in px/ms; a jump is none. */
  #velocity(offset) {
    const motion = this.#motion;
    const now = performance.now();
    const distance = offset - motion.offset;
    if (Math.abs(distance) > 4 * this.clientWidth || now - motion.at > 200) motion.velocity = 0;
    else if (distance) motion.velocity = distance / Math.max(1, now - motion.at);
    if (distance) Object.assign(motion, { offset, at: now });
    return motion.velocity;
  }
}

/** Whether two lists of items differ. */
function isOther(former, items) {
  return former.length !== items.length || items.some(({ index }, k) => index !== former[k].index);
}
