// Autoplay: regular steps or a steady movement, with a button that pauses it.
import { withWords, wordsOf } from "../access/words.js";
import { create, setText } from "../element/dom.js";
import { withAttribute } from "../element/lifecycle.js";
import { leastOffset } from "../windows/geometry.js";
import { isAtEnd, pageOffset, scrollSmoothly } from "./navigation.js";
import { setStep } from "./rest.js";

/**
 * The attribute `autoplay`: the ms between steps, or "marquee 40" for 40 px/s. Any other value turns autoplay off. After
 * the end, the strip returns to its start. Autoplay waits while the pointer, the keyboard's focus or a finger is on the
 * strip or its controls. It also waits while the page is hidden, and after Pause. It is off if the reader prefers reduced
 * motion.
 */
export const autoplay = withAttribute("autoplay", (strip, on, value) => {
  const [, isMarquee, number] = /^(marquee )?(\d+)$/.exec(value) ?? [];
  if (!number) return;
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const button = create("button", { type: "button", part: "pause" });
  const hovered = matchMedia("(hover: hover)").matches ? ", :hover" : ""; // a tap leaves :hover behind
  const inUse = `:focus-visible, :has(:focus-visible)${hovered}`;
  let isPaused; // by the button. False after Play: then autoplay runs though the strip is in use
  let waited = 0; // ms since the last step or wait
  let lastTime = 0;
  const mustWait = () =>
    strip.isHeld || reducedMotion.matches || !strip.head || document.hidden ||
    (isPaused ?? (strip.matches(inUse) || !!strip.shadowRoot.querySelector(":focus-visible")));

  const label = ({ play, pause }) => setText(button, isPaused ? play : pause);
  withWords(strip, on, label);

  const step = (now) => {
    if (!button.isConnected) return;
    requestAnimationFrame(step);
    button.hidden = reducedMotion.matches;
    waited = mustWait() ? 0 : waited + Math.min(100, now - lastTime);
    lastTime = now;
    if (waited < (isMarquee ? 1 : number)) return;
    const start = isAtEnd(strip, 1) ? leastOffset(strip) : undefined;
    if (isMarquee) strip.scrollTo({ offset: start ?? strip.offset + (waited * number) / 1000 });
    else scrollSmoothly(strip, start ?? pageOffset(strip, 1));
    waited = 0;
  };
  on("click", () => {
    isPaused = !isPaused;
    label(wordsOf(strip));
  }, button);
  const removeStep = setStep(strip, "autoplay", () => isMarquee && !mustWait());
  strip.viewport.before(button);
  step(0);
  return () => {
    removeStep();
    button.remove();
  };
});
