// Attributes that depend on the width of the strip's container.
import { BREAKPOINTS } from "./attributes.js";

/**
 * Sets attributes from the custom properties `--strip-height`, `--strip-snap` and so on, which a container query can set:
 *
 *     @container (width > 40rem) { carousel-strip { --strip-height: 240; --strip-controls: previous next; --strip-loop: on } }
 *
 * "off" removes the attribute. Where the property is not set, the attribute is that of the page.
 */
export function breakpoints(strip, on) {
  const original = {}; // attributes that a property replaced, by name
  const written = {}; // in their place
  let lastWidth; // of the viewport, in px
  const update = () => {
    if (strip.clientWidth === lastWidth) return;
    lastWidth = strip.clientWidth;
    const style = getComputedStyle(strip);
    for (const name of BREAKPOINTS) {
      const value = style.getPropertyValue(`--strip-${name}`).trim();
      if (!value && !(name in original)) continue;
      if (!(name in original) || strip.getAttribute(name) !== written[name]) original[name] = strip.getAttribute(name); // the page may set it at any time
      const words = { "": original[name], on: "", off: null };
      const text = (written[name] = value in words ? words[value] : value);
      if (!value) delete original[name];
      if (strip.getAttribute(name) === text) continue;
      if (text === null) strip.removeAttribute(name);
      else strip.setAttribute(name, text);
    }
  };
  on("layout", update);
  update();
}
