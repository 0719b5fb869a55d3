// What a strip hears of its viewport: scrolling, fingers, its size, and where it is on the page.
import { DRAW_MARGIN } from "../base/constants.js";
import { callHook } from "../base/plugin.js";
import { firstInput } from "../windows/prefetch.js";

/**
 * Draws a strip after scrolling, touches, changes of focus and resizing, until the function that it returns is called. A
 * change of `dir` or `--per-view` also draws: strip.css then starts a transition of the viewport. The `scroller` hears of fingers and of
 * the end of a movement before a draw. Calls `resized` after resizing.
 */
export function observeViewport(strip, on, scroller, resized) {
  const draw = () => strip.requestDraw();
  const scroll = ({ type }) => {
    if (type === "scrollend" && scroller.isStarting) return; // it ends the jump before this movement
    if (type === "scrollend") callHook(strip, "motionEnd");
    else if (scroller.isMovedByReader) strip.pendingScroll.end();
    strip.dispatchEvent(new Event(type));
    draw();
  };
  on("motionEnd", () => scroller.end());
  on("scroll scrollend", scroll, strip.viewport);
  const stopListening = strip.axis.listen(on, scroll);
  on("focusin focusout", draw);
  on("carousel-language", draw, window);
  on("transitionend", draw, strip.viewport);
  skipTransitions(strip, on);
  trackTouches(on, (isTouched) => {
    scroller.touch(isTouched);
    draw();
  });
  const size = new ResizeObserver(resized);
  const visibility = Object.entries({ isNearViewport: DRAW_MARGIN, isOnScreen: 0 }).map(([name, margin]) => new IntersectionObserver((entries) => {
    strip[name] = entries.at(-1).isIntersecting;
    draw();
  }, { rootMargin: `${margin}%` }));
  on("abort", draw, firstInput); // the first input
  size.observe(strip.viewport);
  for (const observer of visibility) observer.observe(strip);
  return () => {
    stopListening?.();
    scroller.stop();
    strip.isNearViewport = strip.isOnScreen = false;
    for (const observer of [size, ...visibility]) observer.disconnect();
  };
}

/** Ends transitions of cards to their next places: a page can have a rule for all of its lists. */
function skipTransitions(strip, on) {
  let hasTransitions; // whether cards move by such a rule
  const skip = () => {
    for (const card of strip.cardList.children) {
      for (const transition of card.getAnimations()) if (/^(transform|top|width|height)$/.test(transition.transitionProperty)) transition.cancel();
    }
  };
  on("afterRender", () => {
    const [card] = strip.cardList.children;
    hasTransitions ??= card && /[1-9]/.test(getComputedStyle(card).transitionDuration);
    if (hasTransitions) skip(); // before they are seen
  });
  on("transitionrun", ({ target }) => {
    if (target.parentNode !== strip.cardList || hasTransitions) return;
    hasTransitions = true; // the page has another theme now
    skip();
  });
}

/** Calls `touched` when fingers come down or are lifted: with whether one is on the strip. */
function trackTouches(on, touched) {
  let fingers = []; // the ids of those that began on the strip. `touches` of an event has all fingers on the page
  const nodes = new WeakSet(); // the nodes that fingers began on
  const idsOf = (touches) => [...touches].map(({ identifier }) => identifier);
  const touch = ({ touches, defaultPrevented }) => {
    fingers = defaultPrevented ? [] : fingers.filter((id) => idsOf(touches).includes(id)); // prevented ones do not scroll
    touched(fingers.length > 0);
  };
  on("touchstart", (event) => {
    fingers.push(...idsOf(event.changedTouches));
    touch(event);
    const [node] = event.composedPath();
    if (!nodes.has(node)) on("touchend touchcancel", touch, node); // if the page removes the node, the end is dispatched there alone
    nodes.add(node);
  });
}
