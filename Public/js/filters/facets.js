// <carousel-facets>: the most frequent values of a field, which filter the items of a strip.
//
//     <script type="module" src="https://strips.example/js/filters/facets.js"></script>
//     <carousel-facets for="albums" field="genre"></carousel-facets>
import { SEARCH_DELAY } from "../base/constants.js";
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";
import { formatNumber } from "../language/format.js";
import { backoffDelay, isRejected } from "../server/retries.js";
import { fieldParameter, rangeOf, valuesOf, withRange, withValues } from "./clauses.js";
import { checkBoxes, chips } from "./facet-options.js";
import { DAY, FacetRange } from "./facet-range.js";
import { StripFilter } from "./strip-filter.js";

/** How many values a facet shows at first. Each press of "More" shows four times as many more. */
const DEFAULT_LIMIT = 10;
/** More numbers than these are a range. Fewer are values in order, such as ratings, unless they are prices. */
const MAX_SINGLE_NUMBERS = 5;
const MAX_LIMIT = 1000;

/**
 * The most frequent values of the attribute `field`, with their counts. A strip with several selected values shows items that
 * have any of them. The counts leave the element's own selection out, so that the reader sees what another value adds. A
 * field with another value in each item has none. A field with more numbers than values has a range, and one with more dates
 * a range of days, unless its format is `text`. Prices have a range, too. One value that all items have is not shown. The
 * attribute `limit` is the number of values, by default 10, and 5 for numbers. Texts are in the order of their counts, and numbers in their own.
 *
 * The values are chips: one tab stop, and one line until "More" is pressed. "Less" ends that. With `display="list"` they are check boxes below
 * one another. After "More", a field finds others among all values.
 *
 * The state `loaded` says that the values are there, and `none` that no item has one. With `empty` the element takes no place.
 */
export class CarouselFacets extends StripFilter {
  static get observedAttributes() {
    return ["for", "field", "limit", "display"];
  }

  #options = new Map(); // nodes by value, in order
  #optionType = chips; // or checkBoxes
  #group = create("div", { role: "group" });
  #findInput = create("input", { type: "search", part: "find", hidden: true, maxLength: 85, autocomplete: "off" });
  #moreButton = create("button", { type: "button", part: "more", hidden: true });
  #range = new FacetRange((lower, upper) => {
    this.setFilter("where", withRange(this.#ownRange.rest, this.#field, lower, upper));
  });
  #facet = create("div", { part: "facet" });
  #wasShown = false; // whether the values were worth showing
  #addedValues = 0; // values that "More" has added
  #hasMore = false; // whether the field has more values
  #requestKey; // the path and the query of the last request, as text
  #excludesOwnRange = true; // whether the request leaves out the element's own range, as for its least and greatest number
  #failures = 0;
  #timer;
  #messages = { more: "", less: "" };

  constructor() {
    super();
    this.#moreButton.addEventListener("click", () => {
      const isLess = this.#isExpanded && !this.#hasMore;
      if (isLess) this.#collapse();
      else if (this.#hasMore) this.#addedValues += 4 * DEFAULT_LIMIT;
      this.#facet.toggleAttribute("data-open", !isLess);
      this.#updateMore();
      this.update();
    });
    this.#findInput.addEventListener("input", () => this.#loadAfter(SEARCH_DELAY));
    new ResizeObserver(() => requestAnimationFrame(() => this.#updateMore())).observe(this); // browsers log an error if the call itself changes the size
    this.#group.addEventListener("keydown", (event) => this.#optionType === chips && this.moveFocus(event, [...this.#options.values()]));
    this.#facet.append(create("slot"), this.#findInput, this.#group, this.#range.node, this.#moreButton);
    this.addParts(this.#facet);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#requestKey = null; // its response is dropped
    clearTimeout(this.#timer);
  }

  attributeChangedCallback() {
    this.#optionType = this.getAttribute("display") === "list" ? checkBoxes : chips;
    this.#group.part = this.#optionType.part;
    this.#group.replaceChildren();
    this.#options.clear();
    this.#wasShown = false;
    this.#requestKey = null;
    this.#excludesOwnRange = true;
    this.#collapse();
    this.#range.node.hidden = true;
    if (this.isConnected) this.update();
  }

  /** Shows as few values as at first. */
  #collapse() {
    this.#addedValues = 0;
    this.#findInput.value = "";
    this.#findInput.hidden = true;
    this.#facet.removeAttribute("data-open");
  }

  get #isExpanded() {
    return this.#facet.hasAttribute("data-open");
  }

  get #field() {
    return this.getAttribute("field");
  }

