// So many cards in view, at any width: the style sheet says how many, by breakpoint.
import { whenDrawn } from "./listen.js";

/**
 * With `--per-view: 2.3` in its style, a strip whose items have one aspect is as high as lets so many stand in view. The
 * height is a whole px, so that readers share windows.
 */
export function perView(strip, signal) {
  let fitted; // the width of the strip that it was fitted to
  whenDrawn(strip, () => {
    const { clientWidth, items: [one, next], head } = strip;
    if (!next || clientWidth === fitted) return;
    fitted = clientWidth;
    const count = Number(getComputedStyle(strip).getPropertyValue("--per-view"));
    const gap = next.start - one.start - one.size;
    const size = (clientWidth - gap * (Math.ceil(count) - 1)) / count;
    const height = Math.max(16, Math.round((size * head.height) / one.size));
    if (count > 0 && height !== head.height) strip.setAttribute("height", height);
  }, signal);
}
