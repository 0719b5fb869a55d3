// Two strips of the same items, such as a main strip and its thumbnails.
import { withOption } from "../base/lifecycle.js";
import { positionOf } from "../windows/geometry.js";

/**
 * The attribute `for` has the id of another strip of the same items: a main strip, if this one has its thumbnails. An
 * item that is selected in one of them is selected in the other.
 */
export const pairing = withOption("for", (strip, on, id) => {
  const root = strip.getRootNode();
  const pair = (from, to, item) => {
    if (!item || !to?.select || to.selected?.id === item.id) return;
    const index = positionOf(item.index, from.meta.count) - 1;
    if (to.selected?.index !== index) to.select(index); // another view can have another item there
  };
  const main = () => root.getElementById(id);
  on("select", ({ target, detail }) => {
    if (target === strip) pair(strip, main(), detail);
    else if (target === main()) pair(target, strip, detail);
  }, root);
  pair(main(), strip, main()?.selected);
});
