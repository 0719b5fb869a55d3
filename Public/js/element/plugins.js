// What strips do besides scrolling, and the members of <carousel-strip>.
// The imports are in the order of PLUGINS. Bundles keep this order, in which similar modules are neighbours and compress better.
import { formats } from "../cards/formats.js";
import { selection, selectionMembers } from "../selection/selection.js";
import { partStyles } from "../cards/style-sheets.js";
import { images } from "../cards/images.js";
import { kind } from "../cards/kind.js";
import { settle } from "../motion/settle.js";
import { drag } from "../motion/drag.js";
import { initialPosition } from "../position/initial-position.js";
import { aria } from "../access/aria.js";
import { keyboard } from "../access/keyboard.js";
import { retry } from "../controls/retry.js";
import { PARTS, controls } from "../controls/controls.js";
import { prefetch } from "../windows/prefetch.js";
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
 * Registers the element once. Its plugins are `more`, those of every strip, and the optional ones. `pluginOf` and `partOf` return an
 * optional plugin and a part of the controls by their names. The order of the plugins counts:
 *
 * - `customProperties` sets the options that the others read, and `measure` the data source that they request from.
 * - `snap` must hear of the initial position. A position of `history` or `remember` replaces it, so these two follow.
 */
export function register(pluginOf, partOf, ...more) {
  for (const name of Object.keys(OPTIONAL_PARTS)) PARTS[name] = partOf(name);
  const [measure, snap, ...others] = Object.keys({ ...OPTIONAL, ...DEFERRED }).map(pluginOf);
  for (const plugin of [...more, pluginOf("customProperties"), measure, snap, ...PLUGINS, ...others]) plugins.add(plugin);
  if (customElements.get("carousel-strip")) return;
  const { prototype } = CarouselStrip;
  addProperties(prototype);
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(selectionMembers));
  prototype.kind = kind;
  customElements.define("carousel-strip", CarouselStrip);
}
