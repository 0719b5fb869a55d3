// Keyboard access: one card is in the tab order (a roving tabindex), and keys move the focus and select.
import { focusedCard } from "../cards/card-pool.js";
import { pageOffset } from "../motion/navigation.js";
import { clickLink, selections } from "../selection/selection.js";
import { retryUntilLoaded } from "../server/retries.js";
import { visibleItems } from "../windows/in-view.js";

/** The directions of keys: -1 leads back. */
const DIRECTIONS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1, Home: -1, End: 1 };

/** Makes the cards of a strip one stop of the Tab key. Arrows, Page Up and so on move the focus among them, and Enter selects. */
export function keyboard(strip, on) {
  new Keyboard(strip, on);
}

class Keyboard {
  #strip;
  #active; // the item that was focused or selected last: its id and index
  #pendingFocus; // returns the index of the item to focus, once it is known
  #typeAhead; // finds the item whose title the reader types, once it is loaded: see type-ahead.js
  #loading; // the promise of that module

  constructor(strip, on) {
    this.#strip = strip;
    on("keydown", (event) => this.#press(event));
    on("focusin", () => this.#updateTabStop());
    on("focusin pointerdown", () => (this.#pendingFocus = null), document, true); // the focus is where the reader put it
    on("select", (event) => {
      if (event.isTrusted) event.stopPropagation(); // the browser's own event is about text in an <input>
    }, strip.viewport);
    on("select", () => {
      this.#active = selections.get(strip) ?? this.#active;
      this.#updateTabStop();
    });
    on("enddisplay", ({ detail: { item, node } }) => {
      if (node !== focusedCard(strip) || strip.items.some(({ id }) => id === item.id)) return;
      const { index } = node.dataset;
      this.#pendingFocus = () => Math.min(index, strip.items.at(-1)?.index); // the focused item was removed
    });
    on("afterRender", (hasChanged) => {
      if (hasChanged) this.#updateTabStop(); // the last px of a movement change no cards
      this.#focus();
    });
    on("settle", () => {
      this.#updateTabStop();
      this.#focus(true);
    });
    this.#updateTabStop();
  }

  /** Puts one card into the tab order: the active one, or the first in view if that is not drawn. Returns its index. */
  #updateTabStop() {
    const strip = this.#strip;
    const active = { ...(focusedCard(strip)?.dataset ?? this.#active) };
    const copies = strip.items.filter(({ id }) => id === active.id); // a loop can show an item twice, and an edit can move it
    const drawn = copies.find(({ index }) => index === +active.index) ?? copies[0];
    this.#active = drawn ?? active;
    const { index } = drawn ?? visibleItems(strip)[0] ?? {};
    for (const node of strip.cardList.children) node.tabIndex = +node.dataset.index === index ? 0 : -1;
    return index;
  }

  /** Focuses the item that keys have led to, once it is drawn. */
  #focus(isSettled) {
    const node = this.#pendingFocus && this.#strip.nodeOf(this.#pendingFocus(isSettled));
    if (!node) return;
    this.#pendingFocus = null;
    node.focus({ preventScroll: true });
  }

  /** Follows a key that is pressed on a card. Returns false if it has a meaning. */
  #press(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.#strip.meta || !target.matches("[data-index]")) return; // not in a card's content
    if (this.#type(event)) return false;
    if (key === "Escape") return this.#deselect(event);
    const direction = this.#strip.axis.directionOf(event) ?? DIRECTIONS[key] * (/^Arrow/.test(key) ? this.#strip.direction : 1); // from right to left, the left arrow leads on
    if (direction) this.#move(event, direction);
    else if (key === "Enter" || key === " ") this.#select(event);
    else return;
    return false;
  }

  /** Moves to the item whose title the reader types. Returns whether there is one. */
  #type(event) {
    if (event.key[1]) return false; // the key has a name, and types no letter
    const match = this.#typeAhead?.(event, +this.#active.index);
    if (match) this.#moveTo(match, "smooth");
    if (this.#typeAhead || event.key === " ") return match;
    this.#loading ??= retryUntilLoaded(() => import("./type-ahead.js")).then(({ typeAhead }) => (this.#typeAhead = typeAhead(this.#strip)));
    this.#loading.then(() => focusedCard(this.#strip) && this.#type(event)); // unless the focus has left the cards
    return false;
  }

  #deselect(event) {
    if (!this.#strip.selected) return; // Escape closes a dialog around the strip
    this.#strip.deselect();
    event.stopPropagation(); // Bootstrap takes prevented keys, too
    return false;
  }

  /** Selects the active item. Enter also follows the link of a built-in card. */
  #select({ key, target }) {
    this.#strip.select(+this.#active.index, "key");
    const link = key === "Enter" && target.querySelector("a.title[href]");
    if (link) clickLink(link);
  }

  /** Moves by an item, by a page, or to an end. */
  #move(event, direction) {
    const strip = this.#strip;
    const isForward = direction > 0;
    const isEnd = /Home|End/.test(event.key);
    const behavior = event.repeat ? "instant" : "smooth"; // a smooth movement is slower than a repeated key
    const from = this.#updateTabStop();
    const next = strip.axis.nextItem(event, from) ?? strip.loadedItems.filter(({ index }) => direction * (index - from) > 0).at(isForward ? 0 : -1);
    if (next && /^Arrow/.test(event.key)) this.#moveTo(next, behavior);
    else if (isEnd && strip.alignment && !strip.isStale) this.#moveTo({ index: isForward ? strip.meta.count - 1 : 0 }, behavior, strip.alignment);
    else this.#moveToOffset(isEnd ? (isForward ? strip.maxOffset : strip.axis.minOffset) : pageOffset(strip, direction), behavior, isForward);
  }

  /** Moves to an item. While another view loads, an index is one of the next items, so an offset leads to a drawn one. */
  #moveTo(item, behavior, align = "nearest") {
    const strip = this.#strip;
    this.#pendingFocus = () => item.index;
    strip.scrollTo(strip.isStale ? { offset: strip.offsetOf(item, align), behavior } : { index: item.index, align, behavior });
    this.#focus();
  }

  /** Moves to the last item that is wholly in view at an offset, or back to the first one. A strip that snaps comes to rest at another offset. */
  #moveToOffset(offset, behavior, isForward) {
    const strip = this.#strip;
    const isWhole = (item) => Math.abs(strip.offsetOf(item, "nearest") - offset) < 1;
    const indexThere = () => !strip.isWaiting && Math.abs(strip.offset - offset) < 1 && strip.items.filter(isWhole).at(isForward ? -1 : 0)?.index;
    this.#pendingFocus = strip.alignment ? (isSettled) => isSettled && strip.current?.index : indexThere;
    strip.scrollTo({ offset, behavior });
    this.#focus();
  }
}
