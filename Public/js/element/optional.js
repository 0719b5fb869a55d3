// What a strip does only with certain attributes or custom properties.
import { measure } from "../cards/measure.js";
import { dots } from "../controls/dots.js";
import { scrubber } from "../controls/scrubber.js";
import { stickyHeading } from "../controls/sticky-heading.js";
import { autoplay } from "../motion/autoplay.js";
import { effects, indicator } from "../motion/effects.js";
import { snap } from "../motion/snap.js";
import { urlState as history } from "../position/url-state.js";
import { remember } from "../position/stored-position.js";
import { pairing } from "../selection/pairing.js";
import { liveUpdates } from "../windows/live-updates.js";
import { customProperties } from "./custom-properties.js";

/** Plugins, and two parts of the controls, by the names of optional-list.js. */
export const optional = {
  ...{ autoplay, customProperties, effects, history, indicator, liveUpdates, measure, pairing, remember, snap, stickyHeading },
  ...{ dots, scrubber },
};
