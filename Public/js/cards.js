// The cards of a strip: one node a slot, moved and filled again, never dropped.
import { Card } from "./card.js";
import { fill, placesIn } from "./template.js";

export class Cards {
  #list;
  #templates;
  #tell;
  #places = new Map(); // by kind: where its template is to be filled
  #cards = new Map(); // by node
  #slots = new Map(); // by slot name
  #focused; // the card that has the focus
  #scheme = null;

  /**
   * @param {Element} list - holds the nodes.
   * @param {ParentNode} templates - holds the `<template data-kind>` of each kind, at least `card`.
   * @param {Function} tell - called with "willdisplay" or "enddisplay", and the `item` and `node` in question.
   */
  constructor(list, templates, tell) {
    this.#list = list;
    this.#templates = templates;
    this.#tell = tell;
  }

  /** Takes the nodes that the server rendered for what they are; returns their items, without fields. */
  adopt() {
    return [...this.#list.querySelectorAll("li[data-slot]")].map((node) => {
      const { index, kind, slot, start, size } = node.dataset;
      const card = this.#add(node, kind);
      card.item = { ...node.dataset, index: +index, start: +start, size: +size };
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
   * left), `pools`, the item `selected`, and `scheme`: what slots are named within.
   */
  draw(items, frame) {
    this.#focused = this.holding(document.activeElement);
    if (frame.scheme !== this.#scheme) this.#rename(items, frame);
    const drawn = new Set();
    for (const item of items) {
      const card = this.#cardFor(item, drawn);
      this.#show(card, item, frame);
      drawn.add(card);
    }
    for (const card of this.#cards.values()) {
      if (drawn.has(card)) continue;
      if (card === this.#focused) card.wait(frame);
      else if (card.isShown) this.#hide(card);
    }
  }

  /** Shows an item, and tells which one goes for it; one that comes without its fields is not told yet. */
  #show(card, item, frame) {
    if (!card.shows(item)) this.#end(card);
    card.show(item, frame);
    if (card.told || !card.item.fields) return;
    card.told = true;
    this.#say("willdisplay", card);
  }

  #hide(card) {
    this.#end(card);
    card.hide();
  }

  #end(card) {
    if (card.told) this.#say("enddisplay", card);
    card.told = false;
  }

  #say(type, { item, node }) {
    this.#tell(type, { item, node });
  }

  /** The card of the item's slot; but the item that has the focus keeps its card, for which a spare stands in. */
  #cardFor(item, drawn) {
    const { kind, slot } = item;
    if (this.#focused?.shows(item)) return this.#focused;
    const card = this.#slots.get(slot);
    if (card && card !== this.#focused) return card;
    const spare = this.#free(kind).find((other) => other !== this.#focused && !drawn.has(other));
    if (!card) this.#slots.set(slot, spare);
    return spare;
  }

  /** The cards of a kind that no slot has. */
  #free(kind) {
    const taken = new Set(this.#slots.values());
    return [...this.#cards.values()].filter((card) => card.kind === kind && !taken.has(card));
  }

  /**
   * Names nodes anew: who shows an item of `items` takes its slot, the rest are free. As many as can be needed,
   * and a spare for the focus, are made; of those that the server rendered, for whatever width, the rest go.
   */
  #rename(items, { scheme, pools }) {
    this.#slots.clear();
    const cards = [...this.#cards.values()];
    const shown = new Map(cards.filter((card) => card.isShown).map((card) => [card.item.id, card]));
    for (const item of items) {
      const card = shown.get(item.id);
      if (!card?.shows(item)) continue;
      this.#slots.set(item.slot, card);
      shown.delete(item.id);
    }
    for (const [kind, pool] of Object.entries(pools)) {
      const excess = cards.filter((card) => card.kind === kind).length - pool - 1;
      for (let k = excess; k < 0; k += 1) this.#make(kind);
      if (!this.#scheme && excess > 0) this.#free(kind).slice(-excess).forEach(({ node }) => this.#drop(node));
    }
    this.#scheme = scheme;
  }

  #make(kind) {
    const node = document.createElement("li");
    const content = this.#template(kind).content.cloneNode(true);
    const { places } = this.#add(node, kind);
    fill(content, places, {});
    node.hidden = true;
    node.dataset.kind = kind;
    node.append(content);
    this.#list.append(node);
  }

  #drop(node) {
    this.#cards.delete(node);
    node.remove();
  }

  #add(node, kind) {
    if (!this.#places.has(kind)) this.#places.set(kind, placesIn(this.#template(kind)));
    const card = new Card(node, kind, this.#places.get(kind));
    this.#cards.set(node, card);
    return card;
  }

  #template(kind) {
    const find = (name) => this.#templates.querySelector(`template[data-kind="${name}"]`);
    return find(kind) ?? find("card");
  }
}
