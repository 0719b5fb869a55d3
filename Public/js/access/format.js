// Texts about items: their position in the strip, and labels for screen readers.

/** The position of an index among `count` items, from 1. A strip that wraps has the same positions in every turn. */
export function positionOf(index, count) {
  return (((index % count) + count) % count) + 1;
}

/** A number with separators: "1,000,000". */
export function formatNumber(number) {
  return number.toLocaleString("en");
}

/** "7 of 50" */
export function formatPosition(index, count) {
  return `${formatNumber(positionOf(index, count))} of ${formatNumber(count)}`;
}

/** "Blue, Joni Mitchell, 7 of 50". It has the position because screen readers ignore `aria-posinset` in some lists. */
export function labelOf({ index, id, fields }, count) {
  return [fields?.title ?? id, fields?.subtitle, formatPosition(index, count)].filter((word) => word).join(", ");
}
