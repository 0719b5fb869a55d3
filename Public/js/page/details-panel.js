// The panel with the details of the selected item, below or over the strip.
import { create } from "../base/dom.js";
import { readParameter, writeParameter } from "../base/history.js";
import { languageOf } from "../base/language.js";
import { retryUntilLoaded } from "../server/retries.js";
import { showDetails } from "./details.js";

const PARAMETER = "selected"; // of the page's address

/**
 * Shows the details of each item that is selected in `strip`. In a list, a grid or rows, which are `isArranged`, its card stays in view.
 * The page's address has the item as `selected`: a reload or a shared link shows its details again.
 */
export class DetailsPanel {
  #strip;
  #panel;
  #isArranged;
  #isWide = matchMedia("(width >= 64rem)");
  #chosen = null; // the item whose details are shown, perhaps after the formatter of its fields is loaded
  #keeping; // aborts the listeners that keep a card in view
  #moved = null; // how the details have moved the strip: the offsets `from` and `to`

  constructor(strip, panel, isArranged) {
    [this.#strip, this.#panel, this.#isArranged] = [strip, panel, isArranged];
    strip.addEventListener("select", ({ detail }) => this.#show(detail));
    strip.addEventListener("deselect", ({ detail }) => this.#close(detail));
    strip.addEventListener("focusin", ({ target }) => this.#followFocus(target));
    addEventListener("popstate", () => this.#writeAddress());
    const id = readParameter(PARAMETER);
    if (id !== null) strip.addEventListener("settle", () => this.#open(id), { once: true });
  }

  /** Selects the item of the page's address, if it is where the address leads to. */
  #open(id) {
    const item = this.#strip.items.find((other) => other.id === id);
    if (item && !this.#strip.isStale && !this.#chosen) this.#strip.select(item.index);
    else this.#writeAddress();
  }

  #writeAddress() {
    writeParameter("replaceState", PARAMETER, this.#chosen?.id ?? null);
  }

  async #show(item) {
    const strip = this.#strip;
    this.#chosen = item;
    const card = strip.nodeOf(item.index);
    if (card?.contains(document.activeElement)) card.focus({ preventScroll: true }); // a tap on the title gives it the focus, where keys have no effect
    const { loadFormatter } = await retryUntilLoaded(() => import("../language/fields.js"));
    const formatter = await loadFormatter(strip, languageOf(strip));
    if (this.#chosen !== item) return;
    const keep = this.#isArranged ? this.#keepInView(item) : null;
    const title = strip.nodeOf(item.index)?.querySelector(".instead:not([hidden])")?.textContent; // a card of a table without titles has this in the place of a title
    showDetails(this.#panel, title ? { ...item, fields: { title, ...item.fields } } : item, strip.meta.count, formatter, strip.nodeOf(item.index));
    this.#panel.append(this.#closeButton());
    this.#panel.parentNode.toggleAttribute("data-details", true);
    this.#panel.scrollTop = 0;
    this.#writeAddress();
    if (keep) keep();
    else this.#showWhole();
  }

  #close(item) {
    this.#chosen = null;
    setTimeout(() => { // another item can be selected at once
      if (this.#chosen) return;
      const keep = this.#isArranged && this.#panel.firstChild ? this.#keepInView(item) : null;
      this.#panel.replaceChildren();
      this.#panel.parentNode.toggleAttribute("data-details", false);
      this.#writeAddress();
      keep?.();
    });
  }

  /** While details are shown, keys that move the focus select the item that they lead to. */
  #followFocus(target) {
    const { index } = target.dataset;
    if (this.#isArranged && this.#chosen && index && +index !== this.#chosen.index && target.matches(":focus-visible")) this.#strip.select(+index, "key");
  }

  #closeButton() {
    return create("button", { type: "button", className: "close", ariaLabel: this.#panel.dataset.close, onclick: () => this.#strip.deselect() }, "×");
  }

  /**
   * Keeps the card of an item where it is in the window while the details come or go. Call it before that, and call the function that
   * it returns after that. In a wide window the cards get another width, and then other rows. In a narrow window the details cover the
   * lower cards: the card moves above them. When they go it moves back, unless the reader has scrolled.
   */
  #keepInView({ id }) {
    const [strip, panel] = [this.#strip, this.#panel];
    this.#keeping?.abort();
    this.#keeping = new AbortController();
    const once = { once: true, signal: this.#keeping.signal };
    const card = () => strip.querySelector(`:scope > ul > li[data-id="${CSS.escape(id)}"]`);
    const box = card()?.getBoundingClientRect();
    const wasOpen = !!panel.firstChild;
    const from = strip.offset;
    const place = (end, behavior, tries = 10) => {
      const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0; // the height of the bar
      const at = Math.max(top, Math.min(box.top, end - (card()?.offsetHeight ?? 0)));
      strip.scrollTo({ item: id, at, behavior });
      if (!card() && tries) strip.addEventListener("draw", () => place(end, behavior, tries - 1), once); // its height is not known yet, or it is gone
      return from + box.top - at;
    };
    return () => {
      if (!box || box.bottom < 0 || box.top > innerHeight) return;
      const isOpen = !!panel.firstChild;
      if (this.#isWide.matches) {
        if (wasOpen !== isOpen) strip.addEventListener("reload", () => strip.addEventListener("draw", () => place(innerHeight), once), once);
      } else if (isOpen) {
        const to = place(panel.getBoundingClientRect().top, "smooth");
        this.#moved = { from: wasOpen && this.#moved ? this.#moved.from : from, to };
      } else if (Math.abs(this.#moved?.to - from) < 2) strip.scrollTo({ offset: this.#moved.from, behavior: "smooth" });
    };
  }

  /** Scrolls the page until the panel below the strip is in view, as far as the strip stays in view. */
  #showWhole() {
    const top = Math.min(this.#panel.getBoundingClientRect().bottom - innerHeight, this.#strip.getBoundingClientRect().top - 16);
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    if (top > 0) window.scrollBy({ top, behavior });
  }
}
