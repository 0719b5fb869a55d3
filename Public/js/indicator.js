// An indicator that slides under the selected item.
import { switched } from "./switched.js";
import { make } from "./make.js";

/** With the attribute `indicator`: an element that stands where the selected card does, and slides to the next. */
switched("indicator", (strip, on) => {
  const bar = make("div", { part: "indicator" });
  let shown; // id of the item that it stands under
  strip.append(bar);
  const stand = () => {
    const node = strip.nodeOf(strip.selected?.index);
    const id = node?.dataset.id;
    bar.hidden = !node;
    if (node) {
      if (node.style.transform !== bar.style.transform) bar.classList.toggle("sliding", !!shown && id !== shown);
      bar.style.transform = node.style.transform;
      bar.style.width = node.style.width;
    }
    shown = id;
  };
  on("draw", stand);
  return () => bar.remove();
});
