// The URLs in items, which are untrusted data.
import { SERVER } from "./requests.js";

/**
 * Whether the URL of an item is relative or has one of `schemes`, as on the server (CardTemplates.swift). A
 * `javascript:` URL would run code. Browsers remove control characters, which could hide a scheme.
 */
export function isLink(url, schemes = /^(https?|mailto)$/i) {
  const scheme = /^ *([^:/?#]*):/.exec(url)?.[1];
  return !/[\0-\x1f]/.test(url) && (scheme === undefined || schemes.test(scheme));
}

/** Resolves a URL of an item, relative to the strips' server. Undefined if it is invalid or not a link. */
export function safeURL(url) {
  try {
    if (isLink(url)) return new URL(url, SERVER).href;
  } catch {
    // The URL is invalid.
  }
}
