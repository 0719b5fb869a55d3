// The page's address, in the history of the browser.

/**
 * Writes an address by a method of `history`: "pushState" or "replaceState". WebKit allows 100 calls in 10 seconds. After that nothing
 * is written, and the next call makes up for it.
 */
export function writeURL(method, address, state = history.state) {
  try {
    history[method](state, "", address);
  } catch {
    // It was one call too many.
  }
}

/** A parameter of the page's address, or null. */
export const readParameter = (name) => new URL(location).searchParams.get(name);

/** Writes a parameter of the page's address by a method of `history`, or removes it if the value is null. */
export function writeParameter(method, name, value, state) {
  const address = new URL(location);
  if (value === null) address.searchParams.delete(name);
  else address.searchParams.set(name, value);
  writeURL(method, address, state);
}