  /** The values of the field that the strip is filtered by, and the rest of its filter. */
  get #selection() {
    return valuesOf(this.strip.getAttribute("where"), this.#field);
  }

  /** The limits of the field that the strip is filtered by, and the rest of its filter. */
  get #ownRange() {
    return rangeOf(this.strip.getAttribute("where"), this.#field);
  }

  /** Shows which values are selected, and requests the counts. */
  update() {
    const { strip } = this;
    if (!strip || !this.#field) return;
    const formatter = this.formatter;
    const label = this.ariaLabel ?? formatter?.label(this.#field) ?? this.#field;
    this.#group.ariaLabel = label;
    this.#findInput.ariaLabel = `${this.#messages.search}: ${label}`;
    this.#range.label(label, this.#messages.from, this.#messages.to);
    for (const [value, option] of this.#options) this.#showOption(option, value, option.count, formatter);
    this.#select(this.#selection.values);
    const { lower, upper } = this.#ownRange;
    this.#range.set(lower, upper, formatter?.unit(this.#field));
    this.#load();
  }

  async #load() {
    const { strip } = this;
    if (!strip.meta) return;
    const others = this.#selection.rest;
    const ownRange = rangeOf(others, this.#field);
    const rest = this.#excludesOwnRange ? ownRange.rest : others;
    const limit = Math.min(MAX_LIMIT, (+this.getAttribute("limit") || DEFAULT_LIMIT) + this.#addedValues);
    const query = { field: fieldParameter(this.#field), limit, list: strip.getAttribute("list"), where: rest || null, q: strip.getAttribute("q") };
    query.facetQuery = this.#findInput.value.trim() || null;
    query.revision = strip.meta.revision;
    const path = `strips/${strip.meta.strip}/facets`;
    const key = path + JSON.stringify([query, !!(ownRange.lower || ownRange.upper)]); // a range leaves values out, if they are few
    if (key === this.#requestKey) return;
    this.#requestKey = key;
    const [response] = await Promise.all([strip.fetchJSON(path, query).catch((error) => error), this.formatterLoaded]);
    if (key !== this.#requestKey || !this.isConnected || !this.strip) return;
    const facet = response.facets?.[0];
    if (facet) {
      this.#failures = 0;
      return this.#showFacet(facet, limit);
    }
    this.#requestKey = null; // the next reload of the strip tries again, or the timer
    if (response.status === 410 && !strip.isReloading) strip.emit("error", response); // the revision is gone: the strip reloads
    if (response.parameter === "field") console.warn(response.message, this);
    if (!isRejected(response)) this.#loadAfter(backoffDelay(this.#failures++, response));
  }

  #loadAfter(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.strip?.meta && this.#load(), delay);
  }

  /** Shows the values in order, or the range. */
  #showFacet(facet, limit) {
    const { values, distinct } = facet;
    const { lower, upper } = this.#ownRange;
    const hasOwnRange = !!(lower || upper);
    const type = this.#rangeTypeOf(facet, limit, hasOwnRange);
    const former = this.#excludesOwnRange;
    this.#excludesOwnRange = !!type || !hasOwnRange; // few values are those within the range
    if (this.#excludesOwnRange !== former && hasOwnRange) return this.#load(); // otherwise the request is the same
    this.#group.hidden = !!type;
    this.#hasMore = !type && distinct > values.length && limit < MAX_LIMIT;
    this.setState("loaded", true);
    this.setState("none", !type && !values.length);
    if (type) this.#showRange(facet, type);
    else this.#showValues(facet, limit);
    this.#updateMore();
  }

  /** "days", "numbers" or "none" if the facet has a range, which stays as it was without items. Undefined if it has values. */
  #rangeTypeOf({ values, distinct, min }, limit, hasOwnRange) {
    const { lower, upper } = this.#ownRange;
    const format = this.formatter?.formatOf(this.#field);
    const isOfDays = format === "date" && (this.#range.isOfDays || [lower, upper, values[0]?.value].some((text) => DAY.test(text)));
    const isOfNumbers = min !== undefined && format !== "text";
    const maxValues = isOfNumbers && !this.hasAttribute("limit") ? (format === "currency" ? 1 : MAX_SINGLE_NUMBERS) : limit;
    const isMany = distinct > maxValues || this.#range.isShown || (isOfDays && hasOwnRange);
    if (isMany && (isOfDays || isOfNumbers || !values.length)) return isOfDays ? "days" : isOfNumbers ? "numbers" : "none";
  }

  #showRange({ min, max }, type) {
    if (type === "days") this.#range.showDays();
    else if (type === "numbers") this.#range.show(min, max, (value) => this.formatter?.format(value, this.#field) ?? value);
    this.#findInput.hidden = true;
    this.#setVisible(true);
  }

  #showValues({ values, distinct, min }, limit) {
    this.#range.node.hidden = true;
    const { values: selected } = this.#selection;
    const isFinding = !!this.#findInput.value.trim();
    const areUnique = distinct > limit && values[0]?.count === 1; // each item has a value of its own
    const isCommon = values.length === 1 && values[0].count === this.strip.meta.count && !this.strip.matches("[where],[q]"); // its filter would leave all items
    this.#wasShown ||= values.length > 0 && !areUnique && !isCommon;
    // A line of chips keeps its place, so that nothing moves while the reader searches.
    this.#setVisible(this.#wasShown && (this.#optionType === chips || values.length + selected.length > 0 || isFinding));
    const missing = isFinding ? [] : selected.filter((value) => values.every((one) => one.value !== value)).map((value) => ({ value }));
    const all = [...missing, ...values]; // a line of chips hides its end
    const isOfNumbers = min !== undefined && this.formatter?.formatOf(this.#field) !== "text";
    this.#arrange(isOfNumbers ? all.sort((one, other) => one.value - other.value) : all);
    this.#findInput.hidden = this.#optionType === chips || !(isFinding || (this.#hasMore && this.#isExpanded));
    this.#select(selected);
  }

  /** Puts the options of values into the group, in their order. The one that has the focus stays in the document, and the others move around it. */
  #arrange(values) {
    const formatter = this.formatter;
    const template = this.querySelector(":scope > template");
    const options = new Map(values.map(({ value, count }) => {
      const option = this.#options.get(value) ?? this.#optionType.create(() => this.#toggle(value), template);
      this.#showOption(option, value, count, formatter);
      return [value, option];
    }));
    for (const [value, option] of this.#options) if (!options.has(value)) option.remove();
    this.#options = options;
    const nodes = [...options.values()];
    const hasFocus = (node) => this.#optionType.control(node) === this.shadowRoot.activeElement;
    const pivot = Math.max(0, nodes.findIndex(hasFocus));
    if (nodes.some((node, k) => node !== this.#group.children[k])) {
      if (!nodes[pivot].isConnected) this.#group.append(nodes[pivot]);
      nodes[pivot].before(...nodes.slice(0, pivot));
      nodes[pivot].after(...nodes.slice(pivot + 1));
    }
    if (this.#optionType === chips && nodes[0]) this.setTabStop(nodes[pivot], nodes);
  }

  /** An element without values takes no place, unless it says how many items there are. */
  #setVisible(isShown) {
    this.#facet.hidden = !isShown;
    this.setState("empty", !isShown && !this.isFirst);
  }

  /**
   * Offers more values, or fewer. Until "More" is pressed, chips are one line, and those that do not fit are hidden. The line ends
   * with the last chip that fits, so that the button follows it.
   */
  #updateMore() {
    const { style } = this.#group;
    style.maxWidth = "";
    const isClipped = this.#optionType === chips && this.#group.scrollHeight > this.#group.clientHeight + 1;
    this.#moreButton.hidden = !this.#hasMore && !isClipped && !this.#isExpanded;
    setText(this.#moreButton, this.#isExpanded && !this.#hasMore ? this.#messages.less : this.#messages.more);
    if (!isClipped) return;
    const [first, ...others] = [...this.#group.children].map((node) => node.getBoundingClientRect());
    const last = others.findLast(({ top }) => top === first.top) ?? first;
    style.maxWidth = `${Math.ceil(Math.max(last.right - first.left, first.right - last.left))}px`; // in both directions of writing
  }

  /** Writes the texts of a value, and its count. */
  #showOption(option, value, count, formatter) {
    option.count = count;
    const label = formatter?.format(value, this.#field) ?? value;
    this.#optionType.show(option, { value, label });
    setText(option.querySelector("[part=value]"), label);
    setText(option.querySelector("[part=count]"), count === undefined ? "" : formatNumber(count, this));
  }

  translate({ more, less, from, to, search }) {
    this.#messages = { more, less, from, to, search };
    this.#findInput.placeholder = search;
    this.#updateMore();
  }

  clear() {
    this.setFilter("where", rangeOf(this.#selection.rest, this.#field).rest);
  }

  #toggle(value) {
    const { values, rest } = this.#selection;
    const others = values.filter((one) => one !== value);
    if (others.length === values.length) others.push(value);
    this.setFilter("where", withValues(rest, this.#field, others));
  }

  #select(values) {
    for (const [value, option] of this.#options) this.#optionType.select(option, values.includes(value));
  }
}

customElements.get("carousel-facets") ?? customElements.define("carousel-facets", CarouselFacets);
