// Elements: making them, and their attributes and texts.

/** Creates an element with properties and children. Its `part` is its name for style sheets. */
export function create(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** The number that an attribute has. One that is no number counts as absent: null. */
export function numberOf(value) {
  return value?.trim() && Number.isFinite(+value) ? +value : null;
}

const written = new WeakMap(); // texts, by element

/**
 * Sets the text of an element, and keeps its text node. A browser that translates the page puts elements in its place:
 * a translation stays until the text is another one.
 */
export function setText(element, text) {
  const [node, other] = element.childNodes;
  if (node && written.get(element) === text) return;
  written.set(element, text);
  if (other || node?.data === undefined) element.replaceChildren(text);
  else if (node.data !== text) node.data = text;
}
