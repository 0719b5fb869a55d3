// Elements of a behaviour's own.

/** An element with these properties and children. Its `part` is what style sheets know it by. */
export function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A button, which submits no form that it happens to stand in. */
export function button(properties, ...children) {
  return make("button", { type: "button", ...properties }, ...children);
}
