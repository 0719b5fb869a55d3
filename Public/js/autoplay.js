// Autoplay: a step now and then, or a steady movement; with a button that stops it.
import { button } from "./make.js";
import { glide, pageFrom } from "./paging.js";
import { switched } from "./switched.js";

/**
 * The attribute `autoplay`: ms between steps, or "marquee 40" for as many px a second. It rests while the pointer is
 * over the strip, a finger or the focus on it, the page or the strip hidden or the button pressed, and is off where motion is not
 * welcome.
 */
switched("autoplay", (strip, on, how) => {
  const [, glides, number] = /^(marquee)?\s*(\d+)$/.exec(how) ?? [];
  if (!number) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const pause = button({ part: "pause" }, "Pause");
  let isPaused;
  let waited = 0; // ms since it moved, or rested
  let former = 0; // when that was last seen
  const rests = () =>
    strip.isHeld || isPaused || pause.hidden || !strip.head || document.hidden ||
    getComputedStyle(strip).visibility === "hidden" || strip.matches(":hover, :focus-within");

  const move = (now) => {
    if (!pause.isConnected) return;
    requestAnimationFrame(move);
    pause.hidden = calm.matches;
    waited = rests() ? 0 : waited + Math.min(100, now - former);
    former = now;
    if (waited < (glides ? 1 : number)) return;
    if (glides) strip.scrollTo({ offset: strip.offset + (waited * number) / 1000 });
    else glide(strip, strip.head.wrap || strip.offset < strip.furthest - 1 ? pageFrom(strip, 1) : 0);
    waited = 0;
  };
  on("click", () => {
    isPaused = !isPaused;
    pause.textContent = isPaused ? "Play" : "Pause";
  }, pause);
  on("rest", () => !glides || rests());
  strip.before(pause);
  move(0);
  return () => pause.remove();
});
