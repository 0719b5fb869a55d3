// Snapping: at rest, an item stands at the start, the centre or the end.
import { listen } from "./listen.js";

/** How far, in px, "near" reaches. */
const NEAR = 48;

/**
 * The attribute `snap`: "start", "center" or "end", with "near" after it if only what nearly stands there is to move;
 * "none" or absent for nowhere. What stands there stays there when the strip gets another size, or another revision.
 * With `selection="current"` that item is then the selected one. Native snapping would follow nodes, which here change
 * their items.
 */
export function snap(strip, signal) {
  let [id, offset, stays] = [null, 0, false]; // the item that stands at its place, and where; whether it does so still
  const hear = (types, act) => listen(strip, types, act, signal);
  const isOff = (item, px) => Math.abs(strip.offsetOf(item) - strip.offset) >= px;

  hear("settle", ({ detail: item }) => {
    ({ offset } = strip);
    if (!item) return;
    id = isOff(item, 1) ? null : item.id;
    const isOther = item.id !== strip.selected?.id;
    if (isOther && strip.getAttribute("selection") === "current") strip.select(item.index, "slide");
  });
  hear("rest", (event) => {
    const { alignment, current } = strip;
    if (!alignment || !current || !isOff(current, 1)) return;
    if (/near/.test(strip.getAttribute("snap")) && isOff(current, NEAR)) return;
    event.preventDefault();
    strip.scrollTo({ offset: strip.offsetOf(current), behavior: "smooth" });
  });
  hear("willreload", ({ detail }) => (stays = strip.head?.strip === detail.strip && strip.offset === offset));
  hear("reload", () => stays && ({ offset } = strip));
  hear("draw", () => {
    const item = strip.alignment && strip.offset === offset && strip.items.find((other) => other.id === id);
    if (!item || !isOff(item, 1)) return;
    offset = strip.offsetOf(item);
    strip.scrollTo({ offset });
  });
}
