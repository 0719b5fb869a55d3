// Snapping: at rest, an item stands at the start, the centre or the end.
import { behaviours } from "./element.js";
import { NEAR } from "./figures.js";
import { glide } from "./paging.js";
import "./properties.js";

/**
 * The attribute `snap`: "start", "center" or "end", with "near" after it if only what nearly stands there is to move;
 * "none" or absent for nowhere. What stands there stays there when the strip gets another size, or another revision.
 * With `selection="current"` that item is then the selected one. Native snapping would follow nodes, which here change
 * their items.
 */
behaviours.add((strip, on) => {
  let id; // of the item that stands at its place
  let offset; // where that is
  let stays; // whether it stands there still
  const isOff = (item, px = 1) => Math.abs(strip.offsetOf(item) - strip.offset) >= px;

  on("settle", ({ detail: item }) => {
    ({ offset } = strip);
    if (!item) return;
    id = isOff(item) ? null : item.id;
    if (item.id !== strip.selected?.id && strip.selection === "current") strip.select(item.index, "slide");
  });
  on("rest", (event) => {
    const { current } = strip;
    if (event.defaultPrevented || !strip.alignment || !current || !isOff(current)) return; // it moves on by itself
    if (/near/.test(strip.snap) && isOff(current, NEAR)) return;
    glide(strip, strip.offsetOf(current));
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
});
