// Two strips of the same items, such as a main strip and its thumbnails.
import { withOption } from "../base/plugin.js";

/**
 * The attribute `for` has the id of another strip of the same items: a main strip, if this one has its thumbnails. An
 * item that is selected in one of them is selected in the other.
 */
export const pairing = withOption("for", (strip, on, id) => {
  const root = strip.getRootNode();
  const pair = (to, item) => {
    if (!item || !to?.select) return;
    const { index } = item;
    const { current, meta, selected } = to;
    if (selected?.id === item.id || selected?.index === index) return; // another view can have another item there
    const isLoop = meta?.wrap && current; // its nearest copy is selected
    to.select(isLoop ? index + meta.count * (current.lap + Math.round((current.index - index) / meta.count)) : index);
  };
  const main = () => root.getElementById(id);
  on("select", ({ target, detail }) => {
    if (target === strip) pair(main(), detail);
    else if (target === main()) pair(strip, detail);
  }, root);
  pair(strip, main()?.selected);
});
