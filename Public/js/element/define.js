// Defines <carousel-strip> with all its plugins, for pages that bundle it. embed.js loads some of them on demand.
import { optional } from "./optional.js";
import { register } from "./plugins.js";

/** Registers the element once. The plugins `more` come first. */
export function define(...more) {
  const find = (name) => optional[name];
  register(find, find, ...more);
}
