// A card: one node, and the item it shows or showed last.
import { fill } from "./template.js";

export class Card {
  item = null;
  #places;
  #position;
  #size;
  #slot;

  constructor(node, kind, places) {
    this.node = node;
    this.kind = kind;
    this.#places = places;
    node.setAttribute("role", "option");
  }

  get isShown() {
    return !this.node.hidden;
  }

  /** Whether `item` is the one it shows, or showed last: in the same turn, if the strip wraps. */
  shows(item) {
    return this.item?.id === item.id && this.kind === item.kind;
  }

  /** Shows `item`; whether another one had to go for it. The node is filled only where it is not right. */
  show(item, frame) {
    const { node, item: former } = this;
    const isRight = this.shows(item) && isSame(former.fields, item.fields);
    if (!isRight) fill(node, this.#places, item);
    this.item = isRight && !item.fields ? { ...item, fields: former.fields } : item;
    this.stand(frame.origin);
    this.name(item.slot);
    set(node, "data-index", item.index);
    set(node, "data-id", item.id);
    set(node, "aria-posinset", placeOf(item.index, frame.count));
    set(node, "aria-setsize", frame.count);
    set(node, "aria-selected", item.index === frame.selected);
    set(node, "tabindex", item.index === frame.active ? 0 : -1);
    node.hidden = false;
    return !isRight && former !== null;
  }

  /** Stands where its item does on a canvas that begins at `origin` px; far away, out of sight. */
  stand(origin) {
    const { start, size } = this.item;
    const x = Math.abs(start - origin) < 2 ** 20 ? start - origin : -(2 ** 20);
    if (x !== this.#position) this.node.style.transform = `translateX(${x}px)`;
    if (size !== this.#size) this.node.style.width = `${size}px`;
    this.#position = x;
    this.#size = size;
  }

  /** Takes the name of a slot. */
  name(slot) {
    set(this.node, "data-slot", slot);
    if (slot === this.#slot) return;
    this.#slot = slot;
    this.node.style.setProperty("--slot", slot.slice(slot.lastIndexOf("-") + 1));
  }

  hide() {
    if (!this.isShown) return;
    this.node.hidden = true;
    for (const name of ["index", "id", "slot"]) delete this.node.dataset[name];
  }
}

/** The place from 1 that an index has among `count` items, in whatever turn of a strip that wraps. */
export function placeOf(index, count) {
  return (((index % count) + count) % count) + 1;
}

function set(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Whether two items' fields say the same; an item that came without them says nothing else. */
function isSame(former, fields) {
  return former === fields || !former || !fields || JSON.stringify(former) === JSON.stringify(fields);
}
