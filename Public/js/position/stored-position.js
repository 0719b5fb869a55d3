// The position and the selection of a strip, in the browser's storage.
import { MAX_REMEMBERED } from "../base/constants.js";
import { withOption } from "../base/plugin.js";
import { selections } from "../selection/selection.js";
import { SERVER } from "../server/requests.js";
import { firstAnchor } from "../windows/in-view.js";
import { isSameView, viewOf } from "../windows/view.js";
import { hasURLPosition } from "./url-state.js";

const KEY = "carousel-strip";

/**
 * Stores the position and the selection of a strip as the attribute `remember` says: "session" until the tab is closed, or "always".
 * The next strip of the same server, name and view starts with them, unless the page's address has a position. The last 50 are stored.
 */
export const remember = withOption("remember", (strip, on, kind) => {
  const storage = storageOf(kind);
  if (!storage) return;
  on("settle select deselect", () => {
    const { offset, selected, drawnView, meta } = strip;
    const anchor = firstAnchor(strip, offset);
    if (!anchor || !drawnView || !isSameView(drawnView, viewOf(strip)) || meta.strip !== strip.strip?.trim()) return;
    const address = addressOf(strip);
    const selection = selected && { id: selected.id, index: selected.index };
    write(storage, { address, ...anchor, offset, selection });
  });

  const stored = read(storage).find(({ address }) => address === addressOf(strip));
  const isMoved = strip.items[0]?.fields; // it was moved in the document, and stays where it was
  if (!stored || isMoved || hasURLPosition(strip)) return;
  const { item, at, offset, selection } = stored;
  strip.scrollTo({ item, at, offset });
  if (!selection) return;
  selections.set(strip, { ...selection, origin: "code" });
  strip.requestDraw(); // "select" is dispatched when the item is drawn
});

const addressOf = (strip) => [SERVER, strip.strip, ...viewOf(strip)].join("\n");

/** Undefined if the browser forbids the storage. */
function storageOf(kind) {
  try {
    return { session: sessionStorage, always: localStorage }[kind];
  } catch {
    return undefined;
  }
}

function read(storage) {
  try {
    return JSON.parse(storage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

/** Stores an entry as the newest one. */
function write(storage, entry) {
  const others = read(storage).filter(({ address }) => address !== entry.address);
  try {
    storage.setItem(KEY, JSON.stringify([...others, entry].slice(-MAX_REMEMBERED)));
  } catch {
    // The storage is full.
  }
}
