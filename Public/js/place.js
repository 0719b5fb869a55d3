// The position in the address: back, and a shared link, lead to the same item at the same px.
import { listen } from "./listen.js";
import { switched } from "./switched.js";

/** Begins at `initial-index` or `initial-item`. */
export function place(strip) {
  const [index, item] = [strip.getAttribute("initial-index"), strip.getAttribute("initial-item")];
  if (index ?? item) strip.scrollTo({ index: index ? Number(index) : undefined, item, align: strip.alignment });
}

/**
 * With the attribute `history`, the page's address says where the strip rests: `item`, `at` (the px of the viewport that
 * it starts at), and `offset` for when that item is gone.
 */
export const memory = switched("history", (strip, signal) => {
  const go = () => {
    const own = strip.getAttribute("strip");
    const { strip: name = own, index, item, at, offset } = Object.fromEntries(new URL(location).searchParams);
    const isGone = strip.items.length > 0 && strip.items.every(({ id }) => id !== item);
    if (name !== own) return;
    if (index) strip.scrollTo({ index: Number(index) });
    else if (item && !isGone) strip.scrollTo({ item, at: Number(at ?? 0) });
    else if (offset) strip.scrollTo({ offset: Number(offset) });
  };
  const note = () => {
    const { offset, items } = strip;
    const first = items.find(({ start, size }) => start + size > offset);
    if (!first) return;
    const address = new URL(location);
    address.searchParams.delete("index");
    const told = { strip: strip.getAttribute("strip"), item: first.id, at: first.start - offset, offset };
    for (const [name, value] of Object.entries(told)) address.searchParams.set(name, value);
    try {
      history.replaceState(history.state, "", address);
    } catch {
      // WebKit lets a page do so 100 times in 10 seconds: the next rest says it
    }
  };
  listen(window, "popstate", go, signal);
  listen(strip, "settle", note, signal);
  go();
});
