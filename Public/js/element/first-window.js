// Strips before the element is defined. A plain one is drawn as the server would have drawn it.
import { DRAW_MARGIN, FIRST_WINDOW_LIFETIME } from "../base/constants.js";
import { parseNumber } from "../base/dom.js";
import { cardTemplate } from "../cards/default-card.js";
import { ensureList } from "../cards/list.js";
import { fill, findPlaceholders } from "../cards/template.js";
import { fetchJSON } from "../server/requests.js";
import { tileSizeFor } from "../windows/geometry.js";
import { mayRequest } from "../windows/prefetch.js";
import { QUERY_ATTRIBUTES } from "../windows/view.js";
import { ATTRIBUTES } from "./attributes.js";
import { needsOptional } from "./optional-list.js";

/** The attributes of a plain strip. They do not change where its first window stands. */
const PLAIN_ATTRIBUTES = /^(strip|list|where|q|sort|height|step|for|selection|live|controls|id|class|title|lang|role|slot|aria-.*|data-v.*)$/;
const METHODS = ["scrollTo", "select", "deselect", "reload", "kind"];

const pendingCalls = []; // of methods: [strip, name, arguments, resolve]
const lastTaps = new Map(); // the last click on a card, with its path, by strip
const stubbed = new Set();
const drawnQueries = new Map(); // the queries of the first windows that are drawn, by strip
const rememberTap = (event) => lastTaps.set(event.currentTarget, [event.composedPath(), event]);

/** Keeps calls of methods and the last tap, until the element is defined. */
export function addStubs(strip) {
  stubbed.add(strip);
  strip.addEventListener("click", rememberTap);
  for (const name of METHODS) {
    strip[name] = (...rest) => {
      const called = new Promise((resolve) => pendingCalls.push([strip, name, rest, resolve]));
      return name === "kind" ? async () => (await called)() : called;
    };
  }
}

/** Removes the stubs, which would hide the methods of the element, and windows that the page does not ask for any more. */
export function removeStubs() {
  for (const strip of stubbed) {
    strip.removeEventListener("click", rememberTap);
    for (const name of METHODS) delete strip[name];
  }
  for (const [strip, query] of drawnQueries) {
    if (JSON.stringify(pageQueryOf(strip)) === query && !Object.keys(ATTRIBUTES).some((name) => Object.hasOwn(strip, name))) continue;
    delete strip.firstWindow; // the page has changed an attribute or a property since
    ensureList(strip).replaceChildren();
  }
  drawnQueries.clear();
}

/** Makes the calls that were kept, and passes each last tap to `tap`. The browser upgrades strips in the document only, so this upgrades the others. */
export function replay(tap) {
  for (const [strip, name, rest, resolve] of pendingCalls.splice(0)) {
    customElements.upgrade(strip);
    resolve((async () => strip[name](...rest))()); // what one of them throws is for its caller
  }
  for (const [strip, [path, event]] of lastTaps) tap(strip, path, event);
  stubbed.clear();
  lastTaps.clear();
}

/** The part of a query that the page sets. */
function pageQueryOf(strip) {
  const query = {};
  for (const name of QUERY_ATTRIBUTES) query[name] = strip.getAttribute(name);
  return { ...query, height: parseNumber(strip.getAttribute("height")), v: strip.dataset.version };
}

/** The query of a strip's first window. Undefined unless it starts at its front, in cards of the built-in template. */
function queryOf(strip) {
  const hasMore = [...strip.attributes].some(({ name }) => !PLAIN_ATTRIBUTES.test(name)) || strip.querySelector("li, template, .group");
  if (hasMore || needsOptional(strip)) return;
  const viewportSize = strip.clientWidth - 2 * parseFloat(getComputedStyle(strip).paddingInlineStart);
  const { top, bottom } = strip.getBoundingClientRect();
  const margin = (innerHeight * DRAW_MARGIN) / 100;
  const isWithin = (px) => bottom >= -px && top <= innerHeight + px;
  if (!(viewportSize > 0) || !isWithin(margin) || !mayRequest(isWithin(0))) return;
  const pool = tileSizeFor(viewportSize);
  return { ...pageQueryOf(strip), pool, width: pool, offset: 0 }; // in the order of windowQuery: the same address is requested once
}

/** Fulfilled when the element has drawn a strip or dispatched an error, or when the window is too old for it. */
function untilDrawn(strip) {
  return new Promise((resolve) => {
    for (const type of ["draw", "error"]) strip.addEventListener(type, resolve, { once: true });
    setTimeout(resolve, FIRST_WINDOW_LIFETIME);
  });
}

/** Draws the first window of a strip, if that is plain. Its style sheets must have been added. */
export async function drawFirstWindow(strip) {
  const query = queryOf(strip);
  if (!query?.strip) return;
  const styled = Promise.all(strip.getRootNode().adoptedStyleSheets.map(({ loaded }) => loaded)); // a strip that is removed has none
  const response = await fetchJSON("window", query, null, untilDrawn(strip)).catch(() => null); // the element shares it, and dispatches the error
  await styled;
  if (!response?.items[0] || response.layout || response.wrap || !stubbed.has(strip) || JSON.stringify(queryOf(strip)) !== JSON.stringify(query)) return;
  showCards(ensureList(strip), response);
  strip.firstWindow = response;
  drawnQueries.set(strip, JSON.stringify(pageQueryOf(strip)));
}

/** Shows the items of a window in flow, as the server does. */
function showCards(list, { height, items }) {
  const { content } = cardTemplate();
  let edge = 0; // where the last card ends
  list.style.setProperty("--height", `${height}px`);
  for (const item of items) {
    const node = content.ownerDocument.createElement("li"); // this document does not load "{image}"
    node.append(content.cloneNode(true));
    for (const name of ["index", "id", "slot", "kind", "start", "size"]) node.dataset[name] = item[name];
    fill(findPlaceholders(content, node), item);
    node.style.marginInlineStart = `${item.start - edge}px`;
    node.style.width = `${item.size}px`;
    list.append(node);
    edge = item.start + item.size;
  }
}
