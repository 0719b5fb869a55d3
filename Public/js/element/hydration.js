// Pages that a server rendered.

/** Warns of an incomplete include. */
export function hydration(strip) {
  if (strip.head || !strip.querySelector(":scope > ul > li")) return;
  console.warn("Items without data-window: include the whole format=element.", strip);
}
