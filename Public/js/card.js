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
    this.#places = placesIn(template.content, node);
    this.#strip = strip;
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
    const fields = this.item?.fields; // the server may have rendered some that are not known here
    if (!this.shows(item) || (fields && JSON.stringify(fields) !== JSON.stringify(item.fields))) {
      this.#end();
      this.fill(item);
    }
    this.item = item;
    node.style.transform = `translateX(${sign * (Math.abs(x) < OUT_OF_SIGHT ? x : -OUT_OF_SIGHT)}px)`;
    node.style.width = `${item.size}px`;
    node.dataset.index = item.index;
    node.dataset.id = item.id;
    node.dataset.slot = this.slot;
    node.toggleAttribute("data-selected", !!selected && isSameItem(selected, item));
    node.hidden = node.inert = false;
    if (this.#told || !item.fields) return;
    this.#told = true;
    this.#tell("willdisplay");
  }

  fill(item) {
    fill(this.#places, item);
  }

  hide() {
    this.#end();
    this.node.hidden = this.node.inert = true;
    delete this.node.dataset.index;
    delete this.node.dataset.id;
    delete this.node.dataset.slot;
  }

  #end() {
    if (this.#told) this.#tell("enddisplay");
    this.#told = false;
  }

  #tell(type) {
    this.#strip.tell(type, { item: this.item, node: this.node });
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
