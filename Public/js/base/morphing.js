// What the reader has chosen, in a page that Turbo refreshes by morphing.

/** The attributes that filters, the address and pinching set. */
const NAMES = ["list", "where", "q", "sort", "layout", "columns", "column", "row"];

const preserved = new WeakSet();

/**
 * Keeps the attributes of a strip from now on when Turbo morphs the page: the server does not know what the reader has chosen, and
 * its page has other values. An attribute that the server itself has changed since its last page gets the server's value.
 */
export function preserveAttributes(strip) {
  if (preserved.has(strip)) return;
  preserved.add(strip);
  const valuesOf = (element) => NAMES.map((name) => element.getAttribute(name));
  let page = valuesOf(strip);
  strip.addEventListener("turbo:before-morph-element", ({ target, detail: { newElement } }) => {
    if (target !== strip || !newElement) return;
    const next = valuesOf(newElement);
    NAMES.forEach((name, k) => {
      const chosen = strip.getAttribute(name);
      if (next[k] !== page[k] || next[k] === chosen) return;
      if (chosen === null) newElement.removeAttribute(name);
      else newElement.setAttribute(name, chosen);
    });
    page = next;
  });
}
