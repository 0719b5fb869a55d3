// A card's template: `{field}` in text and in the values of attributes, filled as the server fills it.
import { harmless } from "./links.js";

/**
 * Where a template has placeholders: in the attribute `name` of an element, or in its text. An element is known by
 * its number in document order, so a card that the server rendered is filled like one made here.
 */
export function placesIn(template) {
  const places = [...template.content.querySelectorAll("*")].flatMap((element, number) => {
    const text = { value: element.children.length ? "" : element.textContent };
    return [...element.attributes, text].map(({ name, value }) => ({ number, name, value }));
  });
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

/** Fills the card `node`, made from or rendered with the template that has `places`, with an item. */
export function fill(node, places, { fields = {}, size }) {
  const elements = node.querySelectorAll("*");
  for (const { number, name, value: pattern } of places) {
    const element = elements[number];
    const said = filled(pattern, fields);
    const value = name === "href" && said ? harmless(said) : said;
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
