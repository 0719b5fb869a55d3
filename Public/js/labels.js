// What is said of a card to those who do not see the strip: its words, and which of how many it is.

/** The place from 1 that an index has among `count` items, in whatever turn of a strip that wraps. */
export function placeOf(index, count) {
  return (((index % count) + count) % count) + 1;
}

/** "Blue, Joni Mitchell, 7 of 50": screen readers leave out `aria-posinset` on some lists. */
export function labelOf({ index, id, fields }, count) {
  const place = `${placeOf(index, count).toLocaleString("en")} of ${count.toLocaleString("en")}`;
  return [fields?.title ?? id, fields?.subtitle, place].filter((word) => word).join(", ");
}
