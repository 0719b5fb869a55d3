// A card's template: `{field}` in text and in the values of attributes, filled as the server fills it.
import { harmless } from "./links.js";

/**
 * Where a template has placeholders: in the attribute `name` of an element, or in its text. An element is known by
 * its number in document order, so a card that the server rendered is filled like one made here.
 */
export function placesIn({ content }) {
  const places = [...content.querySelectorAll("*")].flatMap((element, number) => [
    ...[...element.attributes].map(({ name, value }) => ({ number, name, pattern: value })),
    { number, pattern: element.childElementCount ? "" : element.textContent },
  ]);
  return places.filter(({ pattern }) => pattern.includes("{"));
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

/** Fills the card `node`, made from or rendered with the template that has `places`, with an item. */
export function fill(node, places, { fields = {}, size }) {
  const elements = node.querySelectorAll("*");
  for (const { number, name, pattern } of places) {
    const element = elements[number];
    let value = filled(pattern, fields);
    if (/^(href|src)$/.test(name)) value &&= harmless(value);
    if (name === "src") showPicture(element, value, size);
    else if (!name) say(element, value ?? "");
    else if (value === undefined && name !== "alt") element.removeAttribute(name);
    else element.setAttribute(name, value ?? "");
  }
}

/**
 * Shows another picture; the former one goes at once, not when the new one has come. An address with `{w}` is
 * asked at the width on the screen, in px of each density.
 */
function showPicture(image, address, width) {
  const at = (density) => address.replaceAll("{w}", Math.ceil(width * density));
  for (const name of ["src", "srcset"]) image.removeAttribute(name);
  if (!address) return;
  if (address.includes("{w}")) image.srcset = [1, 2, 3].map((density) => `${at(density)} ${density}x`).join();
  image.src = at(1);
}

/** Puts `text` into an element, which keeps its text node from the first time on. */
export function say(element, text) {
  if (!element.firstChild) element.append("");
  if (element.firstChild.data !== text) element.firstChild.data = text;
}
