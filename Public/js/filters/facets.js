// <carousel-facets>: chips for the most frequent values of a field, which filter the items of a strip.
//
//     <script type="module" src="https://strips.example/js/filters/facets.js"></script>
//     <carousel-facets for="albums" field="genre"></carousel-facets>
import { formatNumber } from "../access/format.js";
import { create, setText } from "../element/dom.js";
import { rangeOf, selectionOf, withRange, withSelection } from "./clauses.js";
import { StripFilter } from "./strip-filter.js";

/** How many values a group of chips has, and how many more a press of "More" shows. */
const LIMIT = 10;
const MAX_LIMIT = 1000;

/**
 * A group of toggle buttons, one for each of the most frequent values of the attribute `field`, with their counts. A
 * strip with several selected values shows items that have any of them. The counts leave the element's own selection
 * out, so that the reader sees what another chip adds. The group is one tab stop. It is one line until "More" is pressed. A field with another value in each
 * item has no chips. A field with more numbers than chips has two fields for a range. The attribute `limit` is the
 * number of values, 10 by default. The state `loaded` says that the chips are there.
 */
export class CarouselFacets extends StripFilter {
  static get observedAttributes() {
    return ["for", "field", "limit"];
  }

  #chips = new Map(); // buttons by value, in order
  #group = create("div", { part: "chips", role: "group" });
  #more = create("button", { type: "button", part: "more", hidden: true });
  #range = create("span", { part: "range", role: "group", hidden: true });
  #unit = create("span", { part: "unit" });
  #limits = [0, 1].map(() => create("input", { part: "limit", type: "number", step: "any" })); // the least and the greatest
  #typed; // the limit that the reader is typing
  #facet = create("div", { part: "facet" });
  #states = this.attachInternals().states;
  #isKey; // whether the field had another value in each item when it was first shown
  #added = 0; // values that "More" has added
  #hasMore; // whether the field has more values
  #requested; // the path and the query

  constructor() {
    super();
    this.#more.addEventListener("click", () => {
      if (this.#hasMore) this.#added += 4 * LIMIT;
      this.#facet.toggleAttribute("data-open", true);
      this.#offerMore();
      this.update();
    });
    new ResizeObserver(() => this.#offerMore()).observe(this.#group);
    this.#group.addEventListener("keydown", (event) => this.move(event, [...this.#chips.values()]));
    this.#range.append(this.#limits[0], " – ", this.#limits[1], " ", this.#unit);
    this.#range.addEventListener("input", ({ target }) => (this.#typed = target));
    this.#range.addEventListener("focusout", () => (this.#typed = null));
    this.#range.addEventListener("change", () => this.#setRange());
    this.#facet.append(create("slot"), this.#group, this.#range, this.#more);
    this.add(this.#facet);
  }

  attributeChangedCallback() {
    this.#isKey = undefined;
    this.#facet.removeAttribute("data-open");
    this.#range.hidden = true;
    if (this.isConnected) this.update();
  }

  get #field() {
    return this.getAttribute("field");
  }

