// The texts of elements.

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
