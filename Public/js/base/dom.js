// Elements: making them, and their attributes.

/** Creates an element with properties and children. Its `part` is its name for style sheets. */
export function create(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** The number that an attribute has. One that is no number counts as absent: null. */
export function parseNumber(value) {
  return value?.trim() && Number.isFinite(+value) ? +value : null;
}
