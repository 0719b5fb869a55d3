// Position dots.
import { MAX_DOTS } from "../base/constants.js";
import { create } from "../base/dom.js";
import { formatPosition } from "../language/format.js";
import { localize } from "../language/messages.js";
import { scrollSmoothly } from "../motion/navigation.js";
import { offsetAt, scrollProgress } from "../motion/scroll-progress.js";

/** Creates dots for the pages of a strip, or for its items if `step` is "item". */
export function dots(strip, on) {
  const line = create("div", { part: "dots" });
  let lastKey;

  localize(strip, on, () => (lastKey = null));
  on("afterRender", () => {
    const { count, wrap } = strip.meta;
    const isByItem = strip.step === "item";
    const total = isByItem ? count : Math.ceil(strip.meta.extent / strip.viewportSize);
    const length = Math.min(MAX_DOTS, total);
    const end = +!wrap; // the last dot is at the end, or a step before the next lap
    const key = `${total} ${end}`;

    const dot = (_, k) => {
      const progress = k / (length - end || 1);
      const index = Math.round(progress * (total - end));
      const onclick = () => {
        const lap = strip.current?.lap ?? 0; // without items yet, none is current
        if (isByItem) strip.scrollTo({ index: index + lap * count, behavior: "smooth" });
        else scrollSmoothly(strip, offsetAt(strip, progress) + lap * strip.meta.extent); // an edit can change it
      };
      return create("button", { type: "button", part: "dot", ariaLabel: formatPosition(index, total, strip), onclick });
    };
    if (key !== lastKey) line.replaceChildren(...Array.from({ length }, dot));
    lastKey = key;
    const progress = isByItem ? strip.current?.index / (count - end || 1) : scrollProgress(strip);
    [...line.children].forEach((button, k) => (button.ariaCurrent = k === Math.round(progress * (length - end)) % length));
  });
  return line;
}
