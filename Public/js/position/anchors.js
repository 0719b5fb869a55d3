// Scroll anchors: places that a strip can show next, as data, and the search for the first one that it has.
import { minBy, startOffset } from "../windows/geometry.js";
import { visibleItems } from "../windows/in-view.js";
import { findAnchor } from "./find-anchor.js";

/**
 * The offset that shows a place. Undefined for an item that is not among the drawn `items`. A loop can show an item more than once:
 * the nearest one counts.
 */
export function targetOf({ index, item, offset, align, at }, strip, items) {
  if ((index ?? item) == null) return offset;
  const copies = items.filter((other) => other.index === index || other.id === item);
  const drawn = minBy(copies, ({ start }) => Math.abs(start - strip.offset));
  if (!drawn) return undefined;
  return at === undefined ? strip.offsetOf(drawn, align) : drawn.start - at;
}

/** The place at which a strip starts. */
export const START = { offset: -Infinity };

/**
 * A search for the first of `anchors` that a strip has, in windows that may not be drawn yet. The best anchor comes first.
 *
 * An anchor is a place, as `scrollTo` takes it. Without `index`, `item` and `offset`, it is the present offset. An item can also have:
 *
 * - `start`, the offset at which it is drawn, and its `index`. The strip scrolls as far as the item has moved: see find-anchor.js.
 * - `at` and `end`, the distances of its start and its end from the start of the viewport. `at` stays the same. If the item would then
 *   be out of view, `end` stays. With `from`, the strip scrolls by the difference of the new offset and `from`, wherever the reader has
 *   scrolled to by then.
 */
export function resolveAnchor(strip, anchors, windows, onFound) {
  const ending = new AbortController();
  const { signal } = ending;
  const [first] = anchors;
  let resolved = (first.index ?? first.item) == null && first;
  let isStarted;
  return {
    /** Searches once, as soon as the strip has a size and may request. Calls `onFound` with the offset. */
    async start() {
      if (resolved || isStarted || !strip.clientWidth || !strip.mayRequest) return;
      isStarted = true;
      try {
        resolved = await findAnchor(anchors, strip, windows, signal);
        if (!signal.aborted) onFound(this.offset);
      } catch (error) {
        if (!signal.aborted) windows.fail(error);
      }
    },

    /** The offset, or undefined until it is found. */
    get offset() {
      if (!resolved) return undefined;
      const { offset, moved = 0 } = resolved;
      return offset === -Infinity ? startOffset(strip) : (offset ?? strip.offset + moved); // counted from the present offset: the reader may have scrolled
    },

    /** Whether the movement that was found is useless: none of the items is in view any more, or the windows have another revision by now. */
    get isStale() {
      return resolved.revision && (resolved.revision !== windows.revision || !visibleItems(strip).some(({ id }) => anchors.some(({ item }) => item === id)));
    },

    end() {
      ending.abort();
    },
  };
}

/** The anchors for a place of `scrollTo`: the place, and what is shown if the strip does not have it. */
export function anchorsFor(place) {
  return [place, place.offset == null ? START : { offset: place.offset }];
}

/** Whether `anchors` count from what is in view. */
export function isRelative([{ start, from = start, index, item, offset }] = [{}]) {
  return from !== undefined || (index ?? item ?? offset) == null;
}
