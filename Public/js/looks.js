// The looks of strips in a page that has none for them.
import { behaviours } from "./element.js";
import { FIRST_PAUSE, LONGEST_PAUSE } from "./figures.js";
import { SERVER } from "./server.js";

// Sheets made by code need no leave of the page's style-src. A strip is drawn once they came: before, it has no width.
const sheets = ["strip", "card", "controls"].map((name) => {
  const sheet = new CSSStyleSheet();
  load(sheet, new URL(`css/${name}.css`, SERVER), FIRST_PAUSE);
  return sheet;
});

/** Fills a sheet; where its server does not give it, it is asked again after growing pauses, in ms. */
async function load(sheet, address, pause) {
  try {
    const response = await fetch(address);
    if (!response.ok) throw response;
    sheet.replaceSync(await response.text());
  } catch {
    setTimeout(load, pause, sheet, address, Math.min(LONGEST_PAUSE, 2 * pause));
  }
}

/** Gives a strip its styles, in whichever tree it stands. */
behaviours.add((strip) => {
  const root = strip.getRootNode();
  const missing = sheets.filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  root.adoptedStyleSheets = [...missing, ...root.adoptedStyleSheets];
});
