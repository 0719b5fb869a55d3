// The position and the selection of a strip, in the browser's storage.
import { MAX_REMEMBERED } from "../base/constants.js";
import { withOption } from "../base/lifecycle.js";
import { restoreSelection } from "../selection/selection.js";
import { visibleItems } from "../windows/geometry.js";
import { SERVER } from "../windows/server.js";
import { isPlaceInAddress } from "./address.js";
import { isSameView, viewOf } from "./search.js";

const KEY = "carousel-strip";

/**
 * The attribute `remember`: "session" until the tab is closed, or "always". A strip with the same address, which are server,
 * name and view, starts where the last one was, and has its selection. A position in the page's address comes first.
 * Positions of the last 50 addresses are stored.
 */
export const remember = withOption("remember", (strip, on, kind) => {
  const storage = storageOf(kind);
  if (!storage) return;
  on("settle select deselect", () => {
    const { offset, selected, drawnView, meta } = strip;
    const [first] = visibleItems(strip);
    if (!first || !drawnView || !isSameView(drawnView, viewOf(strip)) || meta.strip !== strip.strip?.trim()) return;
    const address = addressOf(strip);
    const selection = selected && { id: selected.id, index: selected.index };
    write(storage, { address, item: first.id, at: first.start - offset, offset, selection });
  });

  const found = read(storage).find(({ address }) => address === addressOf(strip));
  const isMoved = strip.items[0]?.fields; // in the document: it stays where it was
  if (!found || isMoved || isPlaceInAddress(strip)) return;
  const { item, at, offset, selection } = found;
  strip.scrollTo({ item, at, offset });
  if (selection) restoreSelection(strip, selection);
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
