// Snapping: at rest, an item stands at the start, the centre or the end.

/** How far, in px, "near" reaches. */
const NEAR = 48;

/**
 * The attribute `snap`: "start", "center" or "end", with "near" after it if only what nearly stands there is to move;
 * "none" or absent for nowhere. What stands there stays there when the strip gets another size, or another revision.
 * With `selection="current"` that item is then the selected one. Native snapping would follow nodes, which here change
 * their items.
 */
export function snap(strip, signal) {
  let [id, offset, holds] = [null, 0, false]; // the item at rest, and where
  const hear = (type, act) => strip.addEventListener(type, act, { signal });
  const isThere = () => Math.abs(strip.offset - offset) < 1;
  const hold = () => {
    if (!strip.alignment || strip.items.every((item) => item.id !== id)) return;
    strip.scrollTo({ item: id, align: strip.alignment });
    offset = strip.offset;
  };

  hear("settle", ({ detail: item }) => {
    ({ offset } = strip);
    id = item?.id;
    const isOther = id !== undefined && id !== strip.selected?.id;
    if (isOther && strip.getAttribute("selection") === "current") strip.select(item.index, "slide");
  });
  hear("rest", (event) => {
    const { alignment, current } = strip;
    if (!alignment || !current) return;
    const target = strip.offsetOf(current);
    const distance = Math.abs(target - strip.offset);
    if (distance < 1 || (/near/.test(strip.getAttribute("snap")) && distance > NEAR)) return;
    event.preventDefault();
    strip.scrollTo({ offset: target, behavior: "smooth" });
  });
  hear("willreload", ({ detail }) => (holds = strip.head?.strip === detail.strip && isThere()));
  hear("reload", () => holds && queueMicrotask(hold)); // the new items are drawn by then
  const watch = new ResizeObserver(() => isThere() && hold());
  watch.observe(strip);
  signal.addEventListener("abort", () => watch.disconnect());
}
