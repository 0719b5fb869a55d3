// A card's template: `{field}` in text and in the values of attributes, filled as the server fills it.
import { harmless } from "./links.js";

/**
 * Where a card `node`, made from or rendered with the `pattern` of a template, has placeholders: texts, and elements with
 * the `name` of an attribute. They are found once, so that nothing a page puts into the card later moves them.
 */
export function placesIn(pattern, node) {
  const places = [...(pattern.attributes ?? [])].map(({ name, value }) => ({ node, name, value }));
  if (pattern.data) places.push({ node, value: pattern.data });
  let next = node.firstChild;
  for (const one of pattern.childNodes) {
    if (one.data && !next?.data) next = node.insertBefore(new Text(), next); // it was rendered empty
    places.push(...placesIn(one, next));
    next = next.nextSibling;
  }
  return places.filter(({ value }) => value.includes("{"));
}

/** What `pattern` says of an item: its placeholders replaced, undefined where one alone has no field. */
export function filled(pattern, fields) {
  let isThere = true;
  const text = pattern.replace(/{([^{}]+)}/g, (whole, name) => {
    isThere = whole !== pattern || name in fields;
    return fields[name] ?? "";
  });
  return isThere ? text : undefined;
}

/** Fills the `places` of a card with an item. */
export function fill(places, { fields = {}, size }) {
  for (const { node, name, value: pattern } of places) {
    const said = filled(pattern, fields);
    const value = name === "href" && said ? harmless(said) : said;
    if (name === "src") showPicture(node, value, size);
    else if (!name) node.data = value ?? "";
    else if (value === undefined && name !== "alt") node.removeAttribute(name);
    else node.setAttribute(name, value ?? "");
  }
}

/**
 * Shows another picture; the former one goes at once, not when the new one has come. An address with `{w}` is
 * asked at the width on the screen, in px of each density.
 */
function showPicture(image, address, width) {
  const at = (density) => harmless(address.replaceAll("{w}", Math.ceil(width * density)));
  const plain = address && at(1);
  image.removeAttribute("src");
  image.srcset = address?.includes("{w}") ? [1, 2, 3].map((density) => `${at(density)} ${density}x`) : "";
  if (plain) image.src = plain;
}

/** Puts `text` into an element, which keeps its text node from the first time on. */
export function say(element, text) {
  const node = element.firstChild ?? element.appendChild(new Text());
  if (node.data !== text) node.data = text;
}
