// What strips do besides scrolling, and the properties of <carousel-strip>.
import { aria } from "../access/aria.js";
import { keyboard } from "../access/keyboard.js";
import { numberOf } from "../base/dom.js";
import { cardsPerView, partStyles } from "../cards/appearance.js";
import { formats } from "../cards/formats.js";
import { kind } from "../cards/kinds.js";
import { images, impressions } from "../cards/visible-items.js";
import { PARTS, controls } from "../controls/controls.js";
import { retry } from "../controls/retry.js";
import { drag } from "../motion/drag.js";
import { currentItem } from "../motion/navigation.js";
import { rest } from "../motion/rest.js";
import { initialPosition } from "../place/initial-position.js";
import { selection, selectionMembers } from "../selection/selection.js";
import { inLap } from "../windows/geometry.js";
import { prefetch } from "../windows/prefetch.js";
import { PROPERTIES } from "./attributes.js";
import { breakpoints } from "./breakpoints.js";
import { CarouselStrip, behaviours } from "./carousel-strip.js";
import { hydration } from "./hydration.js";

/** The behaviours of a strip, in the order in which they start. Those with a name are in optional.js. */
const BEHAVIOURS = [
  "measure", // before the first request
  breakpoints, // before the others: it sets the attributes that they read
  hydration,
  formats,
  selection,
  "pairing",
  partStyles,
  "indicator",
  images,
  cardsPerView,
  rest,
  drag,
  "snap",
  initialPosition,
  "history",
  "remember", // the last of these three that has a position scrolls there
  "effects",
  aria,
  keyboard,
  retry,
  "autoplay",
  controls,
  "stickyHeading",
  "liveUpdates",
  prefetch,
  impressions,
];

/** The parts of the controls that are in optional.js. */
const OPTIONAL_PARTS = ["scrubber", "dots"];

/**
 * Registers the element once. Its behaviours are `more`, then those of the list. `optional` returns the behaviour of a
 * name, and `part` the part.
 */
export function register(optional, part, ...more) {
  for (const name of OPTIONAL_PARTS) PARTS[name] = part(name);
  for (const one of [...more, ...BEHAVIOURS]) behaviours.add(typeof one === "string" ? optional(one) : one);
  if (customElements.get("carousel-strip")) return;
  Object.entries(PROPERTIES).forEach(addProperty);
  Object.defineProperty(CarouselStrip.prototype, "current", { get() { return inLap(currentItem(this), this.meta); } });
  Object.defineProperties(CarouselStrip.prototype, Object.getOwnPropertyDescriptors(selectionMembers));
  CarouselStrip.prototype.kind = kind;
  customElements.define("carousel-strip", CarouselStrip);
}

function addProperty([name, example]) {
  const attribute = name.replace("I", "-i"); // initial-index, initial-item
  Object.defineProperty(CarouselStrip.prototype, name, {
    get() {
      const value = this.getAttribute(attribute);
      if (example === false) return value !== null;
      return example === 0 ? numberOf(value) : value;
    },
    set(value) {
      if ((value ?? false) === false) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value === true ? "" : value);
    },
  });
}
