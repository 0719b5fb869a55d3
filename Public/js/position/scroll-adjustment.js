// How far the anchor of a strip has moved: the item that stays in place when another revision or view is drawn.
// find-anchor.js loads this module on demand. It imports nothing, so that it is one file.

/**
 * The one of `anchors` that stays in place when the strip changes. `foundItems` has the new `index` and `start` of items, by id.
 *
 * It is a vote: the first item whose movement agrees, to within `viewportSize` px, with that of more than half of them. An item that an
 * edit puts elsewhere is outvoted. Without a majority, it is the item whose index changed least.
 */
export function anchorOf(anchors, foundItems, viewportSize) {
  const remaining = anchors.filter(({ item }) => foundItems.has(item));
  const movement = ({ item, start }) => foundItems.get(item).start - start;
  const agrees = (one, other) => Math.abs(movement(one) - movement(other)) < viewportSize;
  const stayed = remaining.find((one) => 2 * remaining.filter((other) => agrees(one, other)).length > remaining.length);
  const moves = ({ item, index }) => Math.abs(foundItems.get(item).index - index);
  return stayed ?? remaining.toSorted((one, other) => moves(one) - moves(other))[0];
}

/**
 * How many px the anchor among `anchors` has moved at the revision of `foundItems`, as {moved, revision}. Undefined without an anchor.
 * Costs a request in a loop, and with widths that the page measures: only a window has the start of an item there.
 */
export async function scrollAdjustment(anchors, foundItems, strip, windows, signal) {
  const { item, start } = anchorOf(anchors, foundItems, strip.viewportSize) ?? {};
  const isLoop = strip.meta?.wrap || strip.axis.query.wrap;
  const { revision } = foundItems;
  if (!item) return undefined;
  if (!isLoop && !strip.dataSource) return { moved: foundItems.get(item).start - start, revision };
  const { items } = await windows.fetchWindow({ item, offset: isLoop ? strip.offset : null }, signal);
  const moves = items.filter(({ id }) => id === item).map((copy) => copy.start - start);
  const [moved] = moves.sort((one, other) => Math.abs(one) - Math.abs(other));
  return moved === undefined ? undefined : { moved, revision };
}
