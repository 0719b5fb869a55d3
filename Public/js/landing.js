// The way to what is not drawn: asked of the server, in one request that also brings what is seen there.
import { listen } from "./listen.js";
import { MARGIN } from "./stretch.js";

/** Lets `scrollTo` find any index and item; a way that another one follows is given up. */
export function landing(strip, signal) {
  let journey = null;
  listen(strip, "seek", (event) => {
    const { place, target } = event.detail;
    journey?.abort();
    journey = null;
    if (strip.head && target !== undefined) return;
    event.preventDefault();
    const own = (journey = new AbortController());
    event.detail.found = find(strip, place, own.signal).then((offset) => {
      if (journey === own) journey = null;
      else offset = undefined;
      if (offset !== undefined) return strip.scrollTo({ offset, behavior: place.behavior });
    });
  }, signal);
  listen(strip, "rest", (event) => journey && event.preventDefault(), signal);
  listen(signal, "abort", () => journey?.abort());
}

/** The offset of a place, asked again at another revision where the present one is gone; undefined if there is none. */
async function find(strip, { index, item, offset, align = "start", at }, signal) {
  for (;;) {
    if (offset !== undefined && strip.head) return offset;
    const alignment = at === undefined ? { align, offset: strip.offset } : { at };
    const query = { index, item, ...alignment, width: strip.clientWidth, overscan: MARGIN };
    try {
      const answer = offset === undefined && (await strip.window(query, signal));
      if (answer) return answer.offset;
    } catch (error) {
      if (signal.aborted) return undefined;
      strip.tell("error", error);
      if (!isGone(error)) return undefined;
    }
    await new Promise((go) => listen(strip, "reload", go, signal, { once: true }));
  }
}

/** Whether an error says that the revision asked for is not there: replaced since, or of before a restart. */
export function isGone({ status, parameter }) {
  return status === 410 || parameter === "revision";
}
