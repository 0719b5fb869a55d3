// The cards of a strip: one node a slot, moved and filled again, never dropped by scrolling.
import { Card } from "./card.js";
import { compile, complete } from "./template.js";

export class Cards {
  /** Nodes made here since the start; those that the server rendered are not counted. */
  made = 0;
  /** How often a node that showed one item was filled with another. */
  reuses = 0;
  #list;
  #templates;
  #tell;
  #compiled = new Map();
  #cards = new Map(); // by node
  #slots = new Map(); // by slot name
  #free = new Set(); // those without a slot
  #held = null; // focused while its slot went to another item
  #scheme = null;

  /**
   * @param {Element} list - holds the nodes.
   * @param {ParentNode} templates - holds the `<template data-kind>` of each kind, at least `card`.
   * @param {Function} tell - called with "willdisplay" or "enddisplay", and the `item` and `node` in question.
   */
  constructor(list, templates, tell) {
    this.#list = list;
    this.#templates = templates;
    this.#tell = (type, { item, node }) => tell(type, { item, node });
  }

  get count() {
    return this.#cards.size;
  }

  /** Takes the nodes that the server rendered for what they are; returns their items, without fields. */
  adopt() {
    return [...this.#list.querySelectorAll("li[data-slot]")].map((node) => {
      const { index, id, kind, slot, start, size } = node.dataset;
      const card = this.#add(node, kind);
      complete(node, this.#template(kind).places);
      card.item = { index: +index, id, kind, slot, start: +start, size: +size };
      this.#slots.set(slot, card);
      return card.item;
    });
  }

  /** The card whose node holds `element`, if any. */
  holding(element) {
    return this.#cards.get(element?.closest?.("li"));
  }

  /** The card that shows the item of `index`, if any. */
  showing(index) {
    return [...this.#cards.values()].find((card) => card.isShown && card.item.index === index);
  }

  /**
   * Shows `items` and nothing else. `frame` says how: `origin` of the canvas in px, `sign` (-1 from right to
   * left), `pools`, whether it `selects` an item, and `scheme`: what slots are named within.
   */
  draw(items, frame) {
    const focused = this.holding(document.activeElement);
    if (this.#held && this.#held !== focused) {
      this.#free.add(this.#held);
      this.#held = null;
    }
    if (frame.scheme !== this.#scheme) this.#rename(items, frame, focused);
    const drawn = new Set();
    for (const item of items) {
      const card = this.#cardFor(item, frame, focused);
      this.#show(card, item, frame);
      drawn.add(card);
    }
    for (const card of this.#cards.values()) {
      if (drawn.has(card)) continue;
      if (card === focused) card.stand(frame);
      else this.#hide(card);
    }
  }

  /** Shows an item, and tells which one goes for it; one that comes without its fields is not told yet. */
  #show(card, item, frame) {
    if (card.told && !card.shows(item)) this.#end(card);
    if (card.show(item, frame)) this.reuses += 1;
    if (card.told || !card.item.fields) return;
    card.told = true;
    this.#tell("willdisplay", card);
  }

  #hide(card) {
    if (card.told) this.#end(card);
    card.hide();
  }

  #end(card) {
    card.told = false;
    this.#tell("enddisplay", card);
  }

  /** The node of the item's slot; the item that has the focus keeps its node, a spare takes the name. */
  #cardFor(item, { pools }, focused) {
    const card = this.#slots.get(item.slot);
    if (this.#held?.shows(item)) {
      if (card) this.#free.add(card);
      this.#slots.set(item.slot, this.#held);
      this.#held = null;
    } else if (!card) {
      this.#slots.set(item.slot, this.#take(item.kind));
    } else if (card === focused && !card.shows(item)) {
      this.#held = card;
      card.node.dataset.slot = `${card.kind}-${pools[card.kind]}`;
      this.#slots.set(item.slot, this.#take(item.kind));
    }
    return this.#slots.get(item.slot);
  }

  /** Names nodes anew: who shows an item of `items` takes its slot, the rest are free, or dropped beyond the pool. */
  #rename(items, { scheme, pools }, focused) {
    this.#scheme = scheme;
    this.#slots.clear();
    this.#free = new Set(this.#cards.values());
    const renamed = new Map();
    for (const card of this.#free) if (card.isShown) renamed.set(card.item.id, card);
    for (const item of items) {
      const card = renamed.get(item.id);
      if (!card?.shows(item)) continue;
      this.#slots.set(item.slot, card);
      this.#free.delete(card);
      renamed.delete(item.id);
    }
    this.#held = this.#free.delete(focused) ? focused : null;
    const left = { ...pools };
    for (const card of this.#slots.values()) left[card.kind] -= 1;
    for (const card of this.#free) if (!(left[card.kind]-- > 0)) this.#drop(card);
  }

  #take(kind) {
    for (const card of this.#free) {
      if (card.kind !== kind) continue;
      this.#free.delete(card);
      return card;
    }
    const node = document.createElement("li");
    node.hidden = true;
    node.dataset.kind = kind;
    node.append(this.#template(kind).content.cloneNode(true));
    this.#list.append(node);
    this.made += 1;
    return this.#add(node, kind);
  }

  #add(node, kind) {
    const card = new Card(node, kind, this.#template(kind).places);
    this.#cards.set(node, card);
    return card;
  }

  #drop(card) {
    this.#free.delete(card);
    this.#cards.delete(card.node);
    card.node.remove();
  }

  #template(kind) {
    if (!this.#compiled.has(kind)) {
      const find = (name) => this.#templates.querySelector(`template[data-kind="${name}"]`);
      this.#compiled.set(kind, compile(find(kind) ?? find("card")));
    }
    return this.#compiled.get(kind);
  }
}
