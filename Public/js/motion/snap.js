// Snapping: at rest, an item is aligned to the start, the center or the end of the viewport.
import { SNAP_DISTANCE } from "../base/constants.js";
import { zoomOf } from "../base/pixels.js";
import { canBeCurrent } from "../selection/selection.js";
import { minBy, startOffset } from "../windows/geometry.js";
import { currentItem } from "./navigation.js";

/**
 * Aligns an item as the attribute `snap` says: "start", "center" or "end", or "none". With "near" after it, an item far from its
 * aligned place stays where it is. An aligned item stays aligned when the strip is resized or reloaded. With `selection="current"` it
 * becomes the selected one. CSS scroll snapping would follow an element, which shows one item after another here.
 */
export function snap(strip, on) {
  let id; // the id of the aligned item. Undefined before the strip first settles
  let offset; // at which it is aligned
  let staysAligned; // whether it is still aligned when other windows are drawn
  let viewportSize; // when the strip was drawn last
  let wasAligned; // whether the strip stood at `offset` then
  let requestedPlace; // the place of `scrollTo`, if it names an item
  const distance = (item) => Math.abs(strip.offsetOf(item) - strip.offset);
  // With `zoom`, WebKit rounds a scroll position to px of the window, and then to px of the strip: it can stay so far from the exact one.
  const isMisaligned = (item, px = 1) => distance(item) >= px && (zoomOf(strip) === 1 || distance(item) >= px + 1 / zoomOf(strip));

  on("scrollTo", (place) => {
    if ((place.index ?? place.item) != null) requestedPlace = place;
  });
  on("beforeSettle", () => {
    let item = currentItem(strip); // `strip.current` has the index of the first lap
    ({ offset } = strip);
    const isNamed = (one) => one.index === requestedPlace?.index || one.id === requestedPlace?.item;
    item = strip.items.find((one) => isNamed(one) && !isMisaligned(one)) ?? item; // others can be aligned as well at an end
    requestedPlace = null;
    if (!item) return;
    const isFirst = id === undefined;
    id = isMisaligned(item) ? null : item.id;
    const isUnselected = item.id !== strip.selected?.id && strip.selection === "current";
    if (isUnselected && canBeCurrent(strip, item)) strip.select(item.index, isFirst ? "code" : "slide"); // at first, nothing has slid
  });
  on("snap", () => {
    const isNew = id === undefined && !requestedPlace && strip.offset <= startOffset(strip); // it starts with its first item
    const item = (isNew && strip.items.find((one) => one.index >= 0 && canBeCurrent(strip, one))) || strip.current;
    if (!strip.alignment || !item || !isMisaligned(item)) return;
    if (/near/.test(strip.snap) && isMisaligned(item, SNAP_DISTANCE)) return;
    strip.scrollTo({ offset: strip.offsetOf(item), behavior: isNew ? "instant" : "smooth" });
    return true;
  });
  on("willreload", ({ detail }) => {
    const isSame = strip.meta?.strip === detail.strip;
    staysAligned = isSame && strip.offset === offset;
    if (!isSame || !strip.meta.count) id = undefined; // the items of an empty strip are new
    if (!isSame && strip.meta) requestedPlace = null; // it was sought in the former strip
  });
  on("reload", () => {
    if (staysAligned) ({ offset } = strip);
  });
  on("beforeLayout", () => {
    // A browser scrolls a strip that has become wider than its content, and the range has other ends.
    const isAligned = strip.offset === offset || (wasAligned && strip.viewportSize !== viewportSize);
    wasAligned = isAligned;
    viewportSize = strip.viewportSize;
    if (!strip.alignment || !isAligned) return;
    const item = minBy(strip.items.filter((other) => other.id === id), distance); // a narrow loop shows an item more than once
    if (!item) return;
    offset = isMisaligned(item) ? strip.offsetOf(item) : strip.offset;
    if (offset !== strip.offset) strip.scrollTo({ offset });
  });
}
