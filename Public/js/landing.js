// The way to what is not drawn: asked of the server, in one request that also brings what is seen there.
import { behaviours } from "./element.js";
import { MARGIN } from "./stretch.js";

/** Lets `scrollTo` find any index and item; a way that another one follows is given up. */
behaviours.add((strip, on) => {
  let journey;
  on("seek", ({ detail: way }) => {
    const { place, target } = way;
    journey?.abort();
    journey = null;
    if (target === undefined) {
      const { signal } = (journey = new AbortController());
      way.found = find(strip, place, signal).then((offset) => {
        if (signal.aborted) return;
        journey = null;
        return strip.scrollTo({ offset, behavior: place.behavior });
      });
    } else if (!strip.head) strip.renew(() => target);
    else return;
    return false;
  });
  on("rest", () => !journey);
  return () => journey?.abort();
});

/** The offset of an item, asked again at another revision where the present one is gone; undefined if there is none. */
async function find(strip, { index, item, align = "start", at }, signal) {
  for (;;) {
    const { offset, clientWidth: width } = strip;
    const how = { at, align: at === undefined ? align : null, offset, width, overscan: MARGIN };
    try {
      const answer = await strip.window({ index, item, ...how }, signal);
      if (answer) return answer.offset;
    } catch (error) {
      if (signal.aborted) return;
      strip.tell("error", error);
      if (!isGone(error)) return;
    }
    await new Promise((go) => strip.addEventListener("reload", go, { signal, once: true }));
  }
}

/** Whether an error says that the revision asked for is not there: replaced since, or of before a restart. */
export function isGone({ status, parameter }) {
  return status === 410 || parameter === "revision";
}
