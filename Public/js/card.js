// A card: one node, and the item it shows or showed last.
import { fill, placesIn } from "./template.js";

/** As far as this from the canvas' origin, in px, is no place on the canvas: a card then stands out of sight. */
const FAR = 1e6;

export class Card {
  item;
  /** Whether its display was told of. */
  told;

  /** A card of a kind in the `node`, made from or rendered with a `template`; it shows the items of a `slot`. */
  constructor(node, kind, slot, template) {
    this.node = node;
    this.kind = kind;
    this.slot = slot;
    this.places = placesIn(template);
    node.role = "option";
  }

  /** Whether `item` is the one it shows, or showed last. */
  shows(item) {
    return this.item?.id === item.id && this.kind === item.kind;
  }

  /** Whether the node says all that `item` does; the server rendered it with fields that are not known here. */
  says(item) {
    const { fields } = this.item ?? {};
    return (
      this.shows(item) &&
      (!fields || fields === item.fields || JSON.stringify(fields) === JSON.stringify(item.fields))
    );
  }

  /** Shows `item` where it stands on a canvas that begins at `origin` px. */
  show(item, { origin, sign, selected }) {
    const { node, slot } = this;
    const x = item.start - origin;
    if (!this.says(item)) fill(node, this.places, item);
    this.item = item;
    node.style.transform = `translateX(${sign * (Math.abs(x) < FAR ? x : -FAR)}px)`;
    node.style.width = `${item.size}px`;
    put(node, "data-index", item.index);
    put(node, "data-id", item.id);
    put(node, "data-slot", slot);
    put(node, "aria-selected", !!selected && isSameItem(selected, item));
    node.hidden = false;
  }

  hide() {
    this.node.hidden = true;
    for (const name of ["index", "id", "slot"]) delete this.node.dataset[name];
  }
}

/** Sets an attribute that does not say so already. */
export function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Whether the two are the same item: by id, or by index where an id is not known yet. */
export function isSameItem(one, other) {
  return one.id && other.id ? one.id === other.id : one.index === other.index;
}
