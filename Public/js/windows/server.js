// The server of the strips: its address, its errors, and the URLs in its items.

/** The root of the server: that of this module, or the one that the page has set. */
export let SERVER = new URL("../..", import.meta.url);

/** Sets the root of the server. A page that bundles this module needs it. */
export function setServer(url) {
  SERVER = new URL(".", new URL(url, location));
}

/** The attributes that select and order the strip's items: parameters of `/window`. */
export const VIEW = ["list", "where", "q", "sort"];

/**
 * Requests JSON from the server. Parameters that are null are left out. Throws an error with the members of the problem,
 * and with the `response`.
 */
export async function request(path, query, signal) {
  const parameters = Object.entries(query).filter(([, value]) => value != null);
  const response = await fetch(`${SERVER}${path}?${new URLSearchParams(parameters)}`, { signal });
  const answer = await response.json().catch(() => null);
  if (!response.ok || !answer) throw Object.assign(new Error(answer?.detail), answer, { response });
  return answer;
}

/**
 * Resolves a URL of an item, relative to the strips' server. Undefined if it is invalid, or if its scheme is not http,
 * https or mailto. Items are untrusted data, and a `javascript:` URL would run code.
 */
export function safeURL(url, base = SERVER) {
  try {
    const { protocol, href } = new URL(url, base);
    if (/^(https?|mailto):$/.test(protocol)) return href;
  } catch {
    // The URL is invalid.
  }
}

/** Whether an error says that the strip has no such item or index. */
export function isNotFound(error) {
  return /^[ai]/.test(error.parameter); // align, at, index, item
}

/** Whether an error says that the server no longer has the revision, or does not have it yet. */
export function isWrongRevision(error) {
  return error.status === 410 || error.parameter === "revision";
}
