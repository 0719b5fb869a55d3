// The figures that a strip goes by, in one place to tune them.

/** Answers kept; the oldest are given up first. */
export const ANSWERS_KEPT = 64;
/**
 * Requests at once: half of the six connections that a browser opens to one host over HTTP/1.1. One is the stream of
 * news, and a jump is not to wait for what was asked ahead.
 */
export const UNDER_WAY = 3;
/** As far as this from the canvas' origin, in px, is no place on the canvas: a card then stands out of sight. */
export const OUT_OF_SIGHT = 1e6;
/** How long a scroll must pause to have ended, in ms: longer than between two turns of a wheel, or frames of a fling. */
export const SCROLL_PAUSE = 150;
/** How near an item must stand, in px, for `snap="... near"` to move it. */
export const NEAR = 48;
/** The first pause before a server that failed is asked again, and the longest, in ms: each is twice the one before. */
export const FIRST_PAUSE = 500;
export const LONGEST_PAUSE = 30_000;
/** Refetches are spread over so many ms, so that a thousand readers do not come at once. */
export const SPREAD = 1000;
/** As many strips of a page hear of new revisions: one stream tells of no more. */
export const STRIPS_HEARD = 64;
/** How many groups are remembered. */
export const GROUPS_KEPT = 50;
/** More titles than these are not shown above a scrubber; it says the one it stands at. */
export const TITLES = 40;
/** So many position dots at most: a long strip has its dots at even places. */
export const DOTS = 9;
/** How long, in ms, an item must be in view to be seen. */
export const SEEN_AFTER = 1000;
/** A pointer that moved less than this, in px, clicks. */
export const SLACK = 5;
/** How long a throw goes on, in ms at its velocity; a drag that waited for longer than the second throws nothing. */
export const THROW = 250;
export const THROWN_WITHIN = 100;
