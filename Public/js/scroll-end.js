// The end of a scroll, in browsers that do not tell it: WebKit before 26.2.

/** How long a scroll must pause to have ended, in ms: longer than between two turns of a wheel, or frames of a fling. */
const PAUSE = 150;

/** Dispatches `scrollend` when scrolling pauses while no finger is down. */
export function tellScrollEnd(strip, signal) {
  let timer = 0;
  let fingers = 0;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => fingers || strip.dispatchEvent(new Event("scrollend")), PAUSE);
  };
  const touch = ({ touches }) => {
    const lifted = fingers > touches.length;
    fingers = touches.length;
    if (lifted) wait();
  };
  strip.addEventListener("scroll", wait, { signal, passive: true });
  for (const type of ["touchstart", "touchend", "touchcancel"]) {
    strip.addEventListener(type, touch, { signal, passive: true });
  }
  signal.addEventListener("abort", () => clearTimeout(timer));
}
