// Position dots: where a strip stands among its pages or its items.
import { placeOf } from "./labels.js";
import { listen, whenDrawn } from "./listen.js";
import { make } from "./make.js";
import { goTo, progress } from "./progress.js";

/** So many at most: a long strip has its dots at even places. */
const MOST = 9;

/** Dots for the pages of a strip, or for its items where it steps by those; returns their line. */
export function dots(strip, signal) {
  const line = make("div", { part: "dots", role: "group", ariaLabel: "Position" });
  const byItems = () => strip.getAttribute("step") === "item";
  let [total, last] = [0, 0];
  const place = (k) => Math.round((k / (last || 1)) * (total - 1));
  listen(line, "click", ({ target }) => {
    const k = [...line.children].indexOf(target);
    if (k < 0) return;
    if (byItems()) strip.scrollTo({ index: place(k), align: strip.alignment, behavior: "smooth" });
    else goTo(strip, k / (last || 1), "smooth");
  });
  whenDrawn(strip, () => {
    const { count, extent } = strip.head;
    total = byItems() ? count : Math.ceil(extent / strip.clientWidth);
    last = Math.min(MOST, total) - 1;
    if (line.childElementCount !== last + 1) {
      line.replaceChildren(...Array.from({ length: last + 1 }, () => make("button", { part: "dot", type: "button" })));
    }
    const share = byItems() ? (placeOf(strip.current?.index ?? 0, count) - 1) / (count - 1 || 1) : progress(strip);
    [...line.children].forEach((dot, k) => {
      dot.ariaLabel = `${place(k) + 1} of ${total}`;
      dot.ariaCurrent = String(k === Math.round(share * last));
    });
  }, signal);
  return line;
}
