// What is in view stays where it is, whatever revision or height comes.
import { MARGIN } from "./stretch.js";

/** So many of the items in view are looked for, one after another: the first that is still there is to stay. */
const MOST = 8;

export function anchors(strip, signal) {
  strip.addEventListener("outdated", (event) => {
    event.preventDefault();
    strip.renew(event.detail, anchored(strip));
  }, { signal });
}

/**
 * Where other windows are to be drawn so that what is in view stays; undefined while they are asked where it is.
 * Later, while the strip may be scrolled on, what both draw tells how far that has moved.
 */
function anchored(strip) {
  const places = placesIn(strip);
  let asked = null;
  let moved;
  return (windows) => {
    if (asked !== windows) {
      asked = windows;
      moved = undefined;
      seek(windows, places).then((px) => (moved = px), (error) => strip.tell("error", error));
    }
    if (moved === undefined) return undefined;
    const [here] = inView(strip);
    const isThere = ({ id, start }) => id === here?.id && Math.abs(start - here.start - moved) < windows.head.extent / 2;
    const there = windows.items(-Infinity, Infinity).find(isThere);
    if (there) moved = there.start - here.start;
    return strip.offset + moved;
  };
}

/** How far the first place that `windows` know has moved, in px. */
async function seek(windows, places) {
  for (const { offset, ...place } of places) {
    try {
      return (await windows.window({ ...place, offset, overscan: MARGIN })).offset - offset;
    } catch (error) {
      if (error.parameter !== "item") throw error;
    }
  }
}

/** Where the items in view stand, as `/window` is asked for them; at last the offset for when none is left. */
function placesIn(strip) {
  const { offset, clientWidth: width } = strip;
  const items = inView(strip).slice(0, MOST);
  return [...items.map(({ id, start }) => ({ item: id, at: start - offset, offset, width })), { offset, width }];
}

/** The items in view, the first one first; but before it the current one, where something snaps. */
function inView({ offset, clientWidth, items, alignment, current }) {
  const found = items.filter(({ start, size }) => start + size > offset && start < offset + clientWidth);
  return alignment && current ? [current, ...found] : found;
}
