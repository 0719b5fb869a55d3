// Limits, delays and distances of the element that are tuned together. A limit of one module stands in that module.

/** How many responses of `/window` are cached. Those that were in view last are evicted last. */
export const MAX_RESPONSES = 32;
/**
 * How many requests for windows run at once. A browser opens six connections to a host over HTTP/1.1. One is the event
 * stream. A jump aborts prefetches, so it need not wait for them.
 */
export const MAX_REQUESTS = 5;
/**
 * How far a fast fling gets until a response arrives: 20 px/ms for 300 ms. A narrow strip is on a phone, where flings are
 * slower: it prefetches at most this many viewports.
 */
export const FLING_DISTANCE = 6000;
export const FLING_VIEWPORTS = 6;
/** About how many groups of a strip are requested. */
export const MAX_GROUPS = 10_000;
/** How many strips one event stream can follow. */
export const MAX_STRIPS = 64;
/** An event stream is opened this long after the last strip asked for it, in ms. */
export const STREAM_DELAY = 100;
/** Readers reload at random within this time after an event, in ms. Otherwise a thousand of them would do so at once. */
export const JITTER = 1000;
/** A request without a response after this time has failed, in ms. */
export const REQUEST_TIMEOUT = 30_000;
/** The least delay before the first retry of a failed request, in ms. It doubles with each failure, up to the greatest delay. */
export const MIN_RETRY_DELAY = 500;
export const MAX_RETRY_DELAY = 30_000;

/** A strip that is farther from the screen than this, in percent of the screen, requests no windows. */
export const DRAW_MARGIN = 75;
/** How many requests a page sends before the first input. What is on the screen is always requested. */
export const MAX_EARLY_REQUESTS = 12;
/** How long a first window waits for the element, in ms. Slow phones load the element for many seconds. */
export const FIRST_WINDOW_LIFETIME = 30_000;

/**
 * How long scrolling must pause until it counts as ended, in ms, for browsers without `scrollend`. It is longer than
 * the time between two steps of a wheel, or between two frames of a fling.
 */
export const IDLE_DELAY = 150;
/** How long after its last step a movement counts as ended, in ms, if the browser has not said so. */
export const SCROLLEND_TIMEOUT = 1000;
/** With `snap="... near"`, only an item within this distance of its aligned place snaps, in px. */
export const SNAP_DISTANCE = 48;
/** A pointer that moved less than this clicks, in px. */
export const DRAG_THRESHOLD = 5;
/** How long a fling by the mouse keeps the pointer's velocity, in ms. */
export const MOMENTUM_TIME = 250;
/** A pointer that paused longer than this before its release flings nothing, in ms. */
export const MAX_PAUSE = 100;

/** The least overscan on each side of a viewport, in px. */
export const MIN_OVERSCAN = 128;
/** The longest scrollable content of a strip, in px. Transforms are 32-bit floats, exact to 1/16 px up to here. */
export const MAX_SCROLL_WIDTH = 800_000;
/** The origin moves if the scroll position is within this distance of an end, in px. */
export const EDGE_MARGIN = 100_000;

/** The greatest offset in px that a strip asks for, either way, and that one that wraps scrolls to. `/window` takes 2^46. */
export const MAX_OFFSET = 2 ** 45;
/** A card this far from the origin, in px, is out of sight. It is put there, since transforms are limited. */
export const OUT_OF_SIGHT = 1e6;
/** Autoplay requests what it will show this long before it moves, in ms. */
export const LOOKAHEAD_TIME = 1000;
/** How long an item must be in view for an impression, in ms. */
export const IMPRESSION_TIME = 1000;
/** The least distance between two ticks of the scrubber, and between two titles, in px: beside and below one another. */
export const MIN_TICK = 4;
export const MIN_TITLE_WIDTH = 96;
export const MIN_TITLE_HEIGHT = 24;
/** The greatest number of dots. Those of a longer strip are at even distances. */
export const MAX_DOTS = 9;
/** How many strips have a remembered position. */
export const MAX_REMEMBERED = 50;
/** How many items a strip with measured widths can have, and how many are measured in one task. */
export const MAX_MEASURED = 2000;
export const MEASURE_BATCH = 250;
/** How many items can be the anchor of a strip. The URL of one request has their ids. */
export const MAX_ANCHORS = 32;
/** A search begins this long after the last key press, in ms. */
export const SEARCH_DELAY = 150;
/** A search that begins this long after the last one is an entry of its own in the history, in ms. */
export const TYPING_PAUSE = 1000;
