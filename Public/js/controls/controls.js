// The controls of a strip: step buttons, a scrubber and position dots.
import { formatPlace, labelOf, positionOf } from "../access/format.js";
import { withWords } from "../access/words.js";
import { MAX_DOTS } from "../element/constants.js";
import { create, setText } from "../element/dom.js";
import { withAttribute } from "../element/lifecycle.js";
import { isAtEnd, pageOffset, scrollSmoothly } from "../motion/navigation.js";
import { offsetAt, scrollProgress } from "../windows/geometry.js";
import { scrubber } from "./scrubber.js";

const PARTS = {
  previous: (strip, on) => stepButton(strip, on, -1, createStep(strip, on, "previous")),
  next: (strip, on) => stepButton(strip, on, 1, createStep(strip, on, "next")),
  scrubber,
  dots,
};

/** Creates a button with an arrow. A child of the strip with the `slot` replaces the arrow. */
function createStep(strip, on, name) {
  const button = create("button", { type: "button" }, create("slot", { name }, create("span", { ariaHidden: true })));
  withWords(strip, on, (words) => (button.ariaLabel = words[name]));
  return button;
}

/**
 * The attribute `controls` names the parts to put below the strip, in order: "previous scrubber next". Children of the
 * strip with the slot `controls` follow. When a step ends, screen readers announce the current item.
 */
export const controls = withAttribute("controls", (strip, on, names) => {
  const status = create("p", { part: "status", role: "status" });
  const parts = names.split(" ").flatMap((name) => PARTS[name]?.(strip, on) ?? []);
  const line = create("div", { part: "controls" }, ...parts, create("slot", { name: "controls" }), status);
  strip.viewport.after(line);
  on("settle", ({ detail: item }) => {
    if (line.querySelector("button:focus")) setText(status, labelOf(item, strip));
  });
  return () => line.remove();
});

/** Makes `button` scroll by a page: on if `direction` is 1, back if it is -1. Marks it as disabled at the end. */
export function stepButton(strip, on, direction, button) {
  button.part = "step";
  on("click", () => scrollSmoothly(strip, pageOffset(strip, direction)), button);
  on("draw", () => {
    button.ariaDisabled = isAtEnd(strip, direction);
  });
  return button;
}

/** Creates dots for the pages of a strip, or for its items if `step` is "item". */
function dots(strip, on) {
  const line = create("div", { part: "dots" });
  let lastTotal;

  withWords(strip, on, () => (lastTotal = null));
  on("draw", () => {
    const { count, extent } = strip.head;
    const isByItem = strip.step === "item";
    const total = isByItem ? count : Math.ceil(extent / strip.along);
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
