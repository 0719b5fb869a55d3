// <carousel-filters>: the active filters of a strip, each with a button that removes it.
//
//     <script type="module" src="https://strips.example/js/filters/filters.js"></script>
//     <carousel-filters for="albums"></carousel-filters>
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";
import { clauseText } from "./clause-text.js";
import { splitConditions } from "./clauses.js";
import { StripFilter } from "./strip-filter.js";

/**
 * The filters of a strip, also those that no facet shows, such as those of the page's address. Each has a button that removes it:
 * the search, each condition of `where` that AND joins, and each value if a condition selects several of a field. With two or more,
 * another button removes all. They are a toolbar: one tab stop, with arrow keys. Without filters, the state is `empty`.
 */
export class CarouselFilters extends StripFilter {
  #group = create("div", { part: "chips", role: "toolbar" });
  #all = create("button", { type: "button", part: "all", hidden: true, onclick: () => this.#remove(() => this.setTogether(() => this.clear())) });
  #shown; // the attributes that are shown
  #messages = { remove: "", not: "" };

  constructor() {
    super();
    this.addParts(this.#group, this.#all);
    this.#group.addEventListener("keydown", (event) => this.moveFocus(event, [...this.#group.children]));
  }

  update() {
    const { strip } = this;
    const [where, q] = ["where", "q"].map((name) => strip?.getAttribute(name) ?? "");
    const conditions = splitConditions(where);
    const formatter = conditions.length ? this.formatter : null;
    const shown = JSON.stringify([where, q, this.#messages, strip?.getAttribute("strip"), formatter?.language]);
    if (formatter === undefined || shown === this.#shown) return;
    this.#shown = shown;
    const chips = conditions.map(({ clause, rest }) => this.#chip(clauseText(clause, formatter, this.#messages), "where", rest));
    if (q.trim()) chips.unshift(this.#chip(`“${q.trim()}”`, "q", null));
    this.#group.replaceChildren(...chips);
    this.setTabStop(chips[0], chips);
    this.#group.ariaLabel = this.ariaLabel ?? this.#messages.filters;
    this.#all.hidden = !this.offersToClear;
    this.setState("empty", !chips.length);
  }

  /** Whether a button removes all filters. */
  get offersToClear() {
    const [where, q] = ["where", "q"].map((name) => this.strip?.getAttribute(name) ?? "");
    return splitConditions(where).length + !!q.trim() > 1;
  }

  #chip(text, name, rest) {
    const ariaLabel = this.#messages.remove.replace("{filter}", () => text);
    const remove = () => this.#remove(() => this.setFilter(name, rest));
    return create("button", { type: "button", part: "chip", ariaLabel, onclick: remove },
      create("span", { part: "value" }, text), " ", create("span", { part: "cross", ariaHidden: true }, "×"));
  }

  /** Removes filters with `change`. The focus goes to the filter that takes the place of the removed one, or to the strip. */
  #remove(change) {
    const buttons = () => [...this.#group.children];
    const k = buttons().indexOf(this.shadowRoot.activeElement);
    change();
    const next = buttons()[Math.min(k, buttons().length - 1)];
    this.setTabStop(next ?? buttons()[0], buttons());
    const { viewport } = this.strip;
    viewport.tabIndex = -1; // browsers do not focus a part that scrolls if cards in it have the focus of the keyboard
    (next ?? viewport).focus({ preventScroll: !next });
  }

  translate({ remove, filters, clear, and, or, not, present, absent }) {
    this.#messages = { remove, filters, and, or, not, present, absent };
    setText(this.#all, clear);
  }

  clear() {
    this.clearAll();
  }
}

customElements.get("carousel-filters") ?? customElements.define("carousel-filters", CarouselFilters);
