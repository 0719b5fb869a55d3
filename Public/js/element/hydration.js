// Pages that a server rendered: React compares the document with what it rendered, and includes can be incomplete.

/** Hides the list that the element added from `firstChild`, by which React finds the nodes to compare. */
export function hydration(strip) {
  const get = () => [...strip.childNodes].find((node) => !node.matches?.("[data-own]")) ?? null;
  Object.defineProperty(strip, "firstChild", { configurable: true, get });
  if (strip.head || !strip.querySelector(":scope > ul > li")) return;
  console.warn("Items without data-window: include the whole format=element.", strip);
}
