// Snapping: at rest, an item stands at the start, the centre or the end.

/** How far, in px, "near" reaches. */
export const NEAR = 48;

/**
 * The attribute `snap`: "start", "center" or "end", with "near" after it if only what nearly stands there is to move;
 * "none" or absent for nowhere. With `selection="current"` that item is then the selected one. Native snapping would follow nodes, which here change their items.
 */
export function snap(strip, signal) {
  strip.addEventListener("settle", ({ detail: item }) => {
    const isOther = item && item.id !== strip.selected?.id;
    if (isOther && strip.getAttribute("selection") === "current") strip.select(item.index, "slide");
  }, { signal });
  strip.addEventListener("rest", (event) => {
    const { alignment, current } = strip;
    if (!alignment || !current) return;
    const target = strip.offsetOf(current);
    const distance = Math.abs(target - strip.offset);
    if (distance < 1 || (/near/.test(strip.getAttribute("snap")) && distance > NEAR)) return;
    event.preventDefault();
    strip.scrollTo({ offset: target, behavior: "smooth" });
  }, { signal });
}
