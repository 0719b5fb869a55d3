// The looks of strips in a page that has none of its own for them: style sheets, and a card.
import { behaviours } from "./element.js";
import { make } from "./make.js";
import { SERVER } from "./server.js";

// Sheets made by code need no leave of the page's style-src. Strips are defined once they are here.
const sheets = await Promise.all(
  ["strip", "card", "controls"].map(async (name) => {
    const response = await fetch(new URL(`css/${name}.css`, SERVER));
    return new CSSStyleSheet().replace(await response.text());
  }),
);

/** Gives the strip its styles, wherever it stands, and a card if it has no template. */
export function looks(strip) {
  const root = strip.getRootNode();
  const missing = sheets.filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  root.adoptedStyleSheets = [...missing, ...root.adoptedStyleSheets];
  if (!strip.querySelector("template")) strip.append(card());
}

/** A picture, or the title where there is none, above title and subtitle. */
export function card() {
  const template = make("template");
  const { content, dataset } = template;
  const image = content.ownerDocument.createElement("img"); // of a document that loads nothing
  for (const [name, value] of [["src", "{image}"], ["alt", "{alt}"], ["decoding", "async"], ["draggable", "false"]]) {
    image.setAttribute(name, value);
  }
  const mark = make("p", { className: "mark", ariaHidden: "true" }, "{title}");
  dataset.kind = "card";
  content.append(
    make("div", { className: "picture" }, image, mark),
    make("p", { className: "title" }, "{title}"),
    make("p", { className: "subtitle" }, "{subtitle}"),
  );
  return template;
}

behaviours.add(looks);
