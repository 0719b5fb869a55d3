// A viewer for any strip: a tap on a card opens its item in a dialog that fills the screen.
//
//     import { addViewer } from "https://strips.example/js/viewer/viewer.js";
//     addViewer(document.querySelector("carousel-strip"));
import { writeURL } from "../base/history.js";
import { start } from "../base/lifecycle.js";
import { loadSheet, retryUntilLoaded } from "../windows/server.js";

const sheet = new CSSStyleSheet();
let loading; // a promise of the module dialog.js: its style sheet is loaded, too

/** The name of the parameter in the page's address that names the item. */
const parameterOf = (strip) => (strip.option("history") ? `${strip.option("history")}-picture` : "picture");

/**
 * Opens items of a strip in a viewer: those that a reader selects, and the one that the page's address names. The dialog is
 * loaded for the first of them.
 */
export async function addViewer(strip) {
  if (strip.hasViewer) return;
  strip.hasViewer = true; // for other bundles, too
  await customElements.whenDefined("carousel-strip");
  start(viewer, strip);
}

/**
 * The plugin of a strip with a viewer. The page's address has the item as `picture`. With `history="NAME"` it is
 * `NAME-picture`. "Back" and Escape return to the strip where it was.
 */
export function viewer(strip, on) {
  const parameter = parameterOf(strip);
  let dialog = null; // a promise of the dialog that is open
  let shown; // the item that it shows
  let isLeaving = false; // whether "back" was asked for

  const onMove = (item) => {
    shown = item;
    if (itemInURL(parameter) !== item.id) writeItem("replaceState", parameter, item.id);
  };
  const onLeave = () => {
    if (!dialog || isLeaving) return;
    isLeaving = true;
    if (history.state?.isViewer) return history.back();
    writeItem("replaceState", parameter, null);
    close();
    if (shown) strip.scrollTo({ item: shown.id, align: "nearest" });
  };

  /** Closes the dialog. The focus returns to the card of the item, if it is in view, or else to the one before. */
  const close = async () => {
    const closing = await dialog;
    if (!dialog) return;
    dialog = null;
    isLeaving = false;
    closing.close();
    const card = strip.nodeOf(shown?.index);
    if (card?.dataset.id === shown?.id) card?.focus({ preventScroll: true });
  };

  const syncWithURL = async () => {
    const id = itemInURL(parameter);
    if (id === null) return close();
    if (dialog) (await dialog).show(id);
    else dialog = open(strip, id, { onMove, onLeave });
  };

  const enter = (id) => {
    if (!dialog) writeItem("pushState", parameter, id);
    syncWithURL();
    return false;
  };

  on("willselect", ({ detail: { id, origin } }) => id !== undefined && /tap|key/.test(origin) ? enter(id) : undefined); // a selection would scroll the strip
  on("click", ({ target, ctrlKey, metaKey, shiftKey, altKey }) => {
    const card = target.closest("a.title[href]")?.closest("[data-id]");
    return card && !(ctrlKey || metaKey || shiftKey || altKey) ? enter(card.dataset.id) : undefined; // the link is for readers without scripts
  });
  on("afterRender", () => addEventListener("popstate", syncWithURL)); // once
  on("disconnected", () => {
    if (strip.isConnected) return; // it has another axis now, or is elsewhere in the page
    removeEventListener("popstate", syncWithURL); // the window would keep the strip
    if (!dialog) return;
    writeItem("replaceState", parameter, null);
    close();
  });
  syncWithURL();
}

/** Opens a dialog with the items of a strip. The first one loads its module and its style sheet. */
async function open(strip, id, listeners) {
  document.adoptedStyleSheets = [...new Set([...document.adoptedStyleSheets, sheet])];
  loading ??= Promise.all([retryUntilLoaded(() => import("./dialog.js")), loadSheet(sheet, "viewer")]);
  const reading = strip.fetchJSON(`strips/${strip.strip}`, {}).catch(() => ({ cellAspect: 1, caption: 0 })); // the strip says what is wrong
  const [settings, [{ ViewerDialog }]] = await Promise.all([reading, loading]);
  return new ViewerDialog(strip, id, settings, listeners);
}

/** The item that the page's address names, or null. */
const itemInURL = (parameter) => new URL(location).searchParams.get(parameter);

/** Writes an item into the page's address, or none if it is null. */
function writeItem(method, parameter, id) {
  const address = new URL(location);
  if (id === null) address.searchParams.delete(parameter);
  else address.searchParams.set(parameter, id);
  writeURL(method, address, method === "pushState" ? { isViewer: true } : history.state);
}
