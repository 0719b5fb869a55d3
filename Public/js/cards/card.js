// A card: the node of a slot. It is moved, and filled with item after item.
import { inLap } from "../windows/geometry.js";
import { CardState } from "./card-state.js";
import { fill, findPlaceholders, placeholdersOf } from "./template.js";

/** A `node`, and the `item` that it shows or showed last. */
export class Card {
  #id; // the id of the item that it shows
  #isModified; // whether the page has changed the node: it is filled again
  #publicItem; // the item as events have it
  #isDisplayed; // whether "willdisplay" was dispatched for the item
  #state; // the node as the template has it
  #strip;

  constructor(node, template, strip) {
    this.node = node;
    this.kind = node.dataset.kind;
    this.template = template;
    placeholdersOf.set(node, findPlaceholders(template.content, node));
    this.#strip = strip;
    this.#state = new CardState(node, placeholdersOf.get(node));
  }

  /** Whether the card shows `item`, or showed it last. */
  shows(item) {
    return this.item?.id === item.id && this.kind === item.kind;
  }

  /**
   * Shows `item`. Scroll position 0 is at the offset `origin`; `direction` is -1 from right to left. Boxes in the card that are
   * `scrolled` start at their front with another item.
   */
  show(item, origin, direction, scrolled) {
    const { node } = this;
    const isOtherItem = this.#isModified || !this.shows(item);
    const isNew = this.item && this.item !== item;
    const differs = (name) => isNew && JSON.stringify(this.item[name]) !== JSON.stringify(item[name]);
    if (isOtherItem || (this.item.fields && differs("fields"))) { // the item of a card that the server rendered has no fields
      this.#endDisplay();
      this.fill(item);
      if (this.item && !this.shows(item)) this.#state.clearEntries();
    } else if (differs("group")) this.#endDisplay(); // a template does not show the group
    if (isOtherItem || differs("group")) setGroup(node.dataset, item);
    if (this.item !== item) this.#publicItem = inLap(item, this.#strip.meta);
    this.item = item;
    this.#isModified = false;
    this.#strip.axis.place(node, item, item.start - origin, direction);
    Object.assign(node.dataset, { index: item.index, id: (this.#id = item.id), slot: this.slot, kind: this.kind });
    node.hidden = node.inert = false;
    for (const box of isOtherItem ? scrolled : []) {
      if (!node.contains(box)) continue;
      scrolled.delete(box);
      box.scrollTo({ top: 0, left: 0, behavior: "instant" });
    }
    if (this.#isDisplayed || !item.fields) return;
    this.#isDisplayed = true;
    this.#emit("willdisplay");
  }

  fill(item) {
    fill(placeholdersOf.get(this.node), item);
    this.#strip.formatCard?.(this.node, item);
  }

  hide() {
    this.#endDisplay();
    this.#id = undefined;
    this.node.hidden = this.node.inert = true;
    delete this.node.dataset.index;
    delete this.node.dataset.id;
    delete this.node.dataset.slot;
  }

  /** Whether the node is as it was drawn. */
  isIntact(list) {
    const { node } = this;
    return node.parentNode === list && node.dataset.id === this.#id && node.hidden === !this.#id && (node.hidden || node.style.transform);
  }

  /** Puts the node back into the list, and shows its item again. */
  repair(list) {
    if (this.isIntact(list)) return;
    this.#isModified = true;
    if (this.node.parentNode !== list) list.append(this.node);
  }

  /** Ends the display of the item. The card gets back the state of its template. */
  #endDisplay() {
    if (this.#isDisplayed) this.#emit("enddisplay");
    this.#isDisplayed = false;
    if (this.item) this.#state.restore();
  }

  #emit(type) {
    this.#strip.emit(type, { item: this.#publicItem, node: this.node }, true); // thumbhash.js hears of all strips of the document
  }
}

/** Sets the attributes that the server gives to the cards of items in groups. */
function setGroup(dataset, { group }) {
  delete dataset.groupTitle;
  delete dataset.groupIndex;
  if (group) Object.assign(dataset, { groupTitle: group.title, groupIndex: group.index });
}
