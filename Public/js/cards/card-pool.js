// A pool of cards: one `<li>` for each slot. Cards are moved and filled again while the strip scrolls, never removed.
import { itemsMeeting } from "../windows/geometry.js";
import { Card } from "./card.js";
import { isSized } from "./list.js";
import { templateOf } from "./template.js";

export class CardPool {
  #strip;
  #cards = [];
  #generation;
  #unknownNodes = []; // nodes in the list before the first draw, without a window that says what they show
  #scrolled = new Set(); // the boxes in cards that the reader has scrolled
  #observer; // hears of what the page changes
  #activeElement; // the element in a card that has the focus
  #isBroken; // whether the list or a card is not as it was drawn

  /**
   * @param {Strip} strip - has a `<template data-kind>` for each kind, or for "card", or its class has one.
   * @param {Function} onChange - is called when the page has changed the list or the cards.
   */
  constructor(strip, onChange) {
    this.#strip = strip;
    strip.addEventListener("scroll", ({ target }) => {
      for (const box of this.#scrolled) if (!box.isConnected) this.#scrolled.delete(box);
      this.#scrolled.add(target);
    }, { capture: true, passive: true });
    this.#observer = new MutationObserver(onChange);
    this.#observer.observe(strip, { childList: true });
    this.#observeList();
  }

  /** Finds out whether the list and the cards are as they were drawn. If not, the next draw repairs them. */
  checkIntact() {
    const list = this.#strip.cardList;
    const isWhole = isSized(list) && list.children.length === this.#cards.length && this.#cards.every((card) => card.isIntact(list) && this.#hasTemplate(card));
    this.#isBroken ||= !isWhole;
    return isWhole;
  }

  /** Returns whether the list or a card was changed since the last call, and does not report it. */
  takeMutations() {
    return !!this.#observer.takeRecords()[0];
  }

  /**
   * Takes over the nodes that the server rendered. Returns their items, without fields.
   *
   * `response` is the window that they show. Without it, they only stay until others are drawn. At another `height` than the
   * server's, which a style sheet can set, the sizes are those in the page.
   */
  hydrate(response, height) {
    const list = this.#strip.cardList;
    if (!response) {
      this.#unknownNodes = [...list.children];
      return [];
    }
    const isScaled = height !== response.height && !response.items.length;
    let shift = 0;
    return [...list.querySelectorAll(":scope > [data-slot]")].map((node) => {
      const { groupTitle: title, groupIndex, ...data } = node.dataset;
      const group = title === undefined ? null : { title, index: +groupIndex };
      const size = (isScaled && parseFloat(getComputedStyle(node).width)) || +data.size;
      const item = { ...data, group, index: +data.index, start: +data.start + shift, size };
      shift += size - data.size;
      const card = this.#add(node);
      card.slot = item.slot;
      return (card.item = item);
    });
  }

  /**
   * Shows `items`, and the card that has the focus. Scroll position 0 is at the offset `origin`. The slots of
   * items are valid within a `generation`: when it changes, the cards get other slots.
   */
  draw(items, origin, generation) {
    const { meta: { pools }, direction, offset, viewportSize, isWaiting } = this.#strip;
    if (this.#isBroken && this.#generation) this.#repair();
    if (generation !== this.#generation) this.#assignSlots(items, generation, pools);
    const { activeElement } = this.#strip.getRootNode(); // unlike :focus, it is there while the window has no focus
    const focused = this.#cards.find((card) => card.node.contains(activeElement));
    this.#activeElement = focused && activeElement;
    const copies = items.filter((item) => focused?.shows(item)); // a loop can show an item twice
    const focusedItem = copies.find((item) => item.index === focused.item.index) ?? copies[0];
    const drawn = new Set();
    for (const item of items) {
      const holder = this.#cardOf(item.slot);
      let card = holder;
      if (item === focusedItem) card = focused; // the focused card keeps its item
      else if (holder === focused) card = this.#cardOf(`${item.kind}-${pools[item.kind]}`); // the spare card
      swapSlots(card, holder);
      card.show(item, origin, direction, this.#scrolled);
      drawn.add(card);
    }
    for (const card of this.#cards) {
      if (drawn.has(card) || card.node.hidden) continue;
      const isKept = card === focused && (isWaiting || !itemsMeeting([card.item], offset, offset + viewportSize)[0]);
      if (isKept) card.show(card.item, origin, direction, this.#scrolled);
      else card.hide();
    }
  }

  /** Puts the cards back into the list, and removes what the page has put in their place. Cards of other templates are made again. */
  #repair() {
    const list = this.#observeList();
    const cards = this.#cards.filter(this.#hasTemplate, this);
    if (cards.length < this.#cards.length) this.#generation = null; // slots are assigned again
    this.#cards = cards;
    const hadFocus = this.#activeElement?.isConnected === false && document.activeElement === document.body;
    for (const card of cards) card.repair(list);
    if (hadFocus) this.#activeElement.focus({ preventScroll: true });
    for (const node of [...list.children]) if (!cards.some((card) => card.node === node)) node.remove();
    this.#isBroken = false;
  }

  #observeList() {
    const list = this.#strip.cardList;
    this.#observer.observe(list, { childList: true, attributeFilter: ["style"] });
    return list;
  }

  /** Whether a card is of the template that its kind has. Without one, as while a page moves them, the card stays. */
  #hasTemplate({ kind, template }) {
    const other = templateOf(this.#strip, kind);
    return !other || template === other || template?.innerHTML === other.innerHTML;
  }

  #cardOf(slot) {
    return this.#cards.find((card) => card.slot === slot);
  }

  /**
   * Gives every card a slot of the new generation. A card that shows one of `items` gets the slot of that item. Creates the
   * missing cards, and a spare one of each kind for the focus. Removes cards that the server rendered in excess.
   */
  #assignSlots(items, generation, pools) {
    for (const [kind, pool] of Object.entries(pools)) {
      const cards = this.#cards.filter((card) => card.kind === kind);
      while (cards.length <= pool) cards.push(this.#create(kind));
      cards.forEach((card, k) => (card.slot = k <= pool && `${kind}-${k}`));
    }
    for (const item of items) {
      const card = this.#cards.find((other) => other.shows(item) && !other.node.hidden);
      if (card) swapSlots(card, this.#cardOf(item.slot));
    }
    for (const node of this.#unknownNodes) node.remove();
    this.#unknownNodes = [];
    if (!this.#generation) this.#cards = this.#cards.filter((card) => card.slot || card.node.remove());
    this.#generation = generation;
  }

  #create(kind) {
    const { content } = templateOf(this.#strip, kind);
    const node = content.ownerDocument.createElement("li"); // this document does not load "{image}"
    node.hidden = node.inert = true;
    node.dataset.kind = kind;
    node.append(content.cloneNode(true));
    const card = this.#add(node);
    card.fill({});
    this.#strip.cardList.append(node);
    return card;
  }

  #add(node) {
    const card = new Card(node, templateOf(this.#strip, node.dataset.kind), this.#strip);
    this.#cards.push(card);
    this.#observer.observe(node, { attributeFilter: ["data-id", "hidden", "style"] });
    return card;
  }
}

/** The node of the card that has the focus, or undefined. */
export function focusedCard(strip) {
  const { activeElement } = strip.getRootNode();
  return [...strip.cardList.children].find((node) => node.contains(activeElement));
}

function swapSlots(card, holder) {
  [card.slot, holder.slot] = [holder.slot, card.slot];
}
