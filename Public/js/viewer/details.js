// The details of an item: its title, its place, and its fields.
import { create } from "../base/dom.js";
import { formatPosition } from "../language/format.js";
import { safeURL } from "../windows/server.js";

/** Fields that have a place of their own, or that are for the card. The others are rows of a table. */
const NOT_IN_TABLE = new Set(["title", "subtitle", "image", "alt", "color", "thumbhash", "href"]);

/** All names and values as they are, until the texts are loaded. */
const PLAIN = { label: String, shown: (names) => names, text: String };

/**
 * The details of an item, one of `count`, with the `texts` of its strip's fields. `words` are those of its link: `open`, and
 * `openAt` another host.
 */
export function describe({ index, id, fields }, count, texts = PLAIN, words) {
  const rows = texts.shown(Object.keys(fields).filter((name) => !NOT_IN_TABLE.has(name)));
  const text = [
    create("p", { className: "place" }, formatPosition(index, count)),
    create("h2", {}, fields.title ?? id),
    fields.subtitle && create("p", {}, fields.subtitle),
    rows.length > 0 && create("dl", {}, ...rows.map((name) => tableRow(name, fields[name], texts))),
    link(fields.href, words),
  ];
  return create("div", { className: "words" }, ...text.filter(Boolean));
}

function tableRow(name, value, texts) {
  return create("div", {}, create("dt", {}, texts.label(name)), create("dd", {}, texts.text(value, name) || "—"));
}

function link(href, { open, openAt }) {
  const target = href && safeURL(href);
  if (!target) return null;
  const url = new URL(target);
  const text = url.host === location.host ? open : openAt.replace("…", () => url.host || url.pathname);
  return create("a", { href: target, rel: "noreferrer" }, text);
}
