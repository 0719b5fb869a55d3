// The options of a strip, which ATTRIBUTES lists: attributes, and properties that mirror them. custom-properties.js replaces some.
import { parseNumber } from "../base/dom.js";
import { ATTRIBUTES } from "./attributes.js";

/** The attribute that a property mirrors. */
const attributeOf = (name) => name.replace("I", "-i"); // initial-index, initial-item

/** The names of the attributes. */
export const OPTIONS = Object.keys(ATTRIBUTES).map(attributeOf);

/** Gives a class the properties. Each returns the value in force, and sets the attribute. */
export function addProperties(prototype) {
  for (const [name, { type, keyword }] of Object.entries(ATTRIBUTES)) {
    const attribute = attributeOf(name);
    Object.defineProperty(prototype, name, {
      get() {
        const value = this.option(attribute);
        if (type === Boolean) return value !== null;
        return type === Number && value !== keyword ? parseNumber(value) : value;
      },
      set(value) {
        if ((value ?? false) === false) this.removeAttribute(attribute);
        else this.setAttribute(attribute, value === true ? "" : value);
      },
    });
  }
}

/** Sets properties again that a page has set before the element was defined. */
export function upgradeProperties(element) {
  for (const name in ATTRIBUTES) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}
