// The view and the position of a strip in the page's address.
import { TYPING_PAUSE } from "../base/constants.js";
import { withOption } from "../base/lifecycle.js";
import { preserveAttributes } from "../base/morphing.js";
import { startOffset, validPlace } from "../windows/geometry.js";
import { firstAnchor } from "../windows/in-view.js";
import { QUERY, VIEW, isSameView, viewOf } from "../windows/view.js";
import { START, anchorsFor } from "./anchors.js";

const PARAMETERS = [...QUERY, "item", "at", "offset", "index"];

/** The parameter of the page's address for the attribute `history="PREFIX"`. */
const parameterOf = (prefix, name) => (prefix && `${prefix}-`) + name;

/** Whether the page's address has a position for the strip. */
export function hasURLPosition(strip) {
  const prefix = strip.option("history");
  const { searchParams } = new URL(location);
  return prefix !== null && ["item", "offset", "index"].some((name) => searchParams.has(parameterOf(prefix, name)));
}

/**
 * With the attribute `history`, the page's address has the view and the position. Reloads, shared links, "back" and
 * "forward" restore them.
 *
 * - A new view is a new entry of the history. While the reader types, a search replaces the entry of the one before it.
 * - The position is the first `item` in view, `at` so many px of the viewport, and the `offset` if there is no such item any more.
 *   At its start, a strip needs none of them.
 * - With `history="NAME"`, the parameters are `NAME-q` and so on. An address without `strip` leaves the page's own view.
 */
export const urlState = withOption("history", (strip, on, prefix) => {
  const parameter = (name) => parameterOf(prefix, name);
  const read = (name) => new URL(location).searchParams.get(parameter(name)) ?? undefined;
  preserveAttributes(strip);
  const pageView = viewOf(strip);
  const inAddress = () => VIEW.map((name, k) => read(name) ?? (read("strip") ? "" : pageView[k]));
  let view = pageView; // that is shown
  let lastChange = 0; // when the view changed last

  const restore = (event) => {
    if ((read("strip") ?? strip.strip) !== strip.strip) return;
    const [index, item, at, offset] = ["index", "item", "at", "offset"].map((name) => read(name) || undefined);
    const place = validPlace({ index, item, at, offset });
    const isShown = isSameView(viewOf(strip), (view = inAddress()));
    view.forEach((value, k) => (value ? strip.setAttribute(VIEW[k], value) : strip.removeAttribute(VIEW[k])));
    const isStart = (index ?? item ?? offset) === undefined;
    if (!isShown) strip.refetch(isStart ? [START] : anchorsFor(place));
    else if (isStart && event) strip.scrollTo({ offset: startOffset(strip) });
    else strip.scrollTo(place);
  };
  const save = (method, ...position) => {
    const address = new URL(location);
    const values = [strip.strip, ...view, ...position];
    PARAMETERS.forEach((name, k) => {
      if ((values[k] ?? "") === "") address.searchParams.delete(parameter(name));
      else address.searchParams.set(parameter(name), values[k]);
    });
    try {
      history[method](method === "pushState" ? null : history.state, "", address);
    } catch {
      // WebKit allows 100 calls in 10 seconds. The next `settle` saves the state.
    }
  };
  on("popstate", restore, window);
  // Before the strip scrolls to its other view: browsers keep how far the page is scrolled for the entry that is left.
  on("willreload", ({ timeStamp }) => {
    const before = view;
    view = viewOf(strip);
    if (isSameView(view, before) || isSameView(view, inAddress())) return;
    const hasPaused = timeStamp - lastChange > TYPING_PAUSE;
    lastChange = timeStamp;
    const isTyping = !hasPaused && VIEW.every((name, k) => (name === "q" ? view[k] && before[k] : view[k] === before[k]));
    save(isTyping ? "replaceState" : "pushState");
  });
  on("settle", () => {
    const { offset } = strip;
    const anchor = firstAnchor(strip, offset);
    const isStart = (strip.initialIndex ?? strip.initialItem) === null && Math.abs(offset - startOffset(strip)) < 1;
    if (isStart) save("replaceState");
    else if (anchor) save("replaceState", anchor.item, anchor.at, offset);
  });
  restore();
});
