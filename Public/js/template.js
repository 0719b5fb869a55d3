// A card's template: `{field}` in text and in the values of attributes, filled as the server fills it.
import { harmless } from "./links.js";

/** Attributes that an item's fields may only fill with harmless addresses. */
const ADDRESSES = new Set(["href", "src"]);
const PLACEHOLDER = /\{([^{}]+)\}/g;

/**
 * A template, read once: its content without placeholders, and where they stood. An element is known by
 * its number in document order, so a card that the server rendered is filled like one made here.
 */
export function compile(template) {
  const content = template.content.cloneNode(true);
  const places = [];
  [...content.querySelectorAll("*")].forEach((element, number) => {
    for (const { name, value } of [...element.attributes]) {
      if (!value.includes("{")) continue;
      places.push({ number, name, pattern: value });
      element.removeAttribute(name);
    }
    if (element.childElementCount === 0 && element.textContent.includes("{")) {
      places.push({ number, name: null, pattern: element.textContent });
      element.firstChild.data = "";
    }
  });
  return { content, places };
}

/** What `pattern` says of an item: its placeholders replaced, undefined where one alone has no field. */
export function filled(pattern, fields) {
  const whole = /^\{([^{}]+)\}$/.exec(pattern);
  if (whole) return fields[whole[1]] === undefined ? undefined : String(fields[whole[1]]);
  return pattern.replace(PLACEHOLDER, (_, name) => String(fields[name] ?? ""));
}

/** Fills the card `node`, made from or rendered with the template of `places`, with an item. */
export function fill(node, places, { fields, size }) {
  const elements = node.querySelectorAll("*");
  for (const { number, name, pattern } of places) {
    const element = elements[number];
    let value = filled(pattern, fields);
    if (ADDRESSES.has(name)) value = value && harmless(value);
    if (name === "src") showPicture(element, value, size);
    else if (name === null) say(element, value ?? "");
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
  if (!element.firstChild) element.append(text);
  else if (element.firstChild.data !== text) element.firstChild.data = text;
}

/** Gives a card that the server rendered the text nodes that it lacks where a field was empty. */
export function complete(node, places) {
  const elements = node.querySelectorAll("*");
  for (const { number, name } of places) {
    if (name === null && !elements[number].firstChild) say(elements[number], "");
  }
}
