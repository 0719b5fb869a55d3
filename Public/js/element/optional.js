// What a strip does only with certain attributes.
import { measure } from "../cards/measure.js";
import { PARTS } from "../controls/controls.js";
import { dots } from "../controls/dots.js";
import { scrubber } from "../controls/scrubber.js";
import { autoplay } from "../motion/autoplay.js";
import { effects, indicator } from "../motion/effects.js";
import { snap } from "../motion/snap.js";
import { stateInAddress } from "../place/address.js";
import { remember } from "../place/remember.js";
import { pairing } from "../selection/pairing.js";
import { stickyHeading } from "../windows/groups.js";
import { liveUpdates } from "../windows/live-updates.js";

/** The behaviours that behaviours.js has the names of, and two parts of the controls. */
export const optional = {
  ...{ autoplay, effects, indicator, liveUpdates, measure, pairing, remember, snap, stateInAddress, stickyHeading },
  ...{ dots, scrubber },
};

Object.assign(PARTS, { dots, scrubber });
