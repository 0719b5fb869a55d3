// Where a strip starts.
import { insetOffset } from "../windows/geometry.js";

/**
 * Starts at `initial-index` or `initial-item`, or with the inset in view. A strip that was moved in the document has
 * items: it stays where it was.
 */
export function initialPosition(strip) {
  if (!strip.items[0]?.fields) strip.scrollTo({ index: strip.initialIndex, item: strip.initialItem, offset: insetOffset(strip) || undefined });
}