  /** Shows which values are selected, and requests the counts. */
  update() {
    const { strip } = this;
    if (!strip || !this.#field) return;
    const texts = this.texts.known;
    this.#group.ariaLabel = this.#range.ariaLabel = this.ariaLabel ?? texts?.label(this.#field) ?? this.#field;
    setText(this.#unit, texts?.unit(this.#field) ?? "");
    for (const [value, chip] of this.#chips) this.#chip(value, chip.count, texts);
    this.#select(selectionOf(strip.getAttribute("where"), this.#field).values);
    const { least, greatest } = rangeOf(strip.getAttribute("where"), this.#field);
    const limits = [least, greatest];
    this.#limits.forEach((input, k) => input === this.#typed || (input.value = limits[k] ?? ""));
    this.#load();
  }

  async #load() {
    const { strip } = this;
    if (!strip.head) return;
    const others = selectionOf(strip.getAttribute("where"), this.#field).rest;
    const rest = this.#range.hidden ? others : rangeOf(others, this.#field).rest;
    const limit = Math.min(MAX_LIMIT, (+this.getAttribute("limit") || LIMIT) + this.#added);
    const query = { field: this.#field, limit, list: strip.getAttribute("list"), where: rest || null, q: strip.getAttribute("q") };
    query.revision = strip.head.revision;
    const path = `strips/${strip.head.strip}/facets`;
    const key = path + JSON.stringify(query);
    if (key === this.#requested) return;
    this.#requested = key;
    const [answer] = await Promise.all([strip.request(path, query).catch((error) => error), this.texts.loaded]);
    if (key !== this.#requested || !this.strip) return;
    const facet = answer.facets?.[0];
    if (!facet) {
      this.#requested = null; // the next draw of the strip tries again
      if (answer.parameter === "field") console.warn(answer.message, this);
      return;
    }
    this.#show(facet, limit);
  }

  /**
   * Shows the values in order, or the fields for a range. The button that has the focus stays in the document, and the
   * others move around it.
   */
  #show({ values, distinct, min, max }, limit) {
    const isRange = min !== undefined && (distinct > limit || !this.#range.hidden);
    this.#range.hidden = !isRange;
    this.#group.hidden = isRange;
    this.#limits.forEach((input, k) => Object.assign(input, { min: min ?? "", max: max ?? "", placeholder: [min, max][k] ?? "" }));
    this.#hasMore = !isRange && distinct > values.length && limit < MAX_LIMIT;
    if (isRange) {
      this.#facet.hidden = false;
      this.#offerMore();
      this.#states.add("loaded");
      return this.#load(); // the least and the greatest number do not depend on the range
    }
    this.#isKey ??= distinct > limit && values[0]?.count === 1;
    this.#facet.hidden = this.#isKey;
    this.#states.add("loaded");
    const { values: selected } = selectionOf(this.strip.getAttribute("where"), this.#field);
    const missing = selected.filter((value) => values.every((one) => one.value !== value)).map((value) => ({ value }));
    const texts = this.texts.known;
    const chips = new Map([...values, ...missing].map(({ value, count }) => [value, this.#chip(value, count, texts)]));
    for (const [value, chip] of this.#chips) if (!chips.has(value)) chip.remove();
    this.#chips = chips;
    const nodes = [...chips.values()];
    const pivot = Math.max(0, nodes.indexOf(this.shadowRoot.activeElement));
    if (nodes.some((node, k) => node !== this.#group.children[k])) {
      if (!nodes[pivot].isConnected) this.#group.append(nodes[pivot]);
      nodes[pivot].before(...nodes.slice(0, pivot));
      nodes[pivot].after(...nodes.slice(pivot + 1));
    }
    const focused = nodes.find((node) => node === this.shadowRoot.activeElement);
    if (nodes[0]) this.enter(focused ?? nodes[0], nodes);
    this.#offerMore();
    this.#select(selected);
  }

  /** Offers more values. Until "More" is pressed, the chips are one line, and those that do not fit are hidden. */
  #offerMore() {
    const isClipped = this.#group.scrollHeight > this.#group.clientHeight + 1;
    this.#more.hidden = !this.#hasMore && !isClipped;
  }

  /** Filters the items to the range that the reader has entered, in either order. A limit that is no number is left out. */
  #setRange() {
    this.#typed = null;
    const limits = this.#limits.map(({ value }) => value);
    if (limits.every((value) => value) && +limits[0] > +limits[1]) limits.reverse();
    const { rest } = rangeOf(this.strip.getAttribute("where"), this.#field);
    this.set("where", withRange(rest, this.#field, ...limits));
  }

  /** The chip of a value, with its count. */
  #chip(value, count, texts) {
    const chip = this.#chips.get(value) ?? create("button", { type: "button", onclick: () => this.#toggle(value) },
      create("span", { part: "value" }), " ", create("span", { part: "count" }));
    chip.count = count;
    setText(chip.firstChild, texts?.text(value, this.#field) ?? value);
    setText(chip.lastChild, count === undefined ? "" : formatNumber(count, this));
    return chip;
  }

  translate({ more, from, to }) {
    this.#limits[0].ariaLabel = from;
    this.#limits[1].ariaLabel = to;
    setText(this.#more, more);
  }

  clear() {
    const { rest } = selectionOf(this.strip.getAttribute("where"), this.#field);
    this.set("where", rangeOf(rest, this.#field).rest);
  }

  #toggle(value) {
    const { values, rest } = selectionOf(this.strip.getAttribute("where"), this.#field);
    const others = values.filter((one) => one !== value);
    if (others.length === values.length) others.push(value);
    this.set("where", withSelection(rest, this.#field, others));
  }

  #select(values) {
    for (const [value, chip] of this.#chips) {
      const isSelected = values.includes(value);
      chip.ariaPressed = isSelected;
      chip.part = isSelected ? "chip selected" : "chip";
    }
  }
}

customElements.get("carousel-facets") ?? customElements.define("carousel-facets", CarouselFacets);
