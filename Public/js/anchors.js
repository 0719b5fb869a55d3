// What is in view stays where it is, whatever revision or height comes.
import { listen } from "./listen.js";
import { MARGIN } from "./stretch.js";

/** So many of the items in view are looked for, one after another: the first that is still there is to stay. */
const MOST = 8;

export function anchors(strip, signal) {
  listen(strip, "outdated", (event) => {
    event.preventDefault();
    strip.renew(anchored(strip));
  }, signal);
}

/**
 * Where other windows are to be drawn so that what is in view stays: as far from here as they have moved what both
 * know. Undefined while they are asked for it; where they have nothing of it, what is in view goes.
 */
function anchored(strip) {
  let asked; // the windows that are, until they answer; asked again where the strip was scrolled away meanwhile
  let isLost = false;
  return (windows) => {
    const known = windows.items(-Infinity, Infinity);
    for (const { id, start } of inView(strip)) {
      const moves = known.filter((item) => item.id === id).map((item) => item.start - start);
      moves.sort((one, other) => Math.abs(one) - Math.abs(other)); // in a strip that wraps, each turn has one
      if (moves.length) return strip.offset + moves[0];
    }
    if (isLost) return strip.offset;
    if (asked !== windows) {
      asked = windows;
      seek(windows, strip).then((found) => ([isLost, asked] = [!found, null]), (error) => strip.tell("error", error));
    }
    return undefined;
  };
}

/** Asks for what is around the first item in view that the windows know, else around the offset; whether there is one. */
async function seek(windows, strip) {
  const { offset } = strip;
  for (const { id: item } of inView(strip).slice(0, MOST)) {
    try {
      return await windows.window({ item, offset, width: 1, overscan: MARGIN });
    } catch (error) {
      if (error.parameter !== "item") throw error;
    }
  }
  await windows.window({ offset, width: 1, overscan: MARGIN });
}

/** The items in view, the first one first; but before it the current one, where something snaps. */
function inView({ offset, clientWidth, items, alignment, current }) {
  const found = items.filter(({ start, size }) => start + size > offset && start < offset + clientWidth);
  return alignment && current ? [current, ...found] : found;
}
