// The position in the address: back, and a shared link, lead to the same item at the same px.
import { behaviours } from "./element.js";
import "./properties.js";
import { inView } from "./stretch.js";
import { switched } from "./switched.js";

/** Begins at `initial-index` or `initial-item`; one that has been drawn was moved in the document, and stays where it is. */
behaviours.add((strip) => {
  const { initialIndex: index, initialItem: item, items } = strip;
  if (!items[0]?.fields) strip.scrollTo({ index, item });
});

/**
 * With the attribute `history`, the page's address says where the strip rests: `item`, `at` (the px of the viewport that
 * it starts at), and `offset` for when that item is gone.
 */
switched("history", (strip, on) => {
  const asked = () => Object.fromEntries(new URL(location).searchParams);
  const go = () => {
    const { strip: name = strip.strip, index, item, at, offset } = asked();
    if (name === strip.strip) strip.scrollTo({ index: index && +index, item, at, offset: offset && +offset });
  };
  const note = () => {
    const { offset } = strip;
    const first = inView(strip)[0];
    if (!first) return;
    const { index, ...others } = asked();
    const told = { ...others, strip: strip.strip, item: first.id, at: first.start - offset, offset };
    const address = new URL(location);
    address.search = new URLSearchParams(told);
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
