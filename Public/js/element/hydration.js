// Hydration: React compares the document with what it rendered, and fails on nodes that it did not render.

/** Hides the list that the element added from `firstChild`, by which React finds the nodes to compare. */
export function hydration(strip) {
  const get = () => [...strip.childNodes].find((node) => !node.matches?.("[data-own]")) ?? null;
  Object.defineProperty(strip, "firstChild", { configurable: true, get });
}
