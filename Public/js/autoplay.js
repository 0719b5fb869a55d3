// Autoplay: a step now and then, or a steady movement; with a button that stops it.
import { listen } from "./listen.js";
import { make } from "./make.js";
import { page } from "./paging.js";
import { switched } from "./switched.js";

/**
 * The attribute `autoplay`: ms between steps, or "marquee 40" for as many px a second. It rests while the pointer is
 * over the strip, the focus in it, the page or the strip hidden or the button pressed, and is off where motion is not
 * welcome.
 */
export const autoplay = switched("autoplay", (strip, signal, how) => {
  const [, glides, number] = /^(marquee)?\s*(\d+)$/.exec(how) ?? [];
  if (!number) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const button = make("button", { part: "pause", type: "button", textContent: "Pause", hidden: true });
  let [isPaused, waited, former, frame] = [false, 0, 0, 0]; // waited: ms since it moved, or rested
  const rests = () =>
    isPaused || button.hidden || !strip.head || document.hidden ||
    !strip.checkVisibility({ visibilityProperty: true }) || strip.matches(":hover, :focus-within");

  const move = (now) => {
    frame = requestAnimationFrame(move);
    button.hidden = calm.matches;
    waited = rests() ? 0 : waited + Math.min(100, now - former);
    former = now;
    if (waited && glides) strip.scrollTo({ offset: strip.offset + (waited * number) / 1000 });
    else if (waited >= number) stepOn(strip);
    if (glides || waited >= number) waited = 0;
  };
  listen(button, "click", () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? "Play" : "Pause";
  });
  listen(strip, "rest", (event) => glides && !rests() && event.preventDefault(), signal);
  listen(signal, "abort", () => {
    cancelAnimationFrame(frame);
    button.remove();
  });
  strip.before(button);
  move(0);
});

/** On by a step; from the end, back to the beginning. */
function stepOn(strip) {
  if (strip.head.wrap || strip.offset < strip.furthest - 1) page(strip, 1);
  else strip.scrollTo({ offset: 0, behavior: "smooth" });
}
