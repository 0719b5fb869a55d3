// <carousel-search>: a field that searches the items of a strip.
//
//     <script type="module" src="https://strips.example/js/filters/search.js"></script>
//     <carousel-search for="albums"></carousel-search>
import { SEARCH_DELAY } from "../base/constants.js";
import { create } from "../base/dom.js";
import { retryUntilLoaded } from "../server/retries.js";
import { StripFilter } from "./strip-filter.js";

const RELEVANCE = "relevance";

/**
 * A search landmark with a field. A page can have its own form instead, as a child with the slot `form`. It works
 * without scripts too. Its control named `q` searches, and a control named `sort` sorts:
 *
 *     <carousel-search for="albums"><form slot="form">
 *       <input type="search" name="q" aria-label="Search"> <select name="sort">...</select>
 *     </form></carousel-search>
 *
 * The items of a search are in the order of relevance, unless the page names another: as the attribute `sort` of the strip,
 * or with a control named `sort`. A menu of that name that has the option `relevance` shows it instead of its empty one.
 *
 * Hits are marked in the titles and subtitles of the strip, in browsers with CSS Custom Highlights.
 */
export class CarouselSearch extends StripFilter {
  // 85 UTF-16 units have at most 255 bytes of UTF-8. The server allows 256.
  #input = create("input", { type: "search", name: "q", part: "search", maxLength: 85 });
  #timer;
  #isEdited = false; // whether the controls are ahead of the strip
  #isStarted = false;
  #highlighting; // an AbortController, which ends the marks of hits in its `strip`

  constructor() {
    super();
    const form = create("slot", { name: "form" }, create("form", {}, this.#input));
    const box = create("div", { role: "search", className: "alone" }, form, create("slot"));
    this.addParts(box);
    this.shadowRoot.addEventListener("slotchange", () => box.classList.toggle("alone", !this.firstElementChild));
    const apply = () => this.#apply();
    // Events of slotted controls pass the shadow root too.
    this.shadowRoot.addEventListener("input", (event) => {
      clearTimeout(this.#timer);
      this.#isEdited = true;
      if (!event.isComposing) this.#timer = setTimeout(apply, event.target.name === "q" ? SEARCH_DELAY : 0);
    });
    this.shadowRoot.addEventListener("compositionend", apply);
    this.shadowRoot.addEventListener("submit", (event) => {
      event.preventDefault();
      apply();
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#isEdited = false;
    this.#stopHighlighting();
  }

  #stopHighlighting() {
    this.#highlighting?.abort();
    this.#highlighting = null;
  }

  /** Marks hits in the strip, from its first search on. */
  async #highlight(strip) {
    if (this.#highlighting?.strip !== strip) this.#stopHighlighting(); // the page has another one with this id
    if (this.#highlighting || !strip.meta?.view?.q || !CSS.highlights) return;
    const { signal } = (this.#highlighting = Object.assign(new AbortController(), { strip }));
    const { highlightHits } = await retryUntilLoaded(() => import("./highlights.js"));
    if (!signal.aborted) highlightHits(strip, signal);
  }

  /** The controls, each with the name of the attribute that it sets. */
  get #controls() {
    const fields = this.querySelectorAll("[name=q], [name=sort]");
    return this.querySelector("[slot=form]") ? [...fields] : [this.#input, ...fields];
  }

  /** Applies what a reader has typed or chosen before the script was there, once the strip has the view of the page's address. */
  #applyEarly() {
    this.#isStarted = true;
    this.#isEdited = this.#controls.some(isChanged);
    if (!this.#isEdited) return;
    this.strip.addEventListener("draw", () => {
      if (!this.#isEdited || !this.strip) return; // the reader went on, and that is applied
      for (const control of this.#controls) if (!isChanged(control)) this.#show(control);
      this.#apply();
    }, { once: true });
    this.strip.requestDraw?.();
  }

  /** Shows the strip's attribute in its control. */
  #show(control) {
    const value = this.strip.getAttribute(control.name) ?? "";
    if (control.value !== value) control.value = value;
  }

  #apply() {
    clearTimeout(this.#timer);
    this.#isEdited = false;
    const values = this.#controls.map(({ name, value }) => [name, value]); // `setFilter` updates all controls
    this.setTogether(() => {
      for (const [name, value] of values) this.setFilter(name, value);
      this.#sortByRelevance();
    });
  }

  /** The options of the menu that are the order of a search, and that of all items. */
  get #sortOptions() {
    const find = (value) => this.querySelector(`select[name=sort] > option[value="${value}"]`);
    return [find(RELEVANCE), find("")];
  }

  /** Sorts the items of a search by relevance, unless the page names another order. */
  #sortByRelevance() {
    const { strip } = this;
    if (!strip || (this.#controls.some(({ name }) => name === "sort") && !this.#sortOptions[0])) return;
    const sort = strip.getAttribute("sort");
    if (!sort || sort === RELEVANCE) this.setFilter("sort", strip.getAttribute("q") && RELEVANCE);
  }

  update() {
    if (!this.strip) return;
    if (!this.#isStarted) this.#applyEarly();
    this.#highlight(this.strip);
    const [relevanceOption, defaultOption] = this.#sortOptions;
    const isSearch = this.strip.hasAttribute("q");
    if (relevanceOption) relevanceOption.hidden = !isSearch && !relevanceOption.selected;
    if (relevanceOption && defaultOption) defaultOption.hidden = isSearch && !defaultOption.selected; // an address can name another order
    if (this.#isEdited) return;
    for (const control of this.#controls) this.#show(control);
  }

  translate({ search }) {
    this.#input.ariaLabel = this.#input.placeholder = search;
  }

  clear() {
    this.setFilter("q", null);
    this.#sortByRelevance();
  }
}

/** Whether a field or a menu has another value than in the page's HTML. */
function isChanged({ value, options, defaultValue = value }) {
  const all = [...(options ?? [])];
  const initial = all.findLast((option) => option.defaultSelected) ?? all.find((option) => !option.disabled);
  return value !== (initial?.value ?? defaultValue);
}

customElements.get("carousel-search") ?? customElements.define("carousel-search", CarouselSearch);
