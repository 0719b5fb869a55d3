// Elements of a behaviour's own.

/** An element with these properties and children. Its `part` is what style sheets know it by. */
export function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
