// So many cards in view, at any width: the style sheet says how many, by breakpoint.
import { behaviours } from "./element.js";
import "./properties.js";

/**
 * With `--per-view: 2.3` in its style, a strip whose items have one aspect is as high as lets so many stand in view. The
 * height is a whole px, the one below, so that readers share windows and no card is cut.
 */
behaviours.add((strip, on) => {
  let fitted; // a card and its gap, in px, as it was fitted last
  on("draw", () => {
    const { clientWidth, items: [one, next], head } = strip;
    const count = +getComputedStyle(strip).getPropertyValue("--per-view");
    if (!next || !count || fitted === clientWidth / count) return;
    fitted = clientWidth / count;
    const gap = next.start - one.start - one.size;
    const size = (clientWidth - gap * (Math.ceil(count) - 1)) / count;
    const height = Math.floor((size * head.height) / one.size);
    strip.height = height;
  });
});
