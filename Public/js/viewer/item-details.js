// The details of an item: its title, its place, and its fields.
import { create } from "../base/dom.js";
import { formatPosition } from "../language/format.js";
import { safeURL } from "../server/links.js";

/** Fields that have a place of their own, or that are for the card. The others are rows of a table. */
const NOT_IN_TABLE = new Set(["title", "subtitle", "image", "alt", "color", "thumbhash", "href"]);

/** All names and values as they are, until the formatter is loaded. */
const PLAIN_FORMATTER = { label: String, shown: (names) => names, format: String };

/**
 * The details of an item, one of `count`, for readers of `element`, with the `formatter` of its strip's fields. `messages` has those of
 * its link: `open`, and `openAt` another host.
 */
export function detailsOf({ index, id, fields }, count, element, formatter = PLAIN_FORMATTER, messages) {
  const rows = formatter.shown(Object.keys(fields).filter((name) => !NOT_IN_TABLE.has(name)));
  const text = [
    create("p", { className: "place" }, formatPosition(index, count, element)),
    create("h2", {}, fields.title ?? id),
    fields.subtitle && create("p", {}, fields.subtitle),
    rows.length > 0 && create("dl", {}, ...rows.map((name) => tableRow(name, fields[name], formatter))),
    link(fields.href, messages),
  ];
  return create("div", { className: "words" }, ...text.filter(Boolean));
}

function tableRow(name, value, formatter) {
  return create("div", {}, create("dt", {}, formatter.label(name)), create("dd", {}, formatter.format(value, name) || "—"));
}

function link(href, { open, openAt }) {
  const target = href && safeURL(href);
  if (!target) return null;
  const url = new URL(target);
  const text = url.host === location.host ? open : openAt.replace("…", () => url.host || url.pathname);
  return create("a", { href: target, rel: "noreferrer" }, text);
}
