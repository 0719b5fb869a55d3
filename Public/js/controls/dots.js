// Position dots.
import { MAX_DOTS } from "../base/constants.js";
import { create } from "../base/dom.js";
import { formatPlace } from "../language/format.js";
import { localize } from "../language/words.js";
import { scrollSmoothly } from "../motion/navigation.js";
import { positionOf } from "../windows/geometry.js";
import { offsetAt, scrollProgress } from "../windows/scroll-progress.js";

/** Creates dots for the pages of a strip, or for its items if `step` is "item". */
export function dots(strip, on) {
  const line = create("div", { part: "dots" });
  let lastTotal;

  localize(strip, on, () => (lastTotal = null));
  on("show", () => {
    const { count, extent } = strip.meta;
    const isByItem = strip.step === "item";
    const total = isByItem ? count : Math.ceil(extent / strip.viewportSize);
    const last = Math.min(MAX_DOTS, total) - 1;

    const dot = (_, k) => {
      const progress = k / (last || 1);
      const index = Math.round(progress * (total - 1));
      const onclick = () => {
        if (isByItem) strip.scrollTo({ index, behavior: "smooth" });
        else scrollSmoothly(strip, offsetAt(strip, progress));
      };
      return create("button", { type: "button", part: "dot", ariaLabel: formatPlace(index + 1, total, strip), onclick });
    };
    if (total !== lastTotal) line.replaceChildren(...Array.from({ length: last + 1 }, dot));
    lastTotal = total;
    const progress = isByItem ? (positionOf(strip.current?.index, count) - 1) / (count - 1 || 1) : scrollProgress(strip);
    [...line.children].forEach((one, k) => (one.ariaCurrent = k === Math.round(progress * last)));
  });
  return line;
}
