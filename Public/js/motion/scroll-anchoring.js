// Scroll anchoring: items in view keep their place when a new revision or height is drawn.
import { MARGIN, frontOf, nearest, visibleItems } from "../windows/geometry.js";
import { VIEW, existingIDs } from "../windows/server.js";

/**
 * When the strip reloads, the anchor is an item in view that still exists. The strip scrolls as far as the anchor has
 * moved. Without an anchor, the offset stays.
 *
 * In another view, the only anchor is the selected item in view, or else the current one. If the new view lacks it, the
 * strip starts at the front. A strip that stands at the front stays there, unless an item is selected and the order is
 * the same. The strip has `aria-busy` until the other view is drawn.
 */
export function scrollAnchoring(strip, on) {
  const viewOf = () => VIEW.map((name) => strip.getAttribute(name));
  let drawn; // the view
  on("reload", () => (drawn = viewOf()));
  on("reload error", () => (strip.ariaBusy = null));
  on("outdated", ({ detail: revision }) => {
    if (!drawn) return; // the initial position stays
    const view = viewOf();
    const isOther = view.join("\n") !== drawn.join("\n");
    const front = isOther ? frontOf(strip) : undefined;
    let searched; // the windows that a search for an anchor is running in
    let isLost = strip.offset < front + 1 && (!strip.selected || view[3] !== drawn[3]);
    strip.ariaBusy = isOther || null;
    strip.renew((windows) => {
      const known = windows.items(-Infinity, Infinity);
      for (const { id, start } of isLost ? [] : anchors(strip, isOther)) {
        const moves = known.filter((item) => item.id === id).map((item) => item.start - start);
        const least = nearest(moves, Math.abs); // a loop has one for each turn
        if (least !== undefined) return strip.offset + least;
      }
      if (isLost) return front ?? strip.offset;
      if (searched === windows) return;
      searched = windows;
      const search = isOther ? requestCurrent(windows, strip) : requestAnchor(windows, strip, revision);
      search.then((found) => {
        searched = null; // if the strip was scrolled since, the search runs again
        isLost = !found;
        strip.requestDraw();
      }, (error) => strip.tell("error", error));
    }, revision);
    return false;
  });
}

/**
 * Requests the window around the anchor, and returns it, if the new view has the item. Deselects an item that the new
 * view lacks. It first asks which of the ids the view has. The window at the front, which the strip needs without the
 * anchor, is requested at the same time. If the question fails, it is asked once more when the view is ready. If it fails
 * again, the window around the anchor has the answer.
 */
async function requestCurrent(windows, strip) {
  const { selected } = strip;
  const [anchor] = anchors(strip, true);
  const ids = [...new Set([selected?.id, anchor?.id].filter((id) => id))];
  if (!ids.length) return;
  const ask = () => existingIDs(strip, ids).catch(() => null);
  const probe = ask();
  await windows.request({ offset: 0, size: windows.pool }); // of a wrong view, this has the error
  const found = (await probe) ?? (await ask());
  if (!found) return anchor && requestAnchor(windows, strip, null, [anchor]);
  if (selected && !found.has(selected.id)) strip.deselect();
  return anchor && found.has(anchor.id) && requestAnchor(windows, strip, null, [anchor]);
}

/**
 * Requests the window around the first anchor that still exists, and returns it. If none exists, requests the one at
 * the offset, and returns undefined. Asks which of them exist before a new `revision`, and after a missing one. The query
 * names the offset only in a loop: then clients share cached answers.
 */
async function requestAnchor(windows, strip, revision, items = anchors(strip)) {
  const offset = strip.head?.wrap ? strip.offset : null;
  let isSure = revision == null;
  let ids = items.map(({ id }) => id);
  while (ids.length) {
    if (!isSure) {
      const found = await existingIDs(strip, ids, revision);
      ids = ids.filter((id) => found.has(id));
    }
    if (!ids.length) break;
    try {
      return await windows.request({ item: ids.shift(), offset, overscan: MARGIN });
    } catch (error) {
      if (error.parameter !== "item") throw error;
      isSure = false;
    }
  }
  await windows.request({ offset: strip.offset });
}

/** The items that can be the anchor, the best one first. In a strip that snaps, and in another view, this is the current one. */
function anchors(strip, isOther) {
  const visible = visibleItems(strip);
  const { current, selected, alignment } = strip;
  if (isOther) return [visible.find(({ id }) => id === selected?.id) ?? current].filter((item) => item);
  return alignment && current ? [current, ...visible] : visible;
}
