// The end of a scroll, in browsers that do not tell it: WebKit before 26.2.

/** How long a scroll must pause to have ended, in ms: longer than between two turns of a wheel, or frames of a fling. */
const PAUSE = 150;

/** Dispatches `scrollend` when scrolling pauses while no finger is down, and a while after the last one is lifted. */
export function tellScrollEnd(strip, signal) {
  let fingers = 0;
  let timer;
  const wait = ({ touches }) => {
    fingers = touches?.length ?? fingers;
    clearTimeout(timer);
    if (!fingers) timer = setTimeout(() => strip.dispatchEvent(new Event("scrollend")), PAUSE);
  };
  for (const type of ["scroll", "touchstart", "touchend", "touchcancel"]) {
    strip.addEventListener(type, wait, { signal, passive: true });
  }
}
