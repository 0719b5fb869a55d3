// The keyboard: one card is in the tab order, arrows and the rest move among them.
import { focusedIn } from "./card.js";
import { behaviours } from "./element.js";
import { PAGE, SELECT, STEP, intention } from "./keyboard.js";
import { glide, pageFrom } from "./paging.js";

/** Gives a strip its keys. */
behaviours.add((strip, on) => {
  let active; // index of the item that had the focus last, or was selected
  let wish; // finds what is to have the focus, once it is drawn or the strip is at rest

  /** Puts one card into the tab order: the active one if it is drawn, else the first in view; returns its index. */
  const mark = () => {
    const { items } = strip;
    active = +(focusedIn(strip)?.dataset.index ?? active);
    const known = items.find((item) => item.index === active);
    const index = (known ?? items.find((item) => item.start >= strip.offset) ?? items[0])?.index;
    for (const node of strip.querySelectorAll("li")) node.tabIndex = +node.dataset.index === index ? 0 : -1;
    return index;
  };

  const focus = (item) => {
    if (!item) return;
    wish = null;
    strip.nodeOf(item.index).focus({ preventScroll: true });
  };

  /** Focuses the first or the last item that is whole in view. */
  const arrive = (way) => {
    const from = strip.offset - 1;
    const to = from + strip.clientWidth + 2;
    wish = null;
    focus(strip.items.filter(({ start, size }) => start >= from && start + size <= to).at(way > 0 ? -1 : 0));
  };

  const go = (offset, way) => {
    if (offset === strip.offset) arrive(way);
    glide(strip, offset);
  };

  on("keydown", (event) => {
    const asked = intention(event, strip.sign);
    const way = Math.sign(asked);
    if (!asked || (asked === SELECT && !event.target.matches("[data-index]"))) return;
    if (asked === SELECT) strip.select(active, "key");
    else if (asked === way * STEP) {
      const from = mark();
      const behavior = event.repeat ? "instant" : "smooth"; // a key held down is not to outrun a movement
      wish = () => {
        const next = strip.items.filter((item) => way * (item.index - from) > 0).at(way > 0 ? 0 : -1);
        if (next) strip.scrollTo({ index: next.index, align: "nearest", behavior });
        else if (!strip.isWaiting) go(pageFrom(strip, way), way); // over a gap that shows nothing
        focus(next);
      };
      wish();
    } else {
      wish = (type) => type === "settle" && arrive(way);
      go(asked === way * PAGE ? pageFrom(strip, way) : way > 0 ? strip.furthest : 0, way);
    }
    return false;
  });
  on("focusin", mark);
  on("select", (event) => {
    active = event.detail.index;
    mark();
  });
  on("windowchange settle", (event) => {
    mark();
    wish?.(event.type);
  });
  mark();
});
