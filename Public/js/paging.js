// One page, or one item, back and on.
import "./properties.js";

/** Scrolls smoothly to an offset. */
export function glide(strip, offset) {
  strip.scrollTo({ offset, behavior: "smooth" });
}

/**
 * The offset `count` pages, 1 or -1, from where the strip is or is going: a page is a viewport, or an item where its
 * attribute `step` is "item": the one next to the current one, if that stands elsewhere.
 */
export function pageFrom(strip, count) {
  const { current, goal, alignment = "start" } = strip;
  const place = (item) => strip.offsetOf(item, alignment);
  const stands = goal === strip.offset && current ? place(current) : goal;
  const ahead = (px) => Math.min(count * (px - goal), count * (px - stands)) > 1;
  const places = strip.step === "item" ? strip.known.map(place).filter(ahead) : [];
  return places.at(count > 0 ? 0 : -1) ?? strip.clamp(goal + count * strip.clientWidth);
}
