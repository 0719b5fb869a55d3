// Addresses in items: data that others wrote.

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** Whether a page may link to `address`, or load it: relative, or with a scheme that runs nothing. */
export function isHarmless(address, base = globalThis.document?.baseURI) {
  try {
    return SCHEMES.has(new URL(address, base).protocol);
  } catch {
    return false;
  }
}
