// What strips do besides scrolling, and the members of <carousel-strip>.
// In the order of PLUGINS. A bundle has the modules in this order, and it counts for the compression: neighbours are alike.
import { formats } from "../cards/formats.js";
import { selection, selectionMembers } from "../selection/selection.js";
import { partStyles } from "../cards/style-sheets.js";
import { images } from "../cards/images.js";
import { settle } from "../motion/settle.js";
import { drag } from "../motion/drag.js";
import { initialPosition } from "../position/initial-position.js";
import { aria } from "../access/aria.js";
import { keyboard } from "../access/keyboard.js";
import { retry } from "../controls/retry.js";
import { PARTS, controls } from "../controls/controls.js";
import { prefetch } from "../windows/prefetch.js";
import { kind } from "../cards/kinds.js";
import { impressions } from "../cards/impressions.js";
import { CarouselStrip, plugins } from "./carousel-strip.js";
import { DEFERRED, OPTIONAL, OPTIONAL_PARTS } from "./optional-list.js";
import { addProperties } from "./options.js";

/** The plugins of every strip. */
const PLUGINS = [
  formats,
  selection,
  partStyles,
  images,
  settle,
  drag,
  initialPosition,
  aria,
  keyboard,
  retry,
  controls,
  prefetch,
  impressions,
];

/**
 * Registers the element once. Its plugins are `more`, those of every strip, and the optional ones: `optional` returns the plugin
 * of a name, and `part` the part. Their order counts:
 *
 * - `customProperties` sets what the others read, and `measure` what they request.
 * - `snap` hears of the initial position. What `history` and `remember` have replaces that position.
 */
export function register(optional, part, ...more) {
  for (const name of Object.keys(OPTIONAL_PARTS)) PARTS[name] = part(name);
  const [measure, snap, ...others] = Object.keys({ ...OPTIONAL, ...DEFERRED }).map(optional);
  for (const plugin of [...more, optional("customProperties"), measure, snap, ...PLUGINS, ...others]) plugins.add(plugin);
  if (customElements.get("carousel-strip")) return;
  const { prototype } = CarouselStrip;
  addProperties(prototype);
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(selectionMembers));
  prototype.kind = kind;
  customElements.define("carousel-strip", CarouselStrip);
}
