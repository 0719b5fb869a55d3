// The details of the selected item.
import { create } from "../base/dom.js";
import { pictureWidth } from "../cards/template.js";
import { formatPosition } from "../language/format.js";
import { safeURL } from "../windows/server.js";

/** Fields that have a place of their own. The others are rows of a table. */
const NOT_IN_TABLE = new Set(["title", "subtitle", "image", "alt", "color", "href"]);

/** Names and values as they are. */
const PLAIN = { label: (_, words) => words, text: String };

/** Shows the fields of an item, one of `count`, in `section`, with the `texts` of its strip's fields. */
export function showDetails(section, { index, id, fields }, count, texts = PLAIN) {
  const rows = Object.entries(fields).filter(([name]) => !NOT_IN_TABLE.has(name));
  const text = [
    create("p", { className: "place" }, formatPosition(index, count)),
    create("h2", {}, fields.title ?? id),
    fields.subtitle && create("p", {}, fields.subtitle),
    rows.length > 0 && create("dl", {}, ...rows.map((row) => tableRow(row, texts))),
    link(fields.href, section.dataset),
  ];
  const words = create("div", { className: "words" }, ...text.filter(Boolean));
  section.replaceChildren(...[picture(fields), words].filter(Boolean));
}

function tableRow([name, value], texts) {
  const words = texts.label(name, name.replaceAll(/[_-]+/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2"));
  return create("div", {}, create("dt", {}, words), create("dd", {}, texts.text(value, name) || "—"));
}

function picture({ image, alt = "" }) {
  if (!image) return null;
  const element = create("img", { alt });
  element.addEventListener("error", () => element.remove());
  element.src = safeURL(image.replaceAll("{w}", pictureWidth(320 * devicePixelRatio))) ?? "";
  return element;
}

/** A link with a word of the page: `open`, or `openAt` another host. */
function link(href, { open, openAt }) {
  if (!href || !safeURL(href)) return null;
  const url = new URL(href, document.baseURI);
  const text = url.host === location.host ? open : openAt.replace("…", () => url.host || url.pathname);
  return create("a", { href, rel: "noreferrer" }, text);
}
