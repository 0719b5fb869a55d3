// Keyboard access: one card is in the tab order (a roving tabindex), and keys move the focus and select.
import { focusedCard } from "../cards/card-pool.js";
import { pageOffset } from "../motion/navigation.js";
import { clickLink, selections } from "../selection/selection.js";
import { visibleItems } from "../windows/in-view.js";
import { retryUntilLoaded } from "../windows/server.js";

/** The directions of keys: -1 leads back. */
const DIRECTIONS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1, Home: -1, End: 1 };

export function keyboard(strip, on) {
  let active; // the item that was focused or selected last: its id and index
  let pendingFocus; // returns the index of the item to focus, once it is known
  let loading; // a promise of `findTyped`
  let findTyped; // finds the item whose title the reader types: see type-ahead.js

  /** Puts one card into the tab order: the active one, or the first in view if that is not drawn. Returns its index. */
  const updateTabOrder = () => {
    active = { ...(focusedCard(strip)?.dataset ?? active) };
    const copies = strip.items.filter(({ id }) => id === active.id); // a loop can show an item twice, and an edit can move it
    const drawn = copies.find(({ index }) => index === +active.index) ?? copies[0];
    active = drawn ?? active;
    const { index } = drawn ?? visibleItems(strip)[0] ?? {};
    for (const node of strip.cardList.children) node.tabIndex = +node.dataset.index === index ? 0 : -1;
    return index;
  };

  const focus = (isSettled) => {
    const node = pendingFocus && strip.nodeOf(pendingFocus(isSettled));
    if (!node) return;
    pendingFocus = null;
    node.focus({ preventScroll: true });
  };

  /** Moves to an item. While another view loads, an index is one of the next items, so an offset leads to a drawn one. */
  const moveTo = (item, behavior, align = "nearest") => {
    pendingFocus = () => item.index;
    strip.scrollTo(strip.isStale ? { offset: strip.offsetOf(item, align), behavior } : { index: item.index, align, behavior });
    focus();
    return false;
  };

  /** Moves to the item whose title the reader types. Returns whether there is one. */
  const type = (event) => {
    if (event.key.length > 1) return false;
    const match = findTyped?.(event, +active.index);
    if (match) moveTo(match, "smooth");
    if (findTyped || event.key === " ") return !!match;
    loading ??= retryUntilLoaded(() => import("./type-ahead.js")).then(({ typeAhead }) => (findTyped = typeAhead(strip)));
    loading.then(() => focusedCard(strip) && type(event)); // unless the focus has left the cards
    return false;
  };

  on("keydown", (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!strip.meta || !target.matches("[data-index]")) return; // not in a card's content
    if (type(event)) return false;
    const isArrow = /^Arrow/.test(key);
    const direction = strip.axis.step(event) ?? DIRECTIONS[key] * (isArrow ? strip.direction : 1); // from right to left, the left arrow leads on
    if (key === "Escape") {
      if (!strip.selected) return; // a dialog around the strip closes
      strip.deselect();
      event.stopPropagation(); // Bootstrap takes prevented keys, too
    } else if (key === "Enter" || key === " ") {
      strip.select(+active.index, "key");
      const link = key === "Enter" && target.querySelector("a.title[href]");
      if (link) clickLink(link);
    } else if (direction) {
      const behavior = event.repeat ? "instant" : "smooth"; // a smooth movement is slower than a repeated key
      const from = updateTabOrder();
      const next = strip.axis.next(event, from) ?? strip.loadedItems.filter(({ index }) => direction * (index - from) > 0).at(direction > 0 ? 0 : -1);
      const isEnd = key === "Home" || key === "End";
      if (next && isArrow) return moveTo(next, behavior);
      if (isEnd && strip.alignment && !strip.isStale) return moveTo({ index: direction > 0 ? strip.meta.count - 1 : 0 }, behavior, strip.alignment);
      const offset = isEnd ? (direction > 0 ? strip.maxOffset : strip.axis.minOffset) : pageOffset(strip, direction);
      const isWhole = (item) => Math.abs(strip.offsetOf(item, "nearest") - offset) < 1;
      // A strip that snaps comes to rest at another offset.
      pendingFocus = strip.alignment
        ? (isSettled) => isSettled && strip.current?.index
        : () => !strip.isWaiting && Math.abs(strip.offset - offset) < 1 && strip.items.filter(isWhole).at(direction > 0 ? -1 : 0)?.index;
      strip.scrollTo({ offset, behavior });
      focus();
    } else return;
    return false;
  });
  on("focusin", updateTabOrder);
  on("focusin pointerdown", () => (pendingFocus = null), document, true); // the focus is where the reader put it
  on("select", (event) => {
    if (event.isTrusted) event.stopPropagation(); // it is about text in an <input>
  }, strip.viewport);
  on("enddisplay", ({ detail: { item, node } }) => {
    if (node !== focusedCard(strip) || strip.items.some(({ id }) => id === item.id)) return;
    const { index } = node.dataset;
    pendingFocus = () => Math.min(index, strip.items.at(-1)?.index); // the focused item was removed
  });
  on("select", () => {
    active = selections.get(strip) ?? active;
    updateTabOrder();
  });
  on("afterRender", (hasChanged) => {
    if (hasChanged) updateTabOrder(); // the last px of a movement change no cards
    focus();
  });
  on("settle", () => {
    updateTabOrder();
    focus(true);
  });
  updateTabOrder();
}
