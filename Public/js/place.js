// The position in the address: back, and a shared link, lead to the same item at the same px.
import { behaviours } from "./element.js";
import "./properties.js";
import { inView } from "./stretch.js";
import { switched } from "./switched.js";

/** Begins at `initial-index` or `initial-item`. */
behaviours.add((strip) => {
  const { initialIndex: index, initialItem: item } = strip;
  strip.scrollTo({ index, item, align: strip.alignment });
});

/**
 * With the attribute `history`, the page's address says where the strip rests: `item`, `at` (the px of the viewport that
 * it starts at), and `offset` for when that item is gone.
 */
switched("history", (strip, on) => {
  const go = () => {
    const { strip: name = strip.strip, index, item, at, offset } = Object.fromEntries(new URL(location).searchParams);
    const isGone = strip.items[0] && strip.items.every((other) => other.id !== item);
    if (name !== strip.strip) return;
    if (index) strip.scrollTo({ index: +index });
    else if (item && !isGone) strip.scrollTo({ item, at });
    else if (offset) strip.scrollTo({ offset: +offset });
  };
  const note = () => {
    const { offset } = strip;
    const first = inView(strip)[0];
    if (!first) return;
    const address = new URL(location);
    address.searchParams.delete("index");
    const told = { strip: strip.strip, item: first.id, at: first.start - offset, offset };
    for (const [name, value] of Object.entries(told)) address.searchParams.set(name, value);
    try {
      history.replaceState(history.state, "", address);
    } catch {
      // WebKit lets a page do so 100 times in 10 seconds: the next rest says it
    }
  };
  on("popstate", go, window);
  on("settle", note);
  go();
});
