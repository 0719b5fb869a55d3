// What keys do in a strip.
export const STEP = 1;
const PAGE = 2;
export const END = 3;
export const SELECT = 4;
export const DESELECT = 5;

/** The actions of keys. Negative ones lead back. */
export const ACTIONS = {
  ...{ ArrowLeft: -STEP, ArrowRight: STEP, PageUp: -PAGE, PageDown: PAGE, Home: -END, End: END },
  ...{ Enter: SELECT, " ": SELECT, Escape: DESELECT },
};
