// A viewer for any strip: a tap on a card opens its item in a dialog that fills the screen.
//
//     import { addViewer } from "https://strips.example/js/viewer/viewer.js";
//     addViewer(document.querySelector("carousel-strip"));
import { readParameter, writeParameter } from "../base/history.js";
import { startPlugin } from "../base/plugin.js";
import { loadSheet } from "../server/files.js";
import { retryUntilLoaded } from "../server/retries.js";

const sheet = new CSSStyleSheet();
let loading; // a promise of the module dialog.js: its style sheet is loaded, too

/** How long the viewer waits for the browser to go back, in ms. A page can cancel that: after this time, a reader can ask again. */
const BACK_TIMEOUT = 1000;

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
  customElements.upgrade(strip); // the browser does so only in the document
  startPlugin(viewer, strip);
}

/**
 * The plugin of a strip with a viewer. The page's address has the item as `picture`. With `history="NAME"` it is
 * `NAME-picture`. "Back" and Escape return to the strip where it was.
 */
export function viewer(strip, on) {
  new Viewer(strip, on);
}

class Viewer {
  #strip;
  #parameter;
  #dialog = null; // the one that is open
  #loading = null; // a promise of what the dialog needs, until it is open
  #shown; // the item that it shows
  #leaveTimer; // undefined unless "back" was just asked for

  constructor(strip, on) {
    [this.#strip, this.#parameter] = [strip, parameterOf(strip)];
    on("willselect", ({ detail }) => this.#select(detail));
    on("click", (event) => this.#click(event));
    on("afterRender", () => addEventListener("popstate", this.#syncWithURL)); // the window has it once, however often it is added
    on("disconnected", () => this.#disconnect());
    this.#syncWithURL();
  }

  /** Opens the item that a reader selects. A selection would scroll the strip. */
  #select({ id, origin }) {
    if (id !== undefined && /tap|key/.test(origin)) return this.#enter(id);
  }

  /** Opens the item of a built-in card whose link is clicked. The link is for readers without scripts. */
  #click({ target, ctrlKey, metaKey, shiftKey, altKey }) {
    const card = target.closest("a.title[href]")?.closest("[data-id]");
    if (card && !(ctrlKey || metaKey || shiftKey || altKey)) return this.#enter(card.dataset.id);
  }

  #enter(id) {
    if (readParameter(this.#parameter) === null) writeParameter("pushState", this.#parameter, id, { isViewer: true });
    this.#syncWithURL();
    return false;
  }

  /** Opens the item that the page's address names, or closes the dialog. It is a listener of the window. */
  #syncWithURL = async () => {
    if (readParameter(this.#parameter) === null) return this.#close();
    const { ViewerDialog, settings } = this.#dialog ? {} : await (this.#loading ??= load(this.#strip));
    const id = readParameter(this.#parameter); // the reader can have left, or gone to another item
    if (id === null) return;
    if (this.#dialog) return this.#dialog.show(id);
    this.#loading = null;
    this.#dialog = new ViewerDialog(this.#strip, id, settings, { onMove: (item) => this.#move(item), onLeave: () => this.#leave() });
  };

  /** The reader has moved to an item. */
  #move(item) {
    this.#shown = item;
    if (readParameter(this.#parameter) !== item.id) writeParameter("replaceState", this.#parameter, item.id);
  }

  /** The reader wants to leave: goes back to the strip's own entry of the history, or closes the dialog if there is none. */
  #leave() {
    if (!this.#dialog || this.#leaveTimer) return;
    this.#leaveTimer = setTimeout(() => (this.#leaveTimer = undefined), BACK_TIMEOUT);
    if (history.state?.isViewer) return history.back();
    writeParameter("replaceState", this.#parameter, null);
    this.#close();
    if (this.#shown) this.#strip.scrollTo({ item: this.#shown.id, align: "nearest" });
  }

  /** Closes the dialog. The focus returns to the card of the item, if it is in view, or else to the one before. */
  #close() {
    if (!this.#dialog) return;
    this.#leaveTimer = clearTimeout(this.#leaveTimer);
    this.#dialog.close();
    this.#dialog = null;
    const card = this.#strip.nodeOf(this.#shown?.index);
    if (card?.dataset.id === this.#shown?.id) card?.focus({ preventScroll: true });
  }

  #disconnect() {
    if (this.#strip.isConnected) return; // it has another axis now, or is elsewhere in the page
    removeEventListener("popstate", this.#syncWithURL); // the window would keep the strip
    if (!this.#dialog && !this.#loading) return;
    writeParameter("replaceState", this.#parameter, null);
    this.#close();
  }
}

/** What a dialog with the items of a strip needs: the class of the dialog, with its style sheet, and the settings of the strip. */
async function load(strip) {
  document.adoptedStyleSheets = [...new Set([...document.adoptedStyleSheets, sheet])];
  loading ??= Promise.all([retryUntilLoaded(() => import("./dialog.js")), loadSheet(sheet, "viewer")]);
  const loadingSettings = strip.fetchJSON(`strips/${strip.strip}`, {}).catch(() => ({ cellAspect: 1, caption: 0 })); // the strip says what is wrong
  const [settings, [{ ViewerDialog }]] = await Promise.all([loadingSettings, loading]);
  return { ViewerDialog, settings };
}
