// The view and the position of a strip in the page's address.
import { TYPING_PAUSE } from "../base/constants.js";
import { writeURL } from "../base/history.js";
import { preserveAttributes } from "../base/morphing.js";
import { withOption } from "../base/plugin.js";
import { withoutReload } from "../base/without-reload.js";
import { startOffset, validPlace } from "../windows/geometry.js";
import { firstAnchor } from "../windows/in-view.js";
import { QUERY_ATTRIBUTES, VIEW_ATTRIBUTES, isSameView, viewOf } from "../windows/view.js";
import { START, anchorsFor } from "./anchors.js";

const PARAMETERS = [...QUERY_ATTRIBUTES, "item", "at", "offset", "index"];

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
  const state = new URLState(strip, prefix);
  on("popstate", () => state.restore(true), window);
  on("willreload", ({ timeStamp }) => state.saveView(timeStamp)); // before the strip scrolls: browsers keep the scroll position of the page with the entry that is left
  on("settle", () => state.savePosition());
  if (strip.drawnView || !strip.items[0]?.fields) state.restore(false); // a strip that was moved, or got another layout, stays where it was
});

class URLState {
  #strip;
  #prefix;
  #pageView; // the view that the page's own attributes ask for
  #view; // the view that is shown
  #lastChange = 0; // when the view changed last, in ms
  #values; // the values of the parameters, as they were written or read last

  constructor(strip, prefix) {
    [this.#strip, this.#prefix] = [strip, prefix];
    preserveAttributes(strip);
    this.#view = this.#pageView = viewOf(strip);
  }

  /** Shows the view and the position of the address. `isBack`: the reader returns to this entry, or follows a link to another part of the page. */
  restore(isBack) {
    const strip = this.#strip;
    const before = this.#values;
    if ((this.#values = this.#valuesInURL) === before) return; // a link leads to another part of the page: the browser alone scrolls there
    if ((this.#read("strip") ?? strip.strip) !== strip.strip) return;
    const [index, item, at, offset] = ["index", "item", "at", "offset"].map((name) => this.#read(name) || undefined);
    const place = validPlace({ index, item, at, offset });
    const isShown = isSameView(viewOf(strip), (this.#view = this.#viewInURL));
    withoutReload(strip, () => this.#view.forEach((value, k) => (value ? strip.setAttribute(VIEW_ATTRIBUTES[k], value) : strip.removeAttribute(VIEW_ATTRIBUTES[k]))));
    const isStart = (index ?? item ?? offset) === undefined;
    if (!isShown) {
      strip.ariaBusy = isBack || null; // until the other view is drawn
      strip.refetch(isStart ? [START] : anchorsFor(place));
    } else if (isStart && isBack) strip.scrollTo({ offset: startOffset(strip) });
    else strip.scrollTo(place);
  }

  /** Saves a view that is drawn from now on. */
  saveView(now) {
    const before = this.#view;
    const view = (this.#view = viewOf(this.#strip));
    if (isSameView(view, before) || isSameView(view, this.#viewInURL)) return;
    const hasPaused = now - this.#lastChange > TYPING_PAUSE;
    this.#lastChange = now;
    const isTyping = !hasPaused && VIEW_ATTRIBUTES.every((name, k) => (name === "q" ? view[k] && before[k] : view[k] === before[k]));
    this.#write(isTyping ? "replaceState" : "pushState");
  }

  /** Saves where the strip is at rest. */
  savePosition() {
    const { offset, initialIndex, initialItem } = this.#strip;
    const anchor = firstAnchor(this.#strip, offset);
    const isStart = (initialIndex ?? initialItem) === null && Math.abs(offset - startOffset(this.#strip)) < 1;
    if (isStart) this.#write("replaceState");
    else if (anchor) this.#write("replaceState", anchor.item, anchor.at, offset);
  }

  get #viewInURL() {
    return VIEW_ATTRIBUTES.map((name, k) => this.#read(name) ?? (this.#read("strip") ? "" : this.#pageView[k]));
  }

  get #valuesInURL() {
    return JSON.stringify(PARAMETERS.map((name) => this.#read(name)));
  }

  #read(name) {
    return new URL(location).searchParams.get(parameterOf(this.#prefix, name)) ?? undefined;
  }

  /** Writes the strip, the view and a position. */
  #write(method, ...position) {
    const address = new URL(location);
    const values = [this.#strip.strip, ...this.#view, ...position];
    PARAMETERS.forEach((name, k) => {
      const parameter = parameterOf(this.#prefix, name);
      if ((values[k] ?? "") === "") address.searchParams.delete(parameter);
      else address.searchParams.set(parameter, values[k]);
    });
    writeURL(method, address, method === "pushState" ? null : history.state);
    this.#values = this.#valuesInURL;
  }
}
