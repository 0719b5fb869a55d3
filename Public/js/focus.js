// The keyboard: one card is in the tab order, arrows and the rest move among them.
import { focusedIn } from "./card.js";
import { behaviours } from "./element.js";
import { END, SELECT, STEP, intention } from "./keyboard.js";
import { pageFrom } from "./paging.js";
import { inView } from "./stretch.js";

/** Gives a strip its keys. */
behaviours.add((strip, on) => {
  let active; // index of the item that had the focus last, or was selected
  let wish; // tells the index of the item that is to have the focus, once that is known
  /** Puts one card into the tab order: the active one if it is drawn, else the first in view; returns its index. */
  const mark = () => {
    active = +(focusedIn(strip)?.dataset.index ?? active);
    const known = strip.items.find((item) => item.index === active);
    const index = (known ?? inView(strip)[0])?.index;
    for (const node of strip.querySelectorAll("li")) node.tabIndex = +node.dataset.index === index ? 0 : -1;
    return index;
  };

  const focus = () => {
    const node = strip.nodeOf(wish?.());
    if (!node) return;
    wish = null;
    node.focus({ preventScroll: true });
  };

  on("keydown", (event) => {
    const asked = intention(event, strip.sign);
    const way = Math.sign(asked);
    if (!asked || event.defaultPrevented || !event.target.matches("[data-index]")) return; // what is in a card has its own
    if (asked === SELECT) strip.select(active, "key");
    else {
      const behavior = event.repeat ? "instant" : "smooth"; // a key held down is not to outrun a movement
      const from = mark();
      const next = strip.known.filter(({ index }) => way * (index - from) > 0).at(way > 0 ? 0 : -1);
      if (next && asked === way * STEP) {
        wish = () => next.index;
        strip.scrollTo({ index: next.index, align: "nearest", behavior });
      } else {
        const offset = asked === way * END ? (way > 0 ? strip.furthest : 0) : pageFrom(strip, way);
        const isWhole = (item) => Math.abs(strip.offsetOf(item, "nearest") - offset) < 1;
        wish = () => !strip.isWaiting && Math.abs(strip.offset - offset) < 1 && strip.items.filter(isWhole).at(way > 0 ? -1 : 0)?.index;
        strip.scrollTo({ offset, behavior });
      }
      focus();
    }
    return false;
  });
  on("focusin", mark);
  on("select", ({ detail }) => {
    active = detail.index;
    mark();
  });
  on("windowchange settle", () => {
    mark();
    focus();
  });
  mark();
});
