// Autoplay: regular steps or a steady movement, with a button that pauses it.
import { IDLE_DELAY, PLANNING_TIME } from "../base/constants.js";
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";
import { callHook, withOption } from "../base/lifecycle.js";
import { localize, messagesOf } from "../language/messages.js";
import { isAtEnd, pageOffset, scrollSmoothly } from "./navigation.js";

/** English messages. Other languages have theirs with those of the strip. */
const ENGLISH = {
  pause: "Pause",
  play: "Play",
};

/**
 * The strip moves by itself with the option `autoplay`: the ms between steps, or "marquee 40" for 40 px/s. Any other value
 * turns it off, and so does a reader who prefers reduced motion. After the end, the strip returns to its start.
 *
 * It waits while less than half of the strip is on the screen, while the pointer, the keyboard's focus or a finger is on the strip
 * or its controls, while the page is hidden, and after Pause.
 */
export const autoplay = withOption("autoplay", (strip, on, value) => {
  const [, isMarquee, number] = /^(marquee )?(\d*[1-9]\d*)$/.exec(value) ?? [];
  if (!number) return;
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const button = create("button", { type: "button", part: "pause" });
  const canHover = matchMedia("(hover: hover)").matches; // a tap leaves :hover behind
  const isFocused = () => strip.contains(strip.getRootNode().activeElement) && focusIn(strip.getRootNode()).matches(":focus-visible");
  let isPaused; // by the button. False after Play: then autoplay runs though the strip is in use
  let waited = 0; // ms since the last step or wait
  let lastOffset; // in the last frame
  let lastTime = 0;
  let isVisible;
  let frame; // the next one, while at least half of the strip is on the screen
  let isRunning; // a marquee
  const mustWait = () =>
    !isVisible || strip.isTouched || reducedMotion.matches || !strip.meta || document.hidden ||
    (isPaused ?? (isFocused() || (canHover && strip.matches(":hover"))));
  /** Whether something else moves the strip: a button, a dot, code, or the throw of a finger. A marquee would end that. */
  const isMovedByOthers = () => !!strip.pendingScroll.place || strip.scrollTarget !== strip.offset || Math.abs(strip.offset - lastOffset) >= 1;

  /** Where the strip will be in a second. Its windows are requested before it moves. */
  const predictOffset = () => {
    if (isMarquee) return strip.offset + (PLANNING_TIME * number) / 1000;
    return waited > number - PLANNING_TIME && !isAtEnd(strip, 1) ? pageOffset(strip, 1) : strip.scrollTarget;
  };
  const setPredictedOffset = (offset) => {
    if (strip.predictedOffset === offset) return;
    strip.predictedOffset = offset;
    strip.requestDraw();
  };

  const end = () => {
    if (isRunning) callHook(strip, "motionEnd"); // the strip comes to rest
    isRunning = false;
  };
  const label = (messages) => setText(button, { ...ENGLISH, ...messages }[isPaused ? "play" : "pause"]);
  localize(strip, on, label);

  const step = (now) => {
    frame = isVisible && requestAnimationFrame(step);
    button.hidden = reducedMotion.matches;
    const isMoved = isMarquee && isMovedByOthers();
    if (isMoved) isRunning = false; // that movement ends by itself
    const waits = mustWait() || isMoved;
    if (waits) end();
    const passed = Math.min(100, now - lastTime);
    waited = waits ? 0 : waited + passed;
    [lastTime, lastOffset] = [now, strip.offset];
    setPredictedOffset(waits ? undefined : predictOffset());
    if (!isRunning && waited < (isMarquee ? IDLE_DELAY : number)) return;
    const start = isAtEnd(strip, 1) ? strip.axis.minOffset : undefined;
    if (isMarquee) {
      isRunning = true;
      strip.scrollTo({ offset: start ?? strip.offset + (passed * number) / 1000 });
      lastOffset = strip.offset;
    } else scrollSmoothly(strip, start ?? pageOffset(strip, 1));
    waited = 0;
  };
  on("click", () => {
    isPaused = !isPaused;
    label(messagesOf(strip));
  }, button);
  on("isMoving", () => isMarquee && !mustWait());
  strip.viewport.before(button);
  const place = new IntersectionObserver((entries) => {
    isVisible = entries.at(-1).intersectionRatio >= 0.5;
    frame ||= requestAnimationFrame(step); // it can be the last one
  }, { threshold: 0.5 });
  place.observe(strip);
  return () => {
    place.disconnect();
    cancelAnimationFrame(frame);
    strip.predictedOffset = undefined;
    button.remove();
    end();
  };
});

/** The element with the focus, also in shadow roots. */
function focusIn({ activeElement }) {
  return activeElement?.shadowRoot?.activeElement ? focusIn(activeElement.shadowRoot) : activeElement;
}
