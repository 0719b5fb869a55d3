// The way to what is not drawn: asked of the server, in one request that also brings what is seen there.
import { behaviours } from "./element.js";
import { MARGIN } from "./stretch.js";

/** Lets `scrollTo` find any index and item; a way that another one follows is given up. */
behaviours.add((strip, on) => {
  let journey;
  on("seek", ({ detail: way }) => {
    journey = journey?.abort();
    if (way.target === undefined) {
      const { signal } = (journey = new AbortController());
      way.found = find(strip, way.place, signal).then((offset) => {
        if (signal.aborted) return;
        journey = null;
        if (offset !== undefined) return strip.scrollTo({ offset, behavior: way.place.behavior });
        if (strip.selected?.index === way.place.index) strip.deselect();
      });
    } else if (!strip.head) strip.renew(() => way.target);
    else return;
    return false;
  });
  on("rest", () => !journey);
  on("reload", () => {
    const item = strip.selected?.id;
    const forget = (error) => isMissing(error) && strip.selected?.id === item && strip.deselect();
    if (item) strip.window({ item, width: 1 }).catch(forget);
  });
});

/** The offset of an item; if there is none, the one beside it. It is asked again at the next revision that comes where this one fails. */
async function find(strip, { index, item, at, align = at == null ? strip.alignment : null, offset }, signal) {
  for (;;) {
    const view = { offset: strip.offset, width: strip.clientWidth, overscan: MARGIN };
    try {
      const answer = await strip.window({ index, item, at, align, ...view }, signal);
      if (answer) return answer.offset;
    } catch (error) {
      if (signal.aborted) return;
      strip.tell("error", error);
      if (isMissing(error)) return offset;
    }
    await new Promise((go) => strip.addEventListener("reload", go, { signal, once: true }));
  }
}

/** Whether an error says that there is no such place. */
export function isMissing(error) {
  return /^[ai]/.test(error.parameter); // index, item, align, at
}

/** Whether an error says that the revision asked for is not there: replaced since, or of before a restart. */
export function isGone(error) {
  return error.status === 410 || error.parameter === "revision";
}
