// Snapping: at rest, an item is aligned to the start, the center or the end of the viewport.
import { NEAR } from "../element/constants.js";
import { scrollSmoothly } from "./navigation.js";

/**
 * The attribute `snap`: "start", "center" or "end", or "none". With "near" after it, the strip stays if the item is far
 * from its aligned place. An aligned item stays aligned when the strip is resized or reloaded. With
 * `selection="current"`, the aligned item becomes the selected one. (CSS scroll snapping follows elements. Here an
 * element shows one item after another.)
 */
export function snap(strip, on) {
  let id; // of the aligned item
  let offset; // where it is aligned
  let stays; // whether it is still aligned when other windows are drawn
  const isOff = (item, px = 1) => Math.abs(strip.offsetOf(item) - strip.offset) >= px;

  on("settle", ({ detail: item }) => {
    ({ offset } = strip);
    if (!item) return;
    id = isOff(item) ? null : item.id;
    if (item.id !== strip.selected?.id && strip.selection === "current") strip.select(item.index, "slide");
  });
  on("rest", (event) => {
    const { current } = strip;
    if (event.defaultPrevented || !strip.alignment || !current || !isOff(current)) return;
    if (/near/.test(strip.snap) && isOff(current, NEAR)) return;
    scrollSmoothly(strip, strip.offsetOf(current));
    return false;
  });
  on("willreload", ({ detail }) => (stays = strip.head?.strip === detail.strip && strip.offset === offset));
  on("reload", () => stays && ({ offset } = strip));
  on("draw", () => {
    const item = strip.alignment && strip.offset === offset && strip.items.find((other) => other.id === id);
    if (!item || !isOff(item)) return;
    offset = strip.offsetOf(item);
    strip.scrollTo({ offset });
  });
}
