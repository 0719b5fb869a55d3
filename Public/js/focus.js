// The keyboard: one card is in the tab order, arrows and the rest move among them.
import { intention } from "./keyboard.js";

export class RovingFocus {
  /** Index of the item whose card the Tab key reaches; -1 when none was chosen. */
  active = -1;
  #strip;
  #wish = null; // to be focused once it is drawn: `{index}`, or `{offset, last}` once that is reached

  constructor(strip, signal) {
    this.#strip = strip;
    strip.addEventListener("keydown", (event) => this.#press(event), { signal });
    strip.addEventListener("focusin", ({ target }) => this.#enter(target), { signal });
    strip.addEventListener("windowchange", () => this.grant(), { signal });
    strip.addEventListener("scrollend", () => this.grant(), { signal });
  }

  /** The index to put into the tab order: the active item if it is among `items`, else the first in view. */
  reachable(items, from) {
    const item = items.find(({ index }) => index === this.active);
    return (item ?? items.find(({ start }) => start >= from) ?? items[0])?.index;
  }

  /** Focuses what was wished for, if it is there by now. */
  grant() {
    const item = this.#wish && this.#wished(this.#wish);
    const node = item && this.#strip.nodeOf(item.index);
    if (!node) return;
    this.#wish = null;
    this.active = item.index;
    node.focus({ preventScroll: true });
  }

  #wished({ index, offset, last }) {
    const { items, offset: from, clientWidth } = this.#strip;
    if (index !== undefined) return items.find((item) => item.index === index);
    if (Math.abs(offset - from) > 1 || this.#strip.isWaiting) return undefined;
    const to = from + clientWidth + 1;
    const whole = items.filter(({ start, size }) => start >= from - 1 && start + size <= to);
    return last ? whole.at(-1) : whole[0];
  }

  #enter(target) {
    const index = target.closest("[data-index]")?.dataset.index;
    if (index !== undefined) this.active = Number(index);
  }

  #press(event) {
    const strip = this.#strip;
    const { step, page, end, select } = intention(event) ?? {};
    if (select) {
      if (!event.target.matches("[data-index]")) return;
      strip.select(this.active);
    } else if (step) this.#step(step);
    else if (page) this.#wish = { offset: strip.page(page), last: page > 0 };
    else if (end) {
      this.#wish = { offset: end > 0 ? strip.furthest : 0, last: end > 0 };
      strip.scrollTo({ offset: this.#wish.offset });
    } else return;
    event.preventDefault();
    this.grant();
  }

  #step(step) {
    const strip = this.#strip;
    const active = this.reachable(strip.items, strip.offset);
    const next = strip.items[strip.items.findIndex(({ index }) => index === active) + step];
    if (!next) return;
    this.#wish = { index: next.index };
    strip.scrollTo({ index: next.index, align: "nearest", behavior: "smooth" });
  }
}
