// The base class of the elements that filter a strip by its attributes `where`, `q` and `sort`.
import { create } from "../base/dom.js";
import { languageOf } from "../base/language.js";
import { preserveAttributes } from "../base/morphing.js";
import { setText } from "../base/text.js";
import { withoutReload } from "../base/without-reload.js";
import { filterStyles } from "../cards/style-sheets.js";
import { formatCount } from "../language/format.js";
import { localize } from "../language/messages.js";
import { retryUntilLoaded } from "../server/retries.js";
import { restoreViewPositions } from "./view-positions.js";

/** English messages. Other languages have theirs with those of the strip. */
const ENGLISH = {
  search: "Search",
  corrected: "Showing results for {words}.",
  clear: "Clear filters",
  more: "More",
  less: "Less",
  from: "From",
  to: "To",
  filters: "Active filters",
  remove: "Remove {filter}",
  and: "and",
  or: "or",
  not: "not {filter}",
  present: "present",
  absent: "absent",
};

/** The elements that are filters. */
export const FILTERS = "carousel-search, carousel-facets, carousel-filters";

/**
 * An element for the strip whose id is in the attribute `for`. The strip can come later. All state is in the strip's
 * attributes, so that several of these elements, the page's own code, and its address stay in step.
 *
 * The first of these elements for a strip announces the number of items politely, and the words that the server searched
 * instead of those of `q`. It offers to clear the filters if there is no item, or if the server rejects them, unless a
 * <carousel-filters> does. The strip itself says why it has no items.
 */
export class StripFilter extends HTMLElement {
  #status = create("p", { part: "status", role: "status" });
  #clear = create("button", { type: "button", part: "clear", hidden: true });
  #result = create("div", { part: "result" }, this.#status, this.#clear);
  #states = this.attachInternals().states;
  #lifetime;
  #announced; // the view whose count was announced
  #wasFiltered = false; // whether the strip has had a filter: from then on the number of items is shown
  #lastFormatterRequest;
  #messages;

  /** The strip, or null. */
  get strip() {
    return this.getRootNode().getElementById?.(this.getAttribute("for"));
  }

  /** The formatter of the strip's fields. Undefined until it is loaded: then this element is updated. */
  get formatter() {
    return this.#formatterRequest.formatter;
  }

  /** A promise, which is fulfilled when the formatter is loaded. */
  get formatterLoaded() {
    return this.#formatterRequest.loaded;
  }

