// The keyboard: one card is in the tab order, arrows and the rest move among them.
import { intention } from "./keyboard.js";
import { page } from "./paging.js";

/** Gives a strip its keys, until `signal` aborts. */
export function keys(strip, signal) {
  new RovingFocus(strip, signal);
}

class RovingFocus {
  #active = -1; // index of the item whose card the Tab key reaches
  #strip;
  #wish = null; // what to focus: a neighbour `{from, step}` once it is drawn, else `{last}` once the strip is at rest

  constructor(strip, signal) {
    this.#strip = strip;
    strip.addEventListener("keydown", (event) => this.#press(event), { signal });
    strip.addEventListener("focusin", ({ target }) => this.#enter(target), { signal });
    strip.addEventListener("select", ({ detail }) => this.#choose(detail.index), { signal });
    strip.addEventListener("windowchange", () => this.#follow(), { signal });
    strip.addEventListener("settle", () => this.#arrive(), { signal });
    this.#mark();
  }

  /** The item in the tab order: the active one if it is drawn, else the first in view. */
  get #reachable() {
    const { items, offset } = this.#strip;
    const item = items.find(({ index }) => index === this.#active);
    return (item ?? items.find(({ start }) => start >= offset) ?? items[0])?.index;
  }

  #choose(index) {
    this.#active = index;
    this.#mark();
  }

  #enter(target) {
    const index = target.closest("[data-index]")?.dataset.index;
    if (index !== undefined) this.#choose(Number(index));
  }

  /** Other items are drawn: an item may have another index now, and the one wished for may be there. */
  #follow() {
    const card = document.activeElement.closest?.("[data-index]");
    if (card && this.#strip.contains(card)) this.#active = Number(card.dataset.index);
    this.#mark();
    this.#step();
  }

  #mark() {
    const active = this.#reachable;
    for (const node of this.#strip.querySelectorAll("li")) {
      const tabIndex = Number(node.dataset.index ?? NaN) === active ? 0 : -1;
      if (node.getAttribute("tabindex") !== String(tabIndex)) node.tabIndex = tabIndex;
    }
  }

  #arrive() {
    this.#mark();
    this.#step();
    if (!this.#wish || this.#wish.step) return;
    const strip = this.#strip;
    const [from, to] = [strip.offset - 1, strip.offset + strip.clientWidth + 1];
    const whole = strip.items.filter(({ start, size }) => start >= from && start + size <= to);
    this.#focus(this.#wish.last ? whole.at(-1) : whole[0]);
  }

  #focus(item) {
    const node = item && this.#strip.nodeOf(item.index);
    if (!node) return;
    this.#wish = null;
    this.#active = item.index;
    node.focus({ preventScroll: true });
  }

  /** Focuses the item before or after another, brought into view; over a gap that shows nothing, by pages. */
  #step() {
    const { from, step } = this.#wish ?? {};
    if (!step) return;
    const strip = this.#strip;
    const item = strip.items[strip.items.findIndex(({ index }) => index === from) + step];
    if (item) {
      strip.scrollTo({ index: item.index, align: "nearest", behavior: "smooth" });
      this.#focus(item);
    } else if (!strip.isWaiting) {
      const { offset } = strip;
      if (this.#further(step) === offset) this.#wish = null;
    }
  }

  #further(count) {
    return page(this.#strip, count);
  }

  #press(event) {
    const strip = this.#strip;
    const { step, page: count, end, select } = intention(event, strip.sign) ?? {};
    if (select) {
      if (!event.target.matches("[data-index]") || strip.getAttribute("selection") === "none") return;
      strip.select(this.#active, "key");
    } else if (step) {
      this.#wish = { from: this.#reachable, step };
      this.#step();
    } else if (count || end) {
      const { offset } = strip;
      this.#wish = { last: (count ?? end) > 0 };
      if (end) strip.scrollTo({ offset: end > 0 ? strip.furthest : 0 });
      else if (page(strip, count) === offset) this.#arrive();
    } else return;
    event.preventDefault();
  }
}
