// The cards of a strip: one node a slot, moved and filled again, never dropped.
import { Card, focusedIn } from "./card.js";

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
      const item = { ...node.dataset, index: +node.dataset.index, start: +node.dataset.start, size: +node.dataset.size };
      const card = this.#add(node);
      card.slot = item.slot;
      return (card.item = item);
    });
  }

  /**
   * Shows `items` on a canvas that begins at `origin` px, and nothing else but what has the focus. `scheme` is what slots
   * are named within: another one names them anew.
   */
  draw(items, origin, scheme) {
    const { head: { pools }, sign } = this.#strip;
    if (scheme !== this.#scheme) this.#rename(items, scheme, pools);
    const held = focusedIn(this.#strip);
    const focused = this.#cards.find((card) => card.node === held);
    const copies = items.filter((item) => focused?.shows(item)); // more than one in a loop
    const kept = copies.find((item) => item.index === focused.item.index) ?? copies[0];
    const drawn = new Set();
    for (const item of items) {
      const holder = this.#of(item.slot);
      let card = holder;
      if (item === kept) card = focused; // it keeps its item: the spare and it change their slots
      else if (holder === focused) card = this.#of(`${item.kind}-${pools[item.kind]}`);
      exchange(card, holder);
      card.show(item, origin, sign);
      drawn.add(card);
    }
    for (const card of this.#cards) {
      if (drawn.has(card) || card.node.hidden) continue;
      if (card === focused) card.show(card.item, origin, sign);
      else card.hide();
    }
  }

  #of(slot) {
    return this.#cards.find((card) => card.slot === slot);
  }

  /**
   * Names cards anew: who shows an item of `items` takes its slot. As many as can be needed, and a spare for the focus,
   * are made; of those that the server rendered, for whatever width, the rest go.
   */
  #rename(items, scheme, pools) {
    for (const [kind, pool] of Object.entries(pools)) {
      const cards = this.#cards.filter((card) => card.kind === kind);
      while (cards.length <= pool) cards.push(this.#make(kind));
      cards.forEach((card, k) => (card.slot = k <= pool && `${kind}-${k}`));
    }
    for (const item of items) {
      const card = this.#cards.find((other) => other.shows(item) && !other.node.hidden);
      if (card) exchange(card, this.#of(item.slot));
    }
    if (!this.#scheme) this.#cards = this.#cards.filter((card) => card.slot || card.node.remove());
    this.#scheme = scheme;
  }

  #make(kind) {
    const node = document.createElement("li");
    node.hidden = node.inert = true;
    node.dataset.kind = kind;
    node.append(this.#template(kind).content.cloneNode(true));
    const card = this.#add(node);
    card.fill({});
    this.#list.append(node);
    return card;
  }

  #add(node) {
    const card = new Card(node, this.#template(node.dataset.kind), this.#strip);
    this.#cards.push(card);
    return card;
  }

  #template(kind) {
    const find = (name) => this.#strip.querySelector(`template[data-kind="${name}"]`);
    return find(kind) ?? find("card");
  }
}

/** Has two cards take each other's slots. */
function exchange(one, other) {
  [one.slot, other.slot] = [other.slot, one.slot];
}
