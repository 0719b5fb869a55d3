// Type-ahead in a listbox. The keyboard loads it with the first letter. It imports nothing, so that bundles have it apart.

/** The next key press begins another title this long after the last one, in ms. */
const PAUSE = 1000;

/**
 * Returns a function of a key press and the index of the active item. It returns the next loaded item whose title begins
 * with what the reader types, or undefined. The same letter again leads to the next one.
 */
export function typeAhead(strip) {
  let typed = ""; // the beginning of a title
  let typedAt; // in ms
  return ({ key, timeStamp }, active) => {
    const isFirst = !(timeStamp - typedAt < PAUSE);
    if (strip.cardList.role !== "listbox" || (isFirst && key === " ")) return;
    typedAt = timeStamp;
    key = key.toLowerCase();
    if (isFirst || typed !== key) typed = (isFirst ? "" : typed) + key;
    const from = typed === key ? 1 : 0;
    const { loadedItems } = strip;
    const k = loadedItems.findIndex(({ index }) => index === active) + from;
    return [...loadedItems.slice(k), ...loadedItems.slice(0, k)].find(({ fields }) => `${fields?.title ?? ""}`.toLowerCase().startsWith(typed));
  };
}
