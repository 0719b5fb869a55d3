// Position dots: where a strip stands among its pages or its items.
import { placeOf } from "./labels.js";
import { whenDrawn } from "./listen.js";
import { make } from "./make.js";
import { goTo, progress } from "./progress.js";

/** So many at most: a long strip has its dots at even places. */
const MOST = 9;

/** Dots for the pages of a strip, or for its items where it steps by those; returns their line. */
export function dots(strip, signal) {
  const line = make("div", { part: "dots", role: "group", ariaLabel: "Position" });
  let told; // of how many

  const dot = (share, total) => {
    const index = Math.round(share * (total - 1));
    const go = () => {
      if (strip.getAttribute("step") !== "item") goTo(strip, share, "smooth");
      else strip.scrollTo({ index, align: strip.alignment, behavior: "smooth" });
    };
    return make("button", { part: "dot", type: "button", ariaLabel: `${index + 1} of ${total}`, onclick: go });
  };

  whenDrawn(strip, () => {
    const { count, extent } = strip.head;
    const isByItems = strip.getAttribute("step") === "item";
    const total = isByItems ? count : Math.ceil(extent / strip.clientWidth);
    const last = Math.min(MOST, total) - 1;
    if (total !== told) {
      line.replaceChildren(...Array.from({ length: last + 1 }, (_, k) => dot(k / (last || 1), total)));
    }
    told = total;
    const share = isByItems ? (placeOf(strip.current?.index ?? 0, count) - 1) / (count - 1 || 1) : progress(strip);
    [...line.children].forEach((one, k) => (one.ariaCurrent = k === Math.round(share * last)));
  }, signal);
  return line;
}
