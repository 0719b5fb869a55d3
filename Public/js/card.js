// A card: one node, and the item it shows or showed last.
import { OUT_OF_SIGHT } from "./figures.js";
import { fill, placesIn } from "./template.js";

export class Card {
  item;
  #told; // whether its display was
  #places;
  #strip;

  /** A card in the `node`, made from or rendered with the `strip`'s template for its kind. */
  constructor(node, template, strip) {
    this.node = node;
    this.kind = node.dataset.kind;
    this.#places = placesIn(template);
    this.#strip = strip;
    node.role = "option";
  }

  /** Whether `item` is the one it shows, or showed last. */
  shows(item) {
    return this.item?.id === item.id && this.kind === item.kind;
  }

  /**
   * Shows `item` where it stands on a canvas that begins at `origin` px; `sign` is -1 from right to left. It is told of
   * once its fields are here.
   */
  show(item, origin, sign) {
    const { node } = this;
    const { selected } = this.#strip;
    const x = item.start - origin;
    if (!this.#says(item)) {
      this.#end();
      this.fill(item);
    }
    this.item = item;
    node.style.transform = `translateX(${sign * (Math.abs(x) < OUT_OF_SIGHT ? x : -OUT_OF_SIGHT)}px)`;
    node.style.width = `${item.size}px`;
    Object.assign(node.dataset, { index: item.index, id: item.id, slot: this.slot });
    node.ariaSelected = !!selected && isSameItem(selected, item);
    node.hidden = false;
    if (this.#told || !item.fields) return;
    this.#told = true;
    this.#tell("willdisplay");
  }

  fill(item) {
    fill(this.node, this.#places, item);
  }

  hide() {
    this.#end();
    this.node.hidden = true;
    for (const name of ["index", "id", "slot"]) delete this.node.dataset[name];
  }

  /** Whether the node says all that `item` does; the server rendered it with fields that are not known here. */
  #says(item) {
    const fields = this.item?.fields;
    return this.shows(item) && (!fields || JSON.stringify(fields) === JSON.stringify(item.fields));
  }

  #end() {
    if (this.#told) this.#tell("enddisplay");
    this.#told = false;
  }

  #tell(type) {
    const { item, node } = this;
    this.#strip.tell(type, { item, node });
  }
}

/** The card that has the focus, in a window at the back too, or null. */
export function focusedIn(strip) {
  const card = strip.getRootNode().activeElement?.closest("[data-index]");
  return strip.contains(card) ? card : null;
}

/** Whether the two are the same item: by id, or by index where an id is not known yet. */
export function isSameItem(one, other) {
  return one.id && other.id ? one.id === other.id : one.index === other.index;
}
