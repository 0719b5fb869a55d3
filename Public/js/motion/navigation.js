// Navigation: to the next page, and to any item of the strip.
import { MARGIN, alignedOffset, insetFront } from "../windows/geometry.js";
import { existingIDs, isNotFound } from "../windows/server.js";
import { setStep } from "./rest.js";

/**
 * The drawn item that is nearest to its aligned place. At an end of the strip, several items can be: then it is the
 * selected one, or else the one at the end.
 */
export function currentItem(strip) {
  const { items, offset, furthest, selected } = strip;
  const distances = items.map((item) => Math.abs(strip.offsetOf(item) - offset));
  const nearest = items.filter((_, k) => distances[k] === Math.min(...distances));
  return nearest.find(({ id }) => id === selected?.id) ?? nearest.at(offset > Math.max(0, furthest - 1) ? -1 : 0);
}

/** Whether the strip cannot step on, if `direction` is 1, or back, if it is -1. */
export function isAtEnd(strip, direction) {
  const { offset, alignment, current, head: { wrap, count } } = strip;
  const isLast = alignment && !wrap && current?.index === (direction > 0 ? count - 1 : 0);
  return isLast || Math.abs(strip.clamp(offset + direction) - offset) < 1;
}

/** Scrolls smoothly to an offset. */
export function scrollSmoothly(strip, offset) {
  strip.scrollTo({ offset, behavior: "smooth" });
}

/**
 * The offset of the next page if `direction` is 1, of the previous one if it is -1. It counts from where the strip is
 * scrolling to. A page is a viewport, or an item if the attribute `step` is "item". The current item is skipped, unless
 * it is not aligned yet.
 */
export function pageOffset(strip, direction) {
  const { current, goal, alignment = "start" } = strip;
  const align = (item) => strip.offsetOf(item, alignment);
  const aligned = goal === strip.offset && current ? align(current) : goal;
  const isAhead = (px) => Math.min(direction * (px - goal), direction * (px - aligned)) > 1;
  const offsets = strip.step === "item" ? strip.known.map(align).filter(isAhead) : [];
  return offsets.at(direction > 0 ? 0 : -1) ?? strip.clamp(goal + direction * (strip.along - strip.axis.coverOf(current?.group)));
}

/**
 * Lets `scrollTo` reach items that are not drawn. One request returns the offset of the item, and the items around it.
 * Another `scrollTo` aborts the request.
 */
export function findTargets(strip, on) {
  let search;
  on("seek", ({ detail: seek }) => {
    const { place, target } = seek;
    search = search?.abort();
    if (target === undefined && strip.known[0]) {
      const { signal } = (search = new AbortController());
      const found = ({ px, own }) => {
        if (signal.aborted) return;
        search = null;
        if (!correctSelection(strip, place.index, own)) return strip.scrollTo({ offset: px ?? strip.offset, behavior: place.behavior });
      };
      seek.found = new Promise((resolve) => requestUntilFound(strip, place, signal, resolve).then(found).then(resolve));
    } else if (target === undefined || !strip.head || !strip.clientWidth) strip.renew(destinationAt(strip, place));
    else return;
    return false;
  });
  on("reload", () => {
    const item = strip.selected?.id;
    const deselect = (found) => !found.has(item) && strip.selected?.id === item && strip.deselect();
    if (item) existingIDs(strip, [item], strip.head.revision).then(deselect, () => {}); // the new revision may lack it
  });
  return setStep(strip, "resolve", () => !!search);
}

/**
 * A destination for `renew`: the offset of a `place`, as in `scrollTo`. The first request of the new windows is for the
 * place, so that nothing else is drawn before. Without the item, it is the place's `offset`, or the front.
 */
export function destinationAt(strip, place) {
  const { index, item, offset } = place;
  const fallback = offset ?? insetFront(strip);
  let searched; // the windows that were requested
  let target;
  return (windows) => {
    if ((index ?? item) == null) return fallback;
    if (searched === windows || !strip.clientWidth || !strip.mayRequest) return target;
    searched = windows;
    target = undefined;
    const found = ({ px, own }) => {
      if (searched !== windows || correctSelection(strip, index, own)) return;
      target = px ?? fallback;
      strip.requestDraw();
    };
    requestPlace(strip, place, (query) => windows.request(query)).then(found, (error) => {
      if (searched !== windows) return;
      strip.tell("error", error);
      if (isNotFound(error)) found({});
    });
  };
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

/**
 * Finds a place, as `requestPlace`. If there is no such item, returns the place's `offset`. After any other error, and in
 * a hidden strip, calls `onDelay`, and tries again when other windows are drawn.
 */
async function requestUntilFound(strip, place, signal, onDelay) {
  while (!signal.aborted) {
    try {
      const found = await requestPlace(strip, place, (query) => strip.window(query, signal));
      if (found.px !== undefined) return found;
    } catch (error) {
      if (signal.aborted) return {};
      strip.tell("error", error);
      if (isNotFound(error)) return { px: place.offset };
      onDelay();
    }
    if (!strip.clientWidth) onDelay();
    await new Promise((resolve) => {
      strip.addEventListener("reload", resolve, { signal, once: true });
      signal.onabort = resolve;
    });
  }
  return {};
}

/**
 * Requests the window around a place. Returns its offset `px`, undefined if `request` returns no window, and the index
 * `own` of the item if the place has an `index`. This is the nearest one that the strip has, or undefined if it is empty.
 * An unknown item stands for the offset: a 404 would be an error, which browsers log. An item without a size is in no
 * window either, so then it asks whether there is such an item.
 */
async function requestPlace(strip, { index, item, at, align = at == null ? strip.alignment : null }, request) {
  const { inset, along, offset, axis } = strip;
  const answer = await request({ index, clamp: true, item, at, align, offset: offset || null, size: along, overscan: MARGIN });
  let own = index;
  if (index != null && answer && !answer.wrap) own = answer.count ? Math.max(0, Math.min(index, answer.count - 1)) : undefined;
  const shown = at == null && answer?.items.find((one) => one.index === own || one.id === item);
  if (item != null && answer && !answer.items.some(({ id }) => id === item)) {
    const found = await existingIDs(strip, [item], answer.revision);
    if (!found.has(item)) throw Object.assign(new Error(`There is no item "${item}".`), { status: 404, parameter: "item" });
  }
  const cover = axis.coverOf(shown?.group);
  // The server keeps the offset within the strip, without the inset, and knows nothing of the cover.
  return { px: shown && (inset || cover) ? alignedOffset(shown, align, along, offset, cover) : answer?.offset, own };
}

/**
 * Starts at `initial-index` or `initial-item`, or with the inset in view. A strip that was moved in the document has
 * items: it stays where it was.
 */
export function initialPosition(strip) {
  const { initialIndex, initialItem: item, items } = strip;
  const index = initialIndex === null ? null : strip.clampIndex(initialIndex);
  if (!items[0]?.fields) strip.scrollTo({ index, item, offset: insetFront(strip) || undefined });
}
