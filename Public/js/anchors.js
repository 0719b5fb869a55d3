// What is in view stays where it is, whatever revision or height comes.
import { behaviours } from "./element.js";
import { MARGIN, inView } from "./stretch.js";

/**
 * Other windows are drawn so that what is in view stays: as far from here as they have moved what both know. Where they
 * have nothing of it, when they were asked, what is in view goes.
 */
behaviours.add((strip, on) => {
  on("outdated", ({ detail: revision }) => {
    let asked; // the windows that are, until they answer: again, where the strip was scrolled away meanwhile
    let isLost;
    strip.renew((windows) => {
      const known = windows.items(-Infinity, Infinity);
      for (const { id, start } of candidates(strip)) {
        const moves = known.filter((item) => item.id === id).map((item) => item.start - start);
        const [least] = moves.sort((one, other) => Math.abs(one) - Math.abs(other)); // each turn of a loop has one
        if (least !== undefined) return strip.offset + least;
      }
      if (isLost) return strip.offset;
      if (asked === windows) return;
      asked = windows;
      seek(windows, strip).then((found) => {
        asked = null;
        isLost = !found;
      }, (error) => strip.tell("error", error));
    }, revision);
    return false;
  });
});

/**
 * Asks for what is around the first item in view that the windows know, else around the offset; whether there is one.
 * Readers of the same item ask the same, unless they go round: then the offset says which turn.
 */
async function seek(windows, strip) {
  const offset = strip.head?.wrap ? strip.offset : null;
  for (const { id } of candidates(strip)) {
    try {
      return await windows.window({ item: id, offset, width: 1, overscan: MARGIN });
    } catch (error) {
      if (error.parameter !== "item") throw error;
    }
  }
  await windows.window({ offset: strip.offset, width: 1 });
}

/** The items in view, the first one first; but before it the current one, where something snaps. */
function candidates(strip) {
  const seen = inView(strip);
  return strip.alignment && strip.current ? [strip.current, ...seen] : seen;
}
