// The keyboard: one card is in the tab order, arrows and the rest move among them.
import { intention } from "./keyboard.js";

export class RovingFocus {
  /** Index of the item whose card the Tab key reaches; -1 when none was chosen. */
  active = -1;
  #strip;
  #wish = null; // what to focus once it is drawn: `{from, step}`, or `{offset, last}` once that is reached

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

  #wished({ from, step, offset, last }) {
    const strip = this.#strip;
    if (step) return this.#neighbour(from, step);
    if (Math.abs(offset - strip.offset) > 1 || strip.isWaiting) return undefined;
    const [left, right] = [strip.offset - 1, strip.offset + strip.clientWidth + 1];
    const whole = strip.items.filter(({ start, size }) => start >= left && start + size <= right);
    return last ? whole.at(-1) : whole[0];
  }

  /** The item before or after another, brought into view; over a gap that shows nothing, by pages. */
  #neighbour(from, step) {
    const strip = this.#strip;
    const item = strip.items[strip.items.findIndex(({ index }) => index === from) + step];
    if (item) {
      strip.scrollTo({ index: item.index, align: "nearest", behavior: "smooth" });
    } else if (!strip.isWaiting) {
      const { offset } = strip;
      if (strip.page(step) === offset) this.#wish = null;
    }
    return item;
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
    } else if (step) {
      this.#wish = { from: this.reachable(strip.items, strip.offset), step };
    } else if (page) {
      this.#wish = { offset: strip.page(page), last: page > 0 };
    } else if (end) {
      this.#wish = { offset: end > 0 ? strip.furthest : 0, last: end > 0 };
      strip.scrollTo({ offset: this.#wish.offset });
    } else return;
    event.preventDefault();
    this.grant();
  }
}
