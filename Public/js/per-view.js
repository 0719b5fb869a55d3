// So many cards in view, at any width: the style sheet says how many, by breakpoint.
import { behaviours } from "./element.js";
import "./properties.js";

/**
 * With `--per-view: 2.3` in its style, a strip whose items have one aspect is as high as lets so many stand in view. The
 * height is a whole px, so that readers share windows.
 */
behaviours.add((strip, on) => {
  let fitted; // the width of the strip that it was fitted to
  on("draw", () => {
    const { clientWidth, items: [one, next], head } = strip;
    if (!next || clientWidth === fitted) return;
    fitted = clientWidth;
    const count = +getComputedStyle(strip).getPropertyValue("--per-view");
    const gap = next.start - one.start - one.size;
    const size = (clientWidth - gap * (Math.ceil(count) - 1)) / count;
    const height = Math.round((size * head.height) / one.size);
    if (count > 0 && height !== head.height) strip.height = height;
  });
});
