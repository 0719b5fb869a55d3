// A card: one node, and the item it shows or showed last.
import { fill } from "./template.js";

export class Card {
  item = null;
  /** Whether its display was told of. */
  told = false;
  #position;
  #size;

  constructor(node, kind, places) {
    this.node = node;
    this.kind = kind;
    this.places = places;
    node.role = "option";
  }

  get isShown() {
    return !this.node.hidden;
  }

  /** Whether `item` is the one it shows, or showed last: in the same turn, if the strip wraps. */
  shows(item) {
    return this.item?.id === item.id && this.kind === item.kind;
  }

  /** Shows `item`. The node is filled only where it is not right. */
  show(item, frame) {
    const { node, item: former } = this;
    const isRight = this.shows(item) && isSame(former.fields, item.fields);
    if (!isRight) fill(node, this.places, item);
    this.item = isRight && !item.fields ? { ...item, fields: former.fields } : item;
    this.stand(frame);
    for (const name of NAMES) put(node, `data-${name}`, item[name]);
    put(node, "aria-selected", !!frame.selected && isSameItem(frame.selected, item));
    node.hidden = false;
  }

  /** Stands where its item does on a canvas that begins at `origin` px; far away, out of sight. */
  stand({ origin, sign }) {
    const { start, size } = this.item;
    const { style } = this.node;
    const far = 2 ** 20;
    const x = Math.abs(start - origin) < far ? start - origin : -far;
    if (x !== this.#position) style.transform = `translateX(${sign * x}px)`;
    if (size !== this.#size) style.width = `${size}px`;
    this.#position = x;
    this.#size = size;
  }

  /** Keeps its item while that is not drawn: its slot may go to another one. */
  wait(frame) {
    this.stand(frame);
    put(this.node, "data-slot", `${this.kind}-${frame.pools[this.kind]}`);
  }

  hide() {
    this.node.hidden = true;
    for (const name of NAMES) delete this.node.dataset[name];
  }
}

/** What a node says of its item, as `data-` attributes. */
const NAMES = ["index", "id", "slot"];

/** Sets an attribute that does not say so already. */
export function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Whether two items' fields say the same; an item that came without them says nothing else. */
function isSame(former, fields) {
  return former === fields || !former || !fields || JSON.stringify(former) === JSON.stringify(fields);
}

/** Whether the two are the same item: by id, or by index where an id is not known yet. */
export function isSameItem(one, other) {
  return one.id && other.id ? one.id === other.id : one.index === other.index;
}
