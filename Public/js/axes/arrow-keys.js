// Vertical arrow keys in a list, a grid or rows.
import { minBy } from "../windows/geometry.js";

const DIRECTIONS = { ArrowUp: -1, ArrowDown: 1 };

/** The items that vertical arrow keys lead to: a key steps by a row. */
export class ArrowKeys {
  #strip;
  #target; // the index and the center of the card that a key led to

  constructor(strip) {
    this.#strip = strip;
  }

  /** 1 for a key that leads down, -1 for one that leads up. Undefined for other keys. */
  directionOf({ key }) {
    return DIRECTIONS[key];
  }

  /** The item in the next row that is nearest to the same center. */
  nextItem(event, from) {
    const { loadedItems } = this.#strip;
    const direction = this.directionOf(event);
    const item = loadedItems.find(({ index }) => index === from);
    if (!direction || !item) return;
    const centerOf = ({ x, width }) => +x + width / 2;
    const center = this.#target?.index === from ? this.#target.center : centerOf(item);
    const beyond = loadedItems.filter(({ start }) => direction * (start - item.start) > 0);
    const row = beyond.filter(({ start }) => start === beyond.at(direction > 0 ? 0 : -1).start);
    const distance = (one) => Math.abs(centerOf(one) - center);
    const next = minBy(row, distance) ?? item;
    this.#target = { index: next.index, center };
    return next;
  }
}
