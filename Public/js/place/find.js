// The search for the first place that a strip has, which asks the server.
import { MARGIN, alignedOffset, minBy } from "../windows/geometry.js";
import { isNotFound } from "../windows/server.js";

/**
 * The first of `places` that the strip has, as {offset} or as {moved}: how far an item has moved. search.js describes
 * places.
 */
export async function findPlace(places, strip, windows, signal) {
  const anchors = places.filter(({ start }) => start !== undefined);
  const fallbacks = places.slice(anchors.length);
  if (anchors[0]) {
    const front = places.at(-1).offset === -Infinity && windows.request({ offset: 0, size: windows.poolSize }, signal); // most likely needed
    const finding = windows.find(anchors.map(({ item }) => item), signal).catch(() => null);
    const [found] = await Promise.all([finding, front]);
    signal.throwIfAborted();
    const moved = found && (await movementOf(anchors, found, strip, windows, signal));
    if (Number.isFinite(moved)) return { moved };
    const [{ item, start }] = anchors;
    if (!found) fallbacks.unshift({ item, at: start - strip.offset }); // its window has it, too
  }
  for (const place of fallbacks) {
    if ((place.index ?? place.item) == null) return place;
    try {
      return { offset: await requestPlace(strip, place, windows, signal) };
    } catch (error) {
      if (signal.aborted || !isNotFound(error)) throw error;
      strip.emit("error", error);
    }
  }
  return {};
}

/**
 * The first of the drawn items `anchors` that has stayed where it was among the others: more than half of all moved as far as
 * it, to a viewport's length `viewportSize`. So an item that an edit has moved elsewhere moves no other. If there is none, it is
 * the item whose index changed least. `found` has the new `index` and `start` of items by id.
 */
export function anchorOf(anchors, found, viewportSize) {
  const there = anchors.filter(({ item }) => found.has(item));
  const movement = ({ item, start }) => found.get(item).start - start;
  const agrees = (one, other) => Math.abs(movement(one) - movement(other)) < viewportSize;
  const stayed = there.find((one) => 2 * there.filter((other) => agrees(one, other)).length > there.length);
  return stayed ?? minBy(there, ({ item, index }) => Math.abs(found.get(item).index - index));
}

/**
 * How far the anchor among `anchors` has moved. Undefined without an anchor. In a loop, and with widths that the page
 * measures, only a window has its start.
 */
async function movementOf(anchors, found, strip, windows, signal) {
  const { item, start } = anchorOf(anchors, found, strip.viewportSize) ?? {};
  const isLoop = strip.meta?.wrap || strip.axis.query.wrap;
  if (!item || (!isLoop && !strip.dataSource)) return found.get(item)?.start - start;
  const { items } = await windows.request({ item, offset: isLoop ? strip.offset : null, overscan: MARGIN }, signal);
  return minBy(items.filter(({ id }) => id === item).map((copy) => copy.start - start), Math.abs);
}

/**
 * Requests the window around a place. Returns its offset. An index stands for the nearest one that the strip has. An unknown item
 * stands for the offset: a 404 would be an error, which browsers log. An item without a size is in no window either, so then
 * it asks whether there is such an item.
 */
async function requestPlace(strip, { index, item, at, end, align = at == null ? strip.alignment : null }, windows, signal) {
  const { inset, viewportSize, offset, axis } = strip;
  const size = Math.min(viewportSize, windows.poolSize - 2 * MARGIN); // a strip that has just become longer gets other windows
  const answer = await windows.request({ index, clamp: true, item, at, align, offset: offset || null, size, overscan: MARGIN }, signal);
  const validIndex = answer.wrap ? index : Math.max(0, Math.min(index, answer.count - 1));
  const shown = answer.items.find((one) => (index == null ? one.id === item : one.index === validIndex));
  if (item != null && !shown && !(await windows.find([item], signal)).has(item)) {
    throw Object.assign(new Error(`There is no item "${item}".`), { status: 404, parameter: "item" });
  }
  if (!shown) return answer.offset;
  const scrollPadding = axis.scrollPaddingOf(shown.group);
  // The server keeps the offset within the strip, without the inset and the rest of the page, and knows nothing of the padding.
  if (at != null) return shown.start - (!end || at + shown.size > scrollPadding + 1 ? at : end - shown.size);
  return inset || scrollPadding ? alignedOffset(shown, align, viewportSize, offset, scrollPadding) : answer.offset;
}
