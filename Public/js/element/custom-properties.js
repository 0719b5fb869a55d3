// Options that depend on the width of the strip's container: custom properties in the place of attributes.
import { ATTRIBUTES } from "./attributes.js";

/**
 * Custom properties replace attributes: `--strip-height`, `--strip-snap` and so on, which a container query can set.
 *
 *     @container (width > 40rem) { carousel-strip { --strip-height: 240; --strip-controls: previous next; --strip-loop: on } }
 *
 * "off" stands for no attribute, and "on" for one without a value. With `--per-view`, the height is the one at which as many cards
 * fit the viewport. They are read when the element has another width or shows another strip.
 */
export function customProperties(strip, on) {
  let lastKey; // what the values depend on
  const update = () => {
    const style = getComputedStyle(strip);
    const count = +style.getPropertyValue("--per-view");
    const key = `${strip.clientWidth} ${count} ${strip.items.length > 1} ${strip.meta?.strip}`;
    if (key === lastKey) return;
    lastKey = key;
    for (const [name, { isResponsive }] of Object.entries(ATTRIBUTES)) {
      if (!isResponsive) continue;
      const text = style.getPropertyValue(`--strip-${name}`).trim();
      const keywords = { "": undefined, on: "", off: null };
      let value = text in keywords ? keywords[text] : text;
      if (name === "height" && count) value = fittedHeight(strip, count);
      if (value !== strip.overrides[name]) override(strip, name, value);
    }
  };
  on("beforeLayout", update);
  update();
}

/** Replaces an attribute of the page by `value`. Null is no attribute, and undefined the one of the page. */
function override(strip, name, value) {
  const former = strip.option(name);
  strip.overrides[name] = value;
  strip.attributeChangedCallback(name, former, strip.option(name));
}

/**
 * The height in px at which `count` cards fit the viewport, 2.3 for example. All items must have the same aspect ratio. It is
 * rounded down to a whole px. So no card is cut, and clients of similar widths share responses.
 */
function fittedHeight({ viewportSize, items: [first, next], meta, overrides }, count) {
  if (!next) return overrides.height;
  const gap = next.start - first.start - first.size;
  const size = (viewportSize - gap * (Math.ceil(count) - 1)) / count;
  return `${Math.floor((size * meta.height) / first.size)}`;
}
