// How a strip looks: the default style sheets, the default card, and the number of cards per view.
import { backoffDelay } from "../windows/backoff.js";
import { SERVER } from "../windows/server.js";
import { create } from "./dom.js";

let sheets;

/**
 * Adds the default style sheets to the tree of a strip, for pages that do not link them. A Content-Security-Policy does
 * not restrict such sheets. The strip has no width before they are loaded, and is drawn then.
 */
export function defaultStyles(strip) {
  sheets ??= ["strip", "card", "controls"].map((name) => {
    const sheet = new CSSStyleSheet();
    load(sheet, new URL(`css/${name}.css`, SERVER));
    return sheet;
  });
  const root = strip.getRootNode();
  const missing = sheets.filter((sheet) => !root.adoptedStyleSheets.includes(sheet));
  root.adoptedStyleSheets = [...missing, ...root.adoptedStyleSheets];
}

/** Loads a style sheet. Tries again after growing delays. */
async function load(sheet, url, failures = 0) {
  try {
    const response = await fetch(url);
    if (!response.ok) throw response;
    sheet.replaceSync(await response.text());
  } catch {
    setTimeout(load, backoffDelay(failures), sheet, url, failures + 1);
  }
}

/** Gives a strip without a template for "card" the default one. */
export function defaultCard(strip) {
  if (!strip.querySelector(':scope > template[data-kind="card"]')) strip.append(cardTemplate());
}

/** Creates a template of an image above title and subtitle. Without an image, the title is on the item's color. With `href`, the title is a link. */
export function cardTemplate() {
  const template = create("template");
  const { content, dataset } = template;
  const tint = createSVG("svg", { class: "tint", "aria-hidden": "true" });
  tint.append(createSVG("rect", { width: "100%", height: "100%", fill: "{color}" }));
  const image = content.ownerDocument.createElement("img"); // this document does not load "{image}"
  Object.assign(image, { src: "{image}", alt: "{alt}", decoding: "async", draggable: false });
  const title = create("a", { className: "title" }, "{title}");
  title.setAttribute("href", "{href}");
  const mark = create("p", { className: "mark", ariaHidden: "true" }, "{title}");
  dataset.kind = "card";
  content.append(
    create("div", { className: "picture" }, tint, image, mark),
    title,
    create("p", { className: "subtitle" }, "{subtitle}"),
  );
  return template;
}

function createSVG(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/**
 * Sets the height so that `--per-view` cards fit the viewport, 2.3 for example. All items must have the same aspect
 * ratio. The height is rounded down to a whole px. So no card is cut, and clients of similar widths share answers.
 */
export function cardsPerView(strip, on) {
  let fitted; // the width of a card and its gap that the height was set for, in px
  on("draw", () => {
    const { clientWidth, items: [one, next], head } = strip;
    const count = +getComputedStyle(strip).getPropertyValue("--per-view");
    if (!next || !count || fitted === clientWidth / count) return;
    fitted = clientWidth / count;
    const gap = next.start - one.start - one.size;
    const size = (clientWidth - gap * (Math.ceil(count) - 1)) / count;
    strip.height = Math.floor((size * head.height) / one.size);
  });
}
