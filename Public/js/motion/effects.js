// Visual effects that follow the scroll position or the selection.
import { create } from "../base/dom.js";
import { withOption } from "../base/plugin.js";
import { selectedIndex } from "../selection/selection.js";

/**
 * With the attribute `effects`, each card has `--progress`: its distance after the center, in its own widths. The style
 * sheet derives `--progress-clamped` from it, limited to -1 ... 1, and `--progress-abs`, the absolute value of `--progress-clamped`.
 */
export const effects = withOption("effects", (strip, on) => {
  on("afterLayout", () => {
    const center = strip.offset + strip.viewportSize / 2;
    for (const { index, start, size } of strip.items) {
      strip.nodeOf(index)?.style.setProperty("--progress", (start + size / 2 - center) / size);
    }
  });
  return () => {
    for (const { style } of strip.cardList.children) style.removeProperty("--progress");
  };
});

/** With the attribute `indicator`, a bar is under the selected card. It slides when another card is selected. */
export const indicator = withOption("indicator", (strip, on) => {
  const bar = create("div", { part: "indicator" });
  let lastId; // of the item that the bar was under
  strip.viewport.append(bar);
  on("afterRender", () => {
    const node = strip.nodeOf(selectedIndex(strip));
    const id = node?.dataset.id;
    bar.hidden = !node;
    if (node) {
      if (node.style.transform !== bar.style.transform) bar.classList.toggle("sliding", !!lastId && id !== lastId);
      bar.style.transform = node.style.transform;
      bar.style.width = node.style.width;
    }
    lastId = id;
  });
  return () => bar.remove();
});
