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
