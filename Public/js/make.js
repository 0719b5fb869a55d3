// Elements of a behaviour's own.

/** An element with these properties and children. Its `part` is what style sheets know it by. */
export function make(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

let named = 0;

/** An element that controls a strip, and says so by its id; a button submits no form that it happens to stand in. */
export function control(strip, name, properties, ...children) {
  strip.id ||= "strip" + named++;
  const made = make(name, { type: "button", ...properties }, ...children);
  made.setAttribute("aria-controls", strip.id);
  return made;
}
