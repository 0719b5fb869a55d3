// Keyboard access: one card is in the tab order (a roving tabindex), and keys move the focus and select.
import { focusedCard } from "../element/card-pool.js";
import { TYPING_PAUSE } from "../element/constants.js";
import { follow, selectedIndex } from "../element/selection.js";
import { pageOffset } from "../motion/navigation.js";
import { leastOffset, visibleItems } from "../windows/geometry.js";

export const STEP = 1;
export const PAGE = 2;
export const END = 3;
export const SELECT = 4;
export const DESELECT = 5;

const ACTIONS = {
  ...{ ArrowLeft: -STEP, ArrowRight: STEP, PageUp: -PAGE, PageDown: PAGE, Home: -END, End: END },
  ...{ Enter: SELECT, " ": SELECT, Escape: DESELECT },
};

/**
 * Returns the action of a key press, negative if it leads back. Returns 0 or NaN if the strip ignores the key. `sign` is -1 in a
 * strip from right to left, where the left arrow leads on.
 */
export function keyAction(event, sign = 1) {
  if (event.ctrlKey || event.altKey || event.metaKey) return 0;
  return ACTIONS[event.key] * (/^Arrow/.test(event.key) ? sign : 1);
}

export function keyboard(strip, on) {
  let active; // the index of the item that was focused or selected last
  let pending; // returns the index of the item to focus, once it is known
  let typed = ""; // the beginning of a title, in a listbox
  let typedAt; // in ms

  /** The next loaded item whose title begins with what the reader types. The same letter again leads to the next one. */
  const typeAhead = ({ key, timeStamp }) => {
    const isFirst = !(timeStamp - typedAt < TYPING_PAUSE);
    if (strip.cardList.role !== "listbox" || key.length > 1 || (isFirst && key === " ")) return;
    typedAt = timeStamp;
    key = key.toLowerCase();
    if (isFirst || typed !== key) typed = (isFirst ? "" : typed) + key;
    const from = typed === key ? 1 : 0;
    const { known } = strip;
    const k = known.findIndex(({ index }) => index === active) + from;
    return [...known.slice(k), ...known.slice(0, k)].find(({ fields }) => `${fields?.title ?? ""}`.toLowerCase().startsWith(typed));
  };

  /** Puts one card into the tab order: the active one, or the first in view if that is not drawn. Returns its index. */
  const updateTabOrder = () => {
    active = +(focusedCard(strip)?.dataset.index ?? active);
    const drawn = strip.items.find((item) => item.index === active);
    const index = (drawn ?? visibleItems(strip)[0])?.index;
    for (const node of strip.querySelectorAll(":scope > ul > li")) node.tabIndex = +node.dataset.index === index ? 0 : -1;
    return index;
  };

  const focus = (isSettled) => {
    const node = strip.nodeOf(pending?.(isSettled));
    if (!node) return;
    pending = null;
    node.focus({ preventScroll: true });
  };

  const moveTo = ({ index }, behavior) => {
    pending = () => index;
    strip.scrollTo({ index, align: "nearest", behavior });
    focus();
    return false;
  };

  on("keydown", (event) => {
    if (event.defaultPrevented || !strip.head || !event.target.matches("[data-index]")) return; // not in a card's content
    const hasModifier = event.ctrlKey || event.altKey || event.metaKey;
    const found = hasModifier ? undefined : typeAhead(event);
    if (found) return moveTo(found, "smooth");
    const action = strip.axis.step?.(event) ?? keyAction(event, strip.sign);
    const direction = Math.sign(action);
    if (!action) return;
    if (action === DESELECT) {
      if (!strip.selected) return; // a dialog around the strip closes
      strip.deselect();
    } else if (action === SELECT) {
      strip.select(active, "key");
      const link = event.key === "Enter" && event.target.querySelector("a.title[href]");
      if (link) follow(link);
    } else {
      const behavior = event.repeat ? "instant" : "smooth"; // a smooth movement is slower than a repeated key
      const from = updateTabOrder();
      const next = strip.axis.next?.(event, from) ?? strip.known.filter(({ index }) => direction * (index - from) > 0).at(direction > 0 ? 0 : -1);
      const isEnd = action === direction * END;
      if (next && action === direction * STEP) {
        return moveTo(next, behavior);
      } else if (isEnd && strip.alignment) {
        const index = direction > 0 ? strip.head.count - 1 : 0;
        pending = () => index;
        strip.scrollTo({ index, behavior });
      } else {
        const end = direction > 0 ? strip.furthest : leastOffset(strip);
        const offset = isEnd ? end : pageOffset(strip, direction);
        const isWhole = (item) => Math.abs(strip.offsetOf(item, "nearest") - offset) < 1;
        const isThere = () => !strip.isWaiting && Math.abs(strip.offset - offset) < 1;
        const start = strip.offset;
        // A strip that snaps comes to rest at another offset. A rest where it stands is that of the movement before.
        pending = strip.alignment
          ? (isSettled) => isSettled && strip.offset !== start && strip.current?.index
          : () => isThere() && strip.items.filter(isWhole).at(direction > 0 ? -1 : 0)?.index;
        strip.scrollTo({ offset, behavior });
      }
      focus();
    }
    return false;
  });
  on("focusin", updateTabOrder);
  on("focusin", () => (pending = null), document, true); // the reader has gone elsewhere
  on("select", (event) => event.isTrusted && event.stopPropagation(), strip.viewport); // of an <input>
  on("enddisplay", ({ detail: { item, node } }) => {
    if (node !== focusedCard(strip) || strip.items.some(({ id }) => id === item.id)) return;
    const { index } = node.dataset;
    pending = () => Math.min(index, strip.items.at(-1)?.index); // the focused item was removed
  });
  on("select", () => {
    active = selectedIndex(strip) ?? active;
    updateTabOrder();
  });
  on("windowchange settle", ({ type }) => {
    updateTabOrder();
    focus(type === "settle");
  });
  updateTabOrder();
}
