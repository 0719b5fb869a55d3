// One page, or one item, back and on.
import "./properties.js";


/** Scrolls smoothly to an offset. */
export function glide(strip, offset) {
  strip.scrollTo({ offset, behavior: "smooth" });
}

/**
 * The offset `count` pages from here, 1 or -1: a page is a viewport, or an item where the strip's attribute `step` is
 * "item": the one next to the current one, if that stands elsewhere.
 */
export function pageFrom(strip, count) {
  const { offset, items, current, alignment = "start" } = strip;
  const place = (item) => strip.offsetOf(item, alignment);
  const ahead = (px) => count * (px - offset) > 1 && (!current || count * (px - place(current)) > 1);
  const places = strip.step === "item" ? items.map(place).filter(ahead) : [];
  return places.at(count > 0 ? 0 : -1) ?? strip.clamp(offset + count * strip.clientWidth);
}
