// The search for the first anchor that a strip has, which asks the server.
import { MIN_OVERSCAN } from "../base/constants.js";
import { isNotFound } from "../server/retries.js";
import { alignedOffset } from "../windows/geometry.js";

/**
 * The first of `anchors` that the strip has, as {offset} or as {moved, revision}: how far an item has moved at that revision.
 * anchors.js describes them.
 */
export async function findAnchor(anchors, strip, windows, signal) {
  const drawn = anchors.filter(({ start }) => start !== undefined);
  const fallbacks = anchors.slice(drawn.length);
  if (drawn[0]) {
    const front = anchors.at(-1).offset === -Infinity && windows.fetchWindow({ offset: 0, size: windows.tileSize }, signal); // at the same time: it is most likely needed
    const finding = windows.find(drawn.map(({ item }) => item), signal);
    const [foundItems, module] = await Promise.all([finding, import("./scroll-adjustment.js"), front]).catch(() => []); // if one of them fails, the first item is the anchor
    signal.throwIfAborted();
    const movement = await module?.scrollAdjustment(drawn, foundItems, strip, windows, signal);
    if (movement) return movement;
    const [{ item, start }] = drawn;
    if (!module) fallbacks.unshift({ item, at: start - strip.offset }); // its window has it, too
  }
  for (const place of fallbacks) {
    if ((place.index ?? place.item) == null) return place;
    try {
      const offset = await fetchOffset(strip, place, windows, signal);
      return place.from === undefined ? { offset } : { moved: offset - place.from, revision: windows.revision };
    } catch (error) {
      if (signal.aborted || !isNotFound(error)) throw error;
      strip.emit("error", error);
    }
  }
  return {};
}

/**
 * The offset of a place, of which it requests the window. An index stands for the nearest one that the strip has.
 *
 * With `clamp`, the answer to an unknown item is the window at `offset`: browsers would log a 404. No window has an item without a size
 * either, so a second request tells the two apart.
 */
async function fetchOffset(strip, { index, item, at, end, align = at == null ? strip.alignment : null }, windows, signal) {
  const { inset, viewportSize, offset, axis } = strip;
  const size = Math.min(viewportSize, windows.tileSize - 2 * MIN_OVERSCAN); // a strip that has just become longer gets other windows
  const response = await windows.fetchWindow({ index, clamp: true, item, at, align, offset: offset || null, size, overscan: MIN_OVERSCAN }, signal);
  const validIndex = response.wrap ? index : Math.max(0, Math.min(index, response.count - 1));
  const shown = response.items.find((candidate) => (index == null ? candidate.id === item : candidate.index === validIndex));
  if (item != null && !shown && !(await windows.find([item], signal)).has(item)) {
    throw Object.assign(new Error(`No item "${item}"`), { status: 404, parameter: "item" });
  }
  if (!shown) return response.offset;
  const scrollPadding = axis.scrollPaddingOf(shown.group);
  // The server keeps the offset within the strip, without the inset and the rest of the page, and knows nothing of the padding.
  if (at != null) return shown.start - (!end || at + shown.size > scrollPadding + 1 ? at : end - shown.size);
  return inset || scrollPadding ? alignedOffset(shown, align, viewportSize, offset, scrollPadding) : response.offset;
}
