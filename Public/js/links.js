// Addresses in items: data that others wrote.
import { SERVER } from "./server.js";

/**
 * `address` in full, if a page may link to it or load it: with a scheme that runs nothing, or relative, which is to the
 * server that the item came from; else undefined.
 */
export function harmless(address, base = SERVER) {
  try {
    const { protocol, href } = new URL(address, base);
    if (/^(https?|mailto):$/.test(protocol)) return href;
  } catch {
    // it is no address
  }
}
