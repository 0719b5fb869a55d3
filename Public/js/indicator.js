// An indicator that slides under the selected item.
import { make } from "./make.js";
import { switched } from "./switched.js";

/** With the attribute `indicator`: an element that stands where the selected card does, and slides to the next. */
switched("indicator", (strip, on) => {
  const bar = make("div", { part: "indicator" });
  let shown; // id of the item that it stands under
  strip.append(bar);
  const stand = () => {
    const node = strip.selected && strip.nodeOf(strip.selected.index);
    const id = node?.dataset.id;
    bar.hidden = !node;
    if (node) {
      const { transform, width } = node.style;
      if (transform !== bar.style.transform) bar.classList.toggle("sliding", !!shown && id !== shown);
      Object.assign(bar.style, { transform, width });
    }
    shown = id;
  };
  on("draw", stand);
  return () => bar.remove();
});
