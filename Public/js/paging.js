// One page, or one item, back and on.

/**
 * Scrolls `strip` by `count` pages, 1 or -1: a viewport each, or an item where its attribute `step` is "item". Returns
 * the offset that this leads to.
 */
export function page(strip, count) {
  const offset = strip.getAttribute("step") === "item" ? neighbour(strip, count) : further(strip, count);
  strip.scrollTo({ offset, behavior: "smooth" });
  return offset;
}

function further(strip, count) {
  return strip.clamp(strip.offset + count * strip.clientWidth);
}

/** Where the item next to the current one stands, if that is elsewhere; past the items drawn, a page on. */
function neighbour(strip, count) {
  const place = (item) => strip.offsetOf(item, strip.alignment ?? "start");
  const places = strip.items.map(place);
  const ends = [strip.offset, strip.current ? place(strip.current) : strip.offset];
  const found =
    count > 0
      ? places.find((other) => other > Math.max(...ends) + 1)
      : places.findLast((other) => other < Math.min(...ends) - 1);
  return found ?? further(strip, count);
}