  /** The request for the formatter. Another strip and another language have their own. */
  get #formatterRequest() {
    const { strip } = this;
    const language = languageOf(this);
    const key = `${strip.getAttribute("strip")} ${language}`;
    if (this.#lastFormatterRequest?.key !== key) {
      const request = (this.#lastFormatterRequest = { key });
      const load = async () => {
        const { loadFormatter } = await retryUntilLoaded(() => import("../language/fields.js"));
        await customElements.whenDefined("carousel-strip");
        request.formatter = await loadFormatter(strip, language);
        this.update();
      };
      request.loaded = load();
    }
    return this.#lastFormatterRequest;
  }

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).append(create("div", {}, this.#result));
    this.#clear.addEventListener("click", () => {
      this.#clearFilters();
      const control = [...this.shadowRoot.querySelectorAll("input, button")].find((element) => element !== this.#clear && element.checkVisibility());
      (this.querySelector("[name=q]") ?? control ?? this.strip.viewport).focus(); // this button is hidden soon
    });
  }

  /** Starts when strips are defined. Before that, a page that bundles the elements has not set their server yet. */
  async connectedCallback() {
    this.#lifetime = new AbortController();
    const { signal } = this.#lifetime;
    this.#result.hidden = !this.isFirst;
    filterStyles(this);
    await customElements.whenDefined("carousel-strip");
    if (signal.aborted) return;
    const listen = (type, listener) =>
      this.getRootNode().addEventListener(type, (event) => event.target === this.strip && listener(event), { signal });
    listen("reload", () => this.#refresh());
    listen("error", ({ detail }) => {
      if (detail?.status === 400 && this.isFirst) this.#offerToClear(true);
    });
    this.#announced = this.#view; // a page that opens with a filter announces nothing
    localize(this, (type, listener, target) => target.addEventListener(type, listener, { signal }), (known) => {
      const messages = (this.#messages = { ...ENGLISH, ...known });
      setText(this.#clear, messages.clear);
      this.translate(messages);
      this.#refresh();
    });
  }

  disconnectedCallback() {
    this.#lifetime.abort();
  }

  /** Sets or clears a state of the element, which style sheets select by. */
  setState(name, isSet) {
    if (isSet) this.#states.add(name);
    else this.#states.delete(name);
  }

  /** Puts the element's own parts before the status. */
  addParts(...parts) {
    this.#result.before(...parts);
  }

  /** One of the `chips` is in the tab order. Arrow keys, Home and End move the focus to the others. */
  moveFocus(event, chips) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const k = chips.indexOf(this.shadowRoot.activeElement);
    const forward = getComputedStyle(this).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const isForward = [forward, "ArrowDown"].includes(event.key);
    const to = { Home: 0, End: chips.length - 1 }[event.key] ?? (/^Arrow/.test(event.key) ? k + (isForward ? 1 : -1) : -1);
    if (!chips[to]) return;
    event.preventDefault();
    this.setTabStop(chips[to], chips);
    chips[to].focus();
  }

  /** Puts one of the `chips` into the tab order. */
  setTabStop(tabStop, chips) {
    for (const chip of chips) chip.tabIndex = chip === tabStop ? 0 : -1;
  }

  /** Sets an attribute of the strip, and removes it if the `value` is empty. */
  setFilter(name, value) {
    const { strip } = this;
    if (!strip || (strip.getAttribute(name) || null) === (value || null)) return;
    preserveAttributes(strip);
    restoreViewPositions(strip);
    if (value) strip.setAttribute(name, value);
    else strip.removeAttribute(name);
    this.update();
  }

  /** Clears the filter and the search. */
  clearAll() {
    this.setFilter("where", null);
    this.setFilter("q", null);
  }

  /** Calls `change`, which sets filters. The strip reloads once for all of them. */
  setTogether(change) {
    if (this.strip && withoutReload(this.strip, change)) this.strip.reload();
  }

  /** Shows the strip's attributes. Subclasses implement it. */
  update() {}

  /** Shows the messages in the page's language. Subclasses implement it. */
  translate() {}

  /** Removes what this element selects. Subclasses implement it. */
  clear() {}

  /** All elements of these kinds for the strip, in document order. */
  get #siblings() {
    const name = this.getAttribute("for"); // by the attribute: another element may not be defined yet
    return [...this.getRootNode().querySelectorAll(FILTERS)].filter((element) => element.getAttribute("for") === name);
  }

  /** Whether this element says how many items there are: the first one for its strip does. */
  get isFirst() {
    return this.#siblings[0] === this;
  }

  /** Clears the filters of all elements. A filter that is of none of them is cleared if there is no other. */
  #clearFilters() {
    const before = this.#attributes;
    this.setTogether(() => {
      for (const sibling of this.#siblings) sibling.clear?.();
      this.#offerToClear(false);
      if (this.#attributes === before) this.clearAll();
    });
  }

  get #attributes() {
    return ["where", "q"].map((name) => this.strip.getAttribute(name)).join();
  }

  /** The selected items, as text. */
  get #view() {
    return JSON.stringify([this.strip?.meta?.strip, this.strip?.meta?.view]);
  }

  #refresh() {
    this.update();
    if (this.strip?.meta) this.#showResult(this.strip.meta);
  }

  /** Says how many items there are, if this element does that for the strip. */
  #showResult({ count, view }) {
    const isFirst = this.isFirst;
    const isFiltered = isFirst && !!(view?.where || view?.q);
    this.#result.hidden = !isFirst;
    // Items that enter or leave a view change its count. That is not announced.
    this.#status.ariaLive = this.#view === this.#announced ? "off" : "polite";
    this.#announced = this.#view;
    this.#wasFiltered ||= isFiltered;
    const isCounted = isFirst && this.#wasFiltered && count > 0;
    setText(this.#status, isCounted ? `${this.correction} ${formatCount(count, this)}`.trim() : "");
    this.#offerToClear(isFiltered && !count);
  }

  /** The sentence that says which words were searched, if they are not those of `q`, or an empty text. */
  get correction() {
    const { corrected, view } = this.strip?.meta ?? {};
    if (!corrected) return "";
    const near = new Map(corrected.map(({ word, to }) => [word, to.slice(0, 3).join(" / ")]));
    const words = view.q.trim().split(" ").map((chain) => {
      const spelling = chain.split("-").map((word) => near.get(word) ?? word).join("-");
      return spelling === chain ? (near.get(chain.replaceAll("-", "")) ?? chain) : spelling;
    });
    return this.#messages.corrected.replace("{words}", () => words.join(" "));
  }

  /** Shows the button that clears the filters, in the place of the number of items. */
  #offerToClear(isOffered) {
    this.#clear.hidden = !isOffered || this.#siblings.some((sibling) => sibling.offersToClear);
    if (isOffered) setText(this.#status, "");
  }
}
