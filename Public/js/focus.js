// The keyboard: one card is in the tab order, arrows and the rest move among them.
import { put } from "./card.js";
import { intention } from "./keyboard.js";
import { listen } from "./listen.js";
import { page } from "./paging.js";

/** Gives a strip its keys, until `signal` aborts. */
export function keys(strip, signal) {
  let active; // index of the item that had the focus last, or was selected
  let wish = null; // finds what is to have the focus, once it is drawn or the strip is at rest

  /** Puts one card into the tab order: the active one if it is drawn, else the first in view; returns its index. */
  const mark = () => {
    const { items, offset } = strip;
    const held = strip.getRootNode().activeElement?.closest("[data-index]"); // in a window at the back, too
    active = Number(strip.contains(held) ? held.dataset.index : active);
    const { index } =
      items.find((item) => item.index === active) ?? items.find(({ start }) => start >= offset) ?? items[0] ?? {};
    for (const node of strip.querySelectorAll("li")) put(node, "tabindex", node.dataset.index === `${index}` ? 0 : -1);
    return index;
  };

  const focus = (item) => {
    if (!item) return;
    wish = null;
    active = item.index;
    strip.nodeOf(active).focus({ preventScroll: true });
  };

  /** Focuses the item before or after another, brought into view; over a gap that shows nothing, by pages. */
  const walk = (from, way, behavior) => {
    const { items, offset } = strip;
    const next = way > 0 ? items.find(({ index }) => index > from) : items.findLast(({ index }) => index < from);
    if (next) strip.scrollTo({ index: next.index, align: "nearest", behavior });
    else if (!strip.isWaiting && page(strip, way) === offset) wish = null;
    focus(next);
  };

  /** Focuses the first or the last item that is whole in view. */
  const arrive = (way) => {
    const [from, to] = [strip.offset - 1, strip.offset + strip.clientWidth + 1];
    const whole = strip.items.filter(({ start, size }) => start >= from && start + size <= to);
    focus(whole.at(way > 0 ? -1 : 0));
  };

  listen(strip, "keydown", (event) => {
    const { act, way } = intention(event, strip.sign);
    const { offset } = strip;
    if (act === "select") {
      if (!event.target.matches("[data-index]") || strip.getAttribute("selection") === "none") return;
      strip.select(active, "key");
    } else if (act === "step") {
      const from = mark();
      const behavior = event.repeat ? "instant" : "smooth"; // a key held down is not to outrun a movement
      wish = () => walk(from, way, behavior);
      wish();
    } else if (act) {
      wish = (type) => type === "settle" && arrive(way);
      const end = way > 0 ? strip.furthest : 0;
      if (act === "end") strip.scrollTo({ offset: end });
      if ((act === "end" ? end : page(strip, way)) === offset) arrive(way);
    } else return;
    event.preventDefault();
  }, signal);
  listen(strip, "focusin", mark, signal);
  listen(strip, "select", ({ detail: { index } }) => {
    active = index;
    mark();
  }, signal);
  listen(strip, "windowchange settle", ({ type }) => {
    mark();
    wish?.(type);
  }, signal);
  mark();
}
