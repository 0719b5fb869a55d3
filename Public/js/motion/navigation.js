// Navigation: the current item, and the way to the next page.
import { canBeCurrent } from "../selection/selection.js";

/**
 * The current item: the drawn one that is nearest to its aligned place, of those that can be current. At an end of the strip
 * several are as near. Then it is the selected one, or else the one at the end.
 */
export function currentItem(strip) {
  const { offset, maxOffset, selected } = strip;
  const items = strip.items.filter((item) => canBeCurrent(strip, item));
  const distances = items.map((item) => Math.abs(strip.offsetOf(item) - offset));
  const closest = items.filter((_, k) => distances[k] === Math.min(...distances));
  return closest.find(({ id }) => id === selected?.id) ?? closest.at(offset > Math.max(0, maxOffset - 1) ? -1 : 0);
}

/** Whether the strip cannot step on, if `direction` is 1, or back, if it is -1. */
export function isAtEnd(strip, direction) {
  const { offset, alignment, current, meta: { wrap, count } } = strip;
  const isLast = alignment && !wrap && current?.index === (direction > 0 ? count - 1 : 0);
  return isLast || Math.abs(strip.clamp(offset + direction) - offset) < 1;
}

/** Scrolls smoothly to an offset. */
export function scrollSmoothly(strip, offset) {
  strip.scrollTo({ offset, behavior: "smooth" });
}

/**
 * The offset of the next page if `direction` is 1, of the previous one if it is -1, counted from where the strip is scrolling to. A
 * page is a viewport, or with `step="item"` the next item, which is the current one if that is not aligned yet.
 */
export function pageOffset(strip, direction) {
  const { current, scrollTarget, alignment = "start" } = strip;
  const align = (item) => strip.offsetOf(item, alignment);
  const aligned = scrollTarget === strip.offset && current ? align(current) : scrollTarget;
  const isAhead = (px) => Math.min(direction * (px - scrollTarget), direction * (px - aligned)) > 1;
  const offsets = strip.step === "item" ? strip.loadedItems.filter((item) => canBeCurrent(strip, item)).map(align).filter(isAhead) : [];
  return offsets.at(direction > 0 ? 0 : -1) ?? strip.clamp(scrollTarget + direction * (strip.viewportSize - strip.axis.scrollPaddingOf(current?.group)));
}
