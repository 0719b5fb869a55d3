// Limits, delays and distances of the element, in one place to tune them.

/** How many answers of `/window` are cached. The oldest are evicted first. */
export const MAX_ANSWERS = 64;
/**
 * How many requests for windows run at once. A browser opens six connections to a host over HTTP/1.1. One is the event
 * stream. Two are free for jumps, which must not wait for prefetches.
 */
export const MAX_REQUESTS = 3;
/** How many groups are cached. */
export const MAX_GROUPS = 50;
/** How many strips one event stream can follow. */
export const MAX_STRIPS = 64;
/** Readers reload at random within this time after an event, in ms. Otherwise a thousand of them would do so at once. */
export const JITTER = 1000;
/** The delay before the first retry of a failed request, in ms. It doubles with each failure, up to the greatest delay. */
export const FIRST_DELAY = 500;
export const MAX_DELAY = 30_000;

/**
 * How long scrolling must pause until it counts as ended, in ms, for browsers without `scrollend`. It is longer than
 * the time between two steps of a wheel, or between two frames of a fling.
 */
export const IDLE_DELAY = 150;
/** With `snap="... near"`, only an item within this distance of its aligned place snaps, in px. */
export const NEAR = 48;
/** A pointer that moved less than this clicks, in px. */
export const DRAG_THRESHOLD = 5;
/** How long a throw keeps the pointer's velocity, in ms. */
export const THROW_TIME = 250;
/** A pointer that paused longer than this before its release throws nothing, in ms. */
export const MAX_PAUSE = 100;

/** A card this far from the origin, in px, is out of sight. It is put there, since transforms are limited. */
export const OUT_OF_SIGHT = 1e6;
/** How long an item must be in view for an impression, in ms. */
export const IMPRESSION_TIME = 1000;
/** If a strip has more groups, the scrubber does not show their titles. Its value text still names one. */
export const MAX_TITLES = 40;
/** The greatest number of dots. Those of a longer strip are at even distances. */
export const MAX_DOTS = 9;
