// The cards of a strip: one node a slot, moved and filled again, never dropped.
import { Card } from "./card.js";
import { fill } from "./template.js";

export class Cards {
  #list;
  #strip;
  #cards = [];
  #scheme;

  /**
   * @param {Element} list - holds the nodes.
   * @param {CarouselStrip} strip - holds the `<template data-kind>` of each kind, at least `card`; tells "willdisplay"
   *   and "enddisplay", of the `item` and `node` in question.
   */
  constructor(list, strip) {
    this.#list = list;
    this.#strip = strip;
  }

  /** Takes the nodes that the server rendered for what they are; returns their items, without fields. */
  adopt() {
    return [...this.#list.querySelectorAll("[data-slot]")].map((node) => {
      const { index, kind, slot, start, size } = node.dataset;
      const item = { ...node.dataset, index: +index, start: +start, size: +size };
      this.#add(node, kind, slot).item = item;
      return item;
    });
  }

  /**
   * Shows `items` and nothing else, but what has the focus. `frame` says how: `origin` of the canvas in px, `sign` (-1
   * from right to left), `pools`, the item `selected`, and `scheme`: what slots are named within.
   */
  draw(items, frame) {
    if (frame.scheme !== this.#scheme) this.#rename(items, frame);
    const focused = this.#cards.find(({ node }) => node.matches(":focus-within"));
    const copies = items.filter((item) => focused?.shows(item)); // more than one in a loop
    const kept = copies.find(({ index }) => index === focused.item.index) ?? copies[0];
    const drawn = new Set();
    for (const item of items) {
      const card = this.#cardFor(item, focused, item === kept, frame);
      this.#show(card, item, frame);
      drawn.add(card);
    }
    for (const card of this.#cards) {
      if (drawn.has(card) || card.node.hidden) continue;
      if (card === focused) card.show(card.item, frame);
      else {
        this.#end(card);
        card.hide();
      }
    }
  }

  /** Shows an item, and tells which one goes for it; one that comes without its fields is not told yet. */
  #show(card, item, frame) {
    if (!card.says(item)) this.#end(card);
    card.show(item, frame);
    if (card.told || !item.fields) return;
    card.told = true;
    this.#tell("willdisplay", card);
  }

  #end(card) {
    if (card.told) this.#tell("enddisplay", card);
    card.told = false;
  }

  #tell(type, { item, node }) {
    this.#strip.tell(type, { item, node });
  }

  /** The card of the item's slot; but the one with the focus keeps its item: the spare and it change their slots. */
  #cardFor(item, focused, isKept, { pools }) {
    const holder = this.#of(item.slot);
    let card = holder;
    if (isKept) card = focused;
    else if (holder === focused) card = this.#of(`${item.kind}-${pools[item.kind]}`);
    [card.slot, holder.slot] = [holder.slot, card.slot];
    return card;
  }

  #of(slot) {
    return this.#cards.find((card) => card.slot === slot);
  }

  /**
   * Names cards anew: who shows an item of `items` takes its slot, the others what is left. As many as can be needed,
   * and a spare for the focus, are made; of those that the server rendered, for whatever width, the rest go.
   */
  #rename(items, { scheme, pools }) {
    for (const [kind, pool] of Object.entries(pools)) {
      const slots = new Set(Array.from({ length: pool + 1 }, (_, k) => `${kind}-${k}`));
      const cards = this.#cards.filter((card) => card.kind === kind);
      for (const card of cards) {
        card.slot = items.find((item) => card.shows(item) && !card.node.hidden && slots.has(item.slot))?.slot;
        slots.delete(card.slot);
      }
      for (const card of cards) {
        card.slot ??= [...slots][0];
        slots.delete(card.slot);
      }
      for (const slot of slots) this.#make(kind, slot);
    }
    if (!this.#scheme) this.#cards = this.#cards.filter(({ slot, node }) => slot || node.remove());
    this.#scheme = scheme;
  }

  #make(kind, slot) {
    const node = document.createElement("li");
    node.hidden = true;
    node.dataset.kind = kind;
    node.append(this.#template(kind).content.cloneNode(true));
    fill(node, this.#add(node, kind, slot).places, {});
    this.#list.append(node);
  }

  #add(node, kind, slot) {
    const card = new Card(node, kind, slot, this.#template(kind));
    this.#cards.push(card);
    return card;
  }

  #template(kind) {
    const find = (name) => this.#strip.querySelector(`template[data-kind="${name}"]`);
    return find(kind) ?? find("card");
  }
}
