// Defines <carousel-strip> with all its behaviours, for pages that bundle it. embed.js loads some of them on demand.
import { register } from "./behaviours.js";
import { optional } from "./optional.js";

/** Registers the element once. The behaviours `more` come first. */
export function define(...more) {
  const find = (name) => optional[name];
  register(find, find, ...more);
}
