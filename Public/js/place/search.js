// Places of a strip, as data, and the search for the offset of the first one that the strip has.
import { MARGIN, alignedOffset, frontOf, nearest, visibleItems } from "../windows/geometry.js";
import { findItems, isNotFound } from "../windows/server.js";

/** The place at which a strip starts. */
export const FRONT = { offset: -Infinity };

/**
 * Searches `places` in the order of preference, in windows that may not be drawn yet. A place is what `scrollTo` takes.
 * Without `index`, `item` and `offset`, it is the present offset. An item can also have one of these:
 *
 * - `start`, where it is drawn, and its `index`: the strip scrolls as far as the item has moved. See `anchorOf`.
 * - `end` beside `at`, where its end is in the viewport: the end stays if the item would be out of view at `at`.
 */
export function search(strip, places, windows, onFound) {
  const ending = new AbortController();
  const { signal } = ending;
  let found = isItem(places[0]) ? undefined : places[0];
  let isStarted;
  return {
    /** Searches once, as soon as the strip has a size and may request. Calls `onFound` with the offset. */
    async start() {
      if (found || isStarted || !strip.clientWidth || !strip.mayRequest) return;
      isStarted = true;
      try {
        found = await findPlace(places, strip, windows, signal);
        if (!signal.aborted) onFound(this.offset);
      } catch (error) {
        if (!signal.aborted) strip.tell("error", error);
      }
    },

    /** The offset, or undefined until it is found. */
    get offset() {
      if (!found) return undefined;
      const { offset, moved = 0 } = found;
      return offset === -Infinity ? frontOf(strip) : (offset ?? strip.offset + moved); // the reader may have scrolled since
    },

    /** Whether the reader has scrolled so far that all items that were to keep their place are out of view. */
    get isOutdated() {
      return found?.moved !== undefined && !visibleItems(strip).some(({ id }) => places.some(({ item }) => item === id));
    },

    end() {
      ending.abort();
    },
  };
}

/** The places for `renew` of a place of `scrollTo`. */
export function placesFor(place) {
  return [place, place.offset == null ? FRONT : { offset: place.offset }];
}

/**
 * The first item in view of a strip that stands at `offset`, at its place, or else the offset. The item counts only if the
 * strip has other sizes when it is shown again.
 */
export function placesInView({ items, axis }, offset) {
  const first = items.find(({ start, size, group }) => start + size > offset + axis.coverOf(group) + 1);
  if (!first) return [{ offset }];
  const { id, start, size } = first;
  return [{ item: id, at: start - offset, end: start + size - offset, within: true }, { offset }];
}

/** Whether `places` count from what is in view. */
export function isRelative([{ start, index, item, offset }] = [{}]) {
  return start !== undefined || (index ?? item ?? offset) == null;
}

const isItem = ({ index, item }) => (index ?? item) != null;

/** The first of `places` that the strip has, as {offset} or as {moved}: how far an item has moved. */
async function findPlace(places, strip, windows, signal) {
  const kept = places.filter(({ start }) => start !== undefined);
  const others = places.slice(kept.length);
  if (kept[0]) {
    const front = places.at(-1) === FRONT && windows.request({ offset: 0, size: windows.pool }, signal); // most likely needed
    const finding = windows.find(kept.map(({ item }) => item), signal).catch(() => null);
    const [found] = await Promise.all([finding, front]);
    const anchor = found && anchorOf(kept, found, strip.along);
    const moved = anchor && (await movementOf(anchor, found.get(anchor.item), strip, windows, signal));
    if (Number.isFinite(moved)) return { moved };
    const [{ item, start }] = kept;
    if (!found) others.unshift({ item, at: start - strip.offset }); // its window has it, too
  }
  for (const place of others) {
    if (!isItem(place)) return place;
    try {
      const { offset, own } = await requestPlace(strip, place, windows, signal);
      if (!signal.aborted && offset !== undefined && !correctSelection(strip, place.index, own)) return { offset };
    } catch (error) {
      if (signal.aborted || !isNotFound(error)) throw error;
      strip.tell("error", error);
    }
  }
  return {};
}

/**
 * The first of the drawn items `kept` that has stayed where it was among the others: more than half of all moved as far as
 * it, to a viewport's length `along`. So an item that an edit has moved elsewhere takes nobody along. If there is none, it
 * is the item whose index changed least. `found` has the new `index` and `start` of items by id.
 */
export function anchorOf(kept, found, along) {
  const there = kept.filter(({ item }) => found.has(item));
  const movement = ({ item, start }) => found.get(item).start - start;
  const agrees = (one, other) => Math.abs(movement(one) - movement(other)) < along;
  const stayed = there.find((one) => 2 * there.filter((other) => agrees(one, other)).length > there.length);
  return stayed ?? nearest(there, ({ item, index }) => Math.abs(found.get(item).index - index));
}

/** How far an item has moved. In a loop, and with widths that the page measures, only a window has its start. */
async function movementOf({ item, start }, found, strip, windows, signal) {
  const isLoop = strip.head?.wrap || strip.axis.query.wrap;
  if (!isLoop && !strip.source) return found.start - start;
  const { items } = await windows.request({ item, offset: isLoop ? strip.offset : null, overscan: MARGIN }, signal);
  return nearest(items.filter(({ id }) => id === item).map((copy) => copy.start - start), Math.abs);
}

/**
 * Requests the window around a place. Returns its offset, and the index `own` of the item if the place has an `index`. This
 * is the nearest one that the strip has, or undefined if it is empty. An unknown item stands for the offset: a 404 would be
 * an error, which browsers log. An item without a size is in no window either, so then it asks whether there is such an item.
 */
async function requestPlace(strip, { index, item, at, end, align = at == null ? strip.alignment : null }, windows, signal) {
  const { inset, along, offset, axis } = strip;
  const answer = await windows.request({ index, clamp: true, item, at, align, offset: offset || null, size: along, overscan: MARGIN }, signal);
  let own = index;
  if (index != null && !answer.wrap) own = answer.count ? Math.max(0, Math.min(index, answer.count - 1)) : undefined;
  const shown = answer.items.find((one) => one.index === own || one.id === item);
  if (item != null && !shown && !(await windows.find([item], signal)).has(item)) {
    throw Object.assign(new Error(`There is no item "${item}".`), { status: 404, parameter: "item" });
  }
  if (!shown) return { offset: answer.offset, own };
  const cover = axis.coverOf(shown.group);
  if (end !== undefined) return { offset: shown.start - (at + shown.size > cover + 1 ? at : end - shown.size), own };
  // The server keeps the offset within the strip, without the inset, and knows nothing of the cover.
  return { offset: at == null && (inset || cover) ? alignedOffset(shown, align, along, offset, cover) : answer.offset, own };
}

/**
 * Corrects the selection of an `index` that the strip does not have. `own` is the last item, or undefined if there is none.
 * Selects the last item and returns true, or ends the selection.
 */
function correctSelection(strip, index, own) {
  const { selected } = strip;
  if (own === index || selected?.index !== index) return false;
  if (own === undefined) strip.deselect();
  else strip.select(own, selected.origin);
  return own !== undefined;
}
