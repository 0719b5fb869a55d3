// Scroll anchoring: items in view keep their place when a new revision or height is drawn.
import { MARGIN, visibleItems } from "../windows/geometry.js";

/**
 * When the strip reloads, the anchor is an item in view that still exists. The strip scrolls as far as the anchor has
 * moved. Without an anchor, the offset stays.
 */
export function scrollAnchoring(strip, on) {
  on("outdated", ({ detail: revision }) => {
    let searched; // the windows that a search for an anchor is running in
    let isLost;
    strip.renew((windows) => {
      const known = windows.items(-Infinity, Infinity);
      for (const { id, start } of anchors(strip)) {
        const moves = known.filter((item) => item.id === id).map((item) => item.start - start);
        const [least] = moves.sort((one, other) => Math.abs(one) - Math.abs(other)); // a loop has one for each turn
        if (least !== undefined) return strip.offset + least;
      }
      if (isLost) return strip.offset;
      if (searched === windows) return;
      searched = windows;
      requestAnchor(windows, strip).then((found) => {
        searched = null; // if the strip was scrolled since, the search runs again
        isLost = !found;
      }, (error) => strip.tell("error", error));
    }, revision);
    return false;
  });
}

/**
 * Requests the window around the first anchor that still exists, and returns it. If none exists, requests the one at
 * the offset, and returns undefined. The query names the offset only in a loop: then clients share cached answers.
 */
async function requestAnchor(windows, strip) {
  const offset = strip.head?.wrap ? strip.offset : null;
  for (const { id } of anchors(strip)) {
    try {
      return await windows.request({ item: id, offset, width: 1, overscan: MARGIN });
    } catch (error) {
      if (error.parameter !== "item") throw error;
    }
  }
  await windows.request({ offset: strip.offset, width: 1 });
}

/** The items that can be the anchor, the best one first. In a strip that snaps, this is the current one. */
function anchors(strip) {
  const visible = visibleItems(strip);
  return strip.alignment && strip.current ? [strip.current, ...visible] : visible;
}
