// An indicator that slides under the selected item.
import { listen, whenDrawn } from "./listen.js";
import { make } from "./make.js";
import { switched } from "./switched.js";

/** With the attribute `indicator`: an element that stands where the selected card does, and slides to the next. */
export const indicator = switched("indicator", (strip, signal) => {
  const bar = make("div", { part: "indicator", hidden: true, ariaHidden: "true" });
  strip.append(bar);
  const stand = () => {
    const { selected } = strip;
    const node = selected && strip.nodeOf(selected.index);
    const slides = !bar.hidden && (bar.dataset.id !== node?.dataset.id || bar.getAnimations().length > 0);
    bar.hidden = !node;
    if (!node) return;
    const { transform, width } = node.style;
    bar.classList.toggle("sliding", slides);
    bar.dataset.id = node.dataset.id;
    Object.assign(bar.style, { transform, width });
  };
  listen(signal, "abort", () => bar.remove());
  whenDrawn(strip, stand, signal);
});
