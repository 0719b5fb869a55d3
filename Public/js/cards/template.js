// Templates of cards: their placeholders, and what fills them.
import { isLink, safeURL } from "../server/links.js";
import { sizeClass } from "../windows/geometry.js";

/** Attributes that run scripts or send forms, which items must not fill: they are untrusted data. */
const RUNS_SCRIPTS = /^(on.*|(form)?action|srcdoc|xlink:href)$/i;
const HAS_URL = /^(href|poster|data|cite|background|ping)$/i;
/** A name has letters, digits, `_`, `-`, `.`, and spaces between them, as on the server (CardTemplate.swift). */
export const PLACEHOLDER = /{((?! )[\w. \u0080-\uffff-]+(?<! ))(?:\|(number|currency|date))?}/g;
/** Fields that are not shown if they are something else. */
const CHECKS = {
  __proto__: null, // a field can have the name of a method
  color: (text) => /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]+)$/i.test(text),
  href: isLink,
  image: (text) => isLink(text, /^https?$/i),
};

/** Whether a card shows a field: the item has it, and it is safe. */
export const isShown = (name, fields) => Object.hasOwn(fields, name) && CHECKS[name]?.(fields[name]) !== false;

/** The template of a kind: the strip's own, or its one for "card", or that of its class. */
export function templateOf(strip, kind) {
  const find = (name) => strip.querySelector(`:scope > template[data-kind="${name}"]`);
  return find(kind) ?? find("card") ?? strip.constructor.card;
}

/** Copies of a strip's own templates. */
export const copyTemplates = (strip) => [...strip.querySelectorAll(":scope > template")].map((template) => template.cloneNode(true));

/** The placeholders of each card, by its node. */
export const placeholdersOf = new WeakMap();

/**
 * The placeholders in a `node` that was cloned from the template's content `pattern`, or that the server rendered from it: text
 * nodes, and elements with the `name` of an attribute. They are found once, since the page can add content to the card later.
 */
export function findPlaceholders(pattern, node) {
  if (/^(script|style)$/i.test(pattern.nodeName)) return [];
  const patterns = [...(pattern.attributes ?? [])].map(({ name, value }) => ({ node, name, value }));
  if (pattern.data) patterns.push({ node, value: pattern.data });
  let next = node.firstChild;
  for (const child of pattern.childNodes) {
    if (!next && !child.data) break; // the server had another template
    if (child.data && !next?.data) next = node.insertBefore(new Text(), next); // HTML has no empty text nodes
    patterns.push(...findPlaceholders(child, next));
    next = next.nextSibling;
  }
  return patterns.filter(({ name, value }) => {
    if (value.search(PLACEHOLDER) < 0) return false;
    if (!RUNS_SCRIPTS.test(name)) return true;
    console.error(`A card cannot have ${name}="${value}".`);
  });
}

/** Replaces the placeholders in a pattern by fields, as `write` spells them. Undefined if the pattern is a single placeholder without a field. */
export function interpolate(pattern, fields, write) {
  let isDefined = true;
  const text = pattern.replace(PLACEHOLDER, (placeholder, name, format) => {
    const isFound = isShown(name, fields);
    isDefined = placeholder !== pattern || isFound;
    if (!isFound) return "";
    return format && write ? write(fields[name], name, format) : fields[name];
  });
  return isDefined ? text : undefined;
}

/** The value of the attribute `name`, or the text without a name. Undefined if the attribute is left out. */
export function valueOf(name, pattern, fields, write) {
  const text = interpolate(pattern, fields, write);
  if (HAS_URL.test(name) && text) return safeURL(text);
  return text ?? (name && name !== "alt" ? undefined : "");
}

/**
 * Fills placeholders with the fields of an item. `write(value, name, format)` spells a field in a format. A `srcset`, and the
 * `src` beside it, are left out: fields.js fills them.
 */
export function fill(placeholders, { fields = {}, size, width = size }, write) {
  for (const { node, name, value: pattern } of placeholders) {
    const isLate = /^src/.test(name) && placeholders.some((other) => other.node === node && other.name === "srcset");
    const value = isLate ? undefined : valueOf(name, pattern, fields, write);
    if (name === "src") showImage(node, value, width);
    else if (!name) node.data = value;
    else if (value === undefined) node.removeAttribute(name);
    else node.setAttribute(name, value);
  }
}

/** The least of the widths 160, 240, 320, 480, 640, 960 ... 2560 that is not below `px`, or the last one. */
export const pictureWidth = (px) => Math.min(2560, 80 * sizeClass(Math.max(2, px / 80), 2));

/**
 * Shows another image. Removes the former one at once, not when the new one has loaded. `{w}` in the URL stands for
 * the width in device px, for densities 1 to 3: see `pictureWidth`.
 */
export function showImage(image, url, width) {
  const at = (density) => safeURL(url.replaceAll("{w}", pictureWidth(width * density)));
  const source = url && at(1);
  image.removeAttribute("src");
  image.srcset = url?.includes("{w}") ? [1, 2, 3].map((density) => `${at(density)} ${density}x`) : "";
  if (source) image.src = source;
}
