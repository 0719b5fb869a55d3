// What a key asks of a strip.

export const STEP = 1;
export const PAGE = 2;
export const END = 3;
export const SELECT = 4;

const KEYS = {
  ...{ ArrowLeft: -STEP, ArrowRight: STEP, PageUp: -PAGE, PageDown: PAGE, Home: -END, End: END },
  ...{ Enter: SELECT, " ": SELECT },
};

/**
 * The intention of a key press, negative where it leads back; 0 or NaN for keys that belong to the browser. `sign` is
 * -1 in a strip that runs from right to left, where the left arrow leads on.
 */
export function intention(event, sign = 1) {
  if (event.ctrlKey || event.altKey || event.metaKey) return 0;
  return KEYS[event.key] * (/^Arrow/.test(event.key) ? sign : 1);
}
