// Places of a strip, as data, and the search for the offset of the first one that the strip has.
import { frontOf, minBy, visibleItems } from "../windows/geometry.js";
import { VIEW } from "../windows/server.js";
import { findPlace } from "./find.js";

/** The attributes that are parameters of `/window`. */
export const QUERY = ["strip", ...VIEW];

/** The view that the attributes of a strip ask for, in the order of `VIEW`. `strip.drawnView` is that of the items it shows. */
export const viewOf = (strip) => VIEW.map((name) => strip.option(name) ?? "");
export const isSameView = (one, other) => one.join("\n") === other.join("\n");

/** The offset that shows a place. Undefined for an item that is not among the drawn `items`. A loop can show an item more than once: the nearest one counts. */
export function targetOf({ index, item, offset, align, at }, strip, items) {
  if ((index ?? item) == null) return offset;
  const copies = items.filter((other) => other.index === index || other.id === item);
  const drawn = minBy(copies, ({ start }) => Math.abs(start - strip.offset));
  if (!drawn) return undefined;
  return at === undefined ? strip.offsetOf(drawn, align) : drawn.start - at;
}

/** The place at which a strip starts. */
export const FRONT = { offset: -Infinity };

/**
 * Searches `places` in the order of preference, in windows that may not be drawn yet. A place is what `scrollTo` takes.
 * Without `index`, `item` and `offset`, it is the present offset. An item can also have one of these:
 *
 * - `start`, where it is drawn, and its `index`: the strip scrolls as far as the item has moved. See find.js.
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
        if (!signal.aborted) strip.emit("error", error);
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

/** The places for `refetch` of a place of `scrollTo`. */
export function placesFor(place) {
  return [place, place.offset == null ? FRONT : { offset: place.offset }];
}

/** Whether `places` count from what is in view. */
export function isRelative([{ start, index, item, offset }] = [{}]) {
  return start !== undefined || (index ?? item ?? offset) == null;
}

const isItem = ({ index, item }) => (index ?? item) != null;
