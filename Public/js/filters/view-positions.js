// The places of a strip in views that the reader returns to, as by a filter that is set and cleared.
import { firstAnchor } from "../windows/in-view.js";
import { isSameView, viewOf } from "../windows/view.js";

const followed = new WeakSet();

const isSameOrder = ([list, , , sort], [otherList, , , otherSort]) => list === otherList && sort === otherSort;

/**
 * Keeps the place in each view that a strip leaves. If it gets such a view again before the reader scrolls, it returns there. A
 * selected item, an aligned one and another order have their own places: see scroll-anchoring.js.
 */
export function restoreViewPositions(strip) {
  if (followed.has(strip)) return;
  followed.add(strip);
  let positions = []; // the places in the views that were left, the last one last: {view, item, at, offset}
  let current; // the view that is drawn
  let initialOffset; // the offset at which that view was drawn first
  let name; // of the strip
  strip.addEventListener("reload", () => {
    const { drawnView = [], offset, meta } = strip; // no `meta`: a strip in a card has reloaded
    if (meta?.strip !== name) positions = [];
    name = meta?.strip;
    if (!current || !isSameView(current, drawnView)) [current, initialOffset] = [drawnView, offset];
  });
  strip.addEventListener("beforereload", (event) => {
    const { drawnView, offset, selected, alignment } = strip;
    const view = viewOf(strip);
    if (event.target !== strip || event.defaultPrevented || !drawnView || isSameView(view, drawnView)) return;
    const hasOwnPlace = selected || alignment;
    if (hasOwnPlace || !isSameOrder(view, drawnView) || Math.abs(initialOffset - offset) >= 1) positions = [];
    const k = positions.findIndex((one) => isSameView(one.view, view));
    const anchor = firstAnchor(strip, offset);
    if (k < 0) return anchor && positions.push({ view: drawnView, ...anchor, offset });
    const [place] = positions.splice(k);
    event.preventDefault();
    strip.ariaBusy = true;
    strip.refetch([{ item: place.item, at: place.at }, { offset: place.offset }], event.detail ?? undefined);
  });
}
