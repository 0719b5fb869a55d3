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

    const update = (button, k) => {
      const progress = k / (length - end || 1);
      const index = Math.round(progress * (total - end));
      const onclick = () => {
        const lap = strip.current?.lap ?? 0; // no item is current until one is loaded
        if (isByItem) strip.scrollTo({ index: index + lap * count, behavior: "smooth" });
        else scrollSmoothly(strip, offsetAt(strip, progress) + lap * strip.meta.extent); // read at the click: an edit can change the extent
      };
      Object.assign(button, { ariaLabel: formatPosition(index, total, strip), onclick });
    };
    while (line.children.length < length) line.append(create("button", { type: "button", part: "dot" }));
    for (const button of [...line.children].slice(length)) button.remove(); // the others stay: one can have the focus
    if (key !== lastKey) [...line.children].forEach(update);
    lastKey = key;
    const progress = isByItem ? strip.current?.index / (count - end || 1) : scrollProgress(strip);
    [...line.children].forEach((button, k) => (button.ariaCurrent = k === Math.round(progress * (length - end)) % length));
  });
  return line;
}
