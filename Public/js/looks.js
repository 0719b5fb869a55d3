// The looks of strips in a page that has none for them.
import { behaviours } from "./element.js";
import { SERVER } from "./server.js";

// Sheets made by code need no leave of the page's style-src. A strip is drawn once they came: before, it has no width.
const sheets = ["strip", "card", "controls"].map((name) => {
  const sheet = new CSSStyleSheet();
  fetch(new URL(`css/${name}.css`, SERVER))
    .then((response) => response.text())
    .then((text) => sheet.replaceSync(text));
  return sheet;
});

/** Gives a strip its styles, in whichever tree it stands. */
behaviours.add((strip) => {
  const root = strip.getRootNode();
  const missing = sheets.filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  root.adoptedStyleSheets = [...missing, ...root.adoptedStyleSheets];
});
