// The position in the address: back, and a shared link, lead to the same item at the same px.
import { switched } from "./switched.js";

/** Begins at `initial-index` or `initial-item`. */
export function place(strip, signal) {
  const [index, item] = [strip.getAttribute("initial-index"), strip.getAttribute("initial-item")];
  if (index) strip.scrollTo({ index: Number(index), align: strip.alignment ?? "start" });
  else if (item) strip.scrollTo({ item, align: strip.alignment ?? "start" });
}

/**
 * With the attribute `history`, the page's address says where the strip rests: `item`, `at` (the px of the viewport that
 * it starts at), and `offset` for when that item is gone.
 */
export const memory = switched("history", (strip, signal) => {
  const isOwn = () => [null, strip.getAttribute("strip")].includes(new URL(location).searchParams.get("strip"));
  const go = () => {
    const { item, index, at, offset } = Object.fromEntries(new URL(location).searchParams);
    if (!isOwn()) return;
    if (index !== undefined) strip.scrollTo({ index: Number(index) });
    else if (item !== undefined && strip.items.every(({ id }) => id !== item) && strip.items.length) {
      if (offset !== undefined) strip.scrollTo({ offset: Number(offset) });
    } else if (item !== undefined) strip.scrollTo({ item, at: Number(at ?? 0) });
    else if (offset !== undefined) strip.scrollTo({ offset: Number(offset) });
  };
  const note = () => {
    const { offset, items } = strip;
    const first = items.find(({ start, size }) => start + size > offset);
    if (!first) return;
    const address = new URL(location);
    address.searchParams.delete("index");
    const told = { strip: strip.getAttribute("strip"), item: first.id, at: first.start - offset, offset };
    for (const [name, value] of Object.entries(told)) address.searchParams.set(name, value);
    history.replaceState(history.state, "", address);
  };
  addEventListener("popstate", go, { signal });
  strip.addEventListener("settle", note, { signal });
  go();
});
