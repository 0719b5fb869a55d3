// Autoplay: a step now and then, or a steady movement; with a button that stops it.
import { make } from "./make.js";
import { page } from "./paging.js";
import { switched } from "./switched.js";

/**
 * The attribute `autoplay`: ms between steps, or "marquee 40" for as many px a second. It rests while the pointer is
 * over the strip, the focus in it, the page or the strip hidden or the button pressed, and is off where motion is not
 * welcome.
 */
export const autoplay = switched("autoplay", (strip, signal, how) => {
  const [, word, number] = /^(marquee)?\s*(\d+)$/.exec(how) ?? [];
  if (!number) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const button = make("button", { part: "pause", type: "button" });
  let isPaused = false;
  const show = () => {
    button.textContent = isPaused ? "Play" : "Pause";
    button.hidden = calm.matches;
  };
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    show();
  });
  calm.addEventListener("change", show, { signal });
  show();
  strip.before(button);
  const moves = () =>
    !(isPaused || calm.matches || document.hidden || !strip.checkVisibility({ visibilityProperty: true }) || strip.matches(":hover, :focus-within"));
  if (word) glide(strip, Number(number) / 1000, moves, signal);
  else {
    const timer = setInterval(() => strip.head && moves() && stepOn(strip), Number(number));
    signal.addEventListener("abort", () => clearInterval(timer));
  }
  signal.addEventListener("abort", () => button.remove());
});

/** On by a step; from the end, back to the beginning. */
function stepOn(strip) {
  if (strip.head.wrap || strip.offset < strip.furthest - 1) page(strip, 1);
  else strip.scrollTo({ offset: 0, behavior: "smooth" });
}

/** Moves steadily by `speed` px/ms; positions are kept apart, for the browser rounds its own. */
function glide(strip, speed, moves, signal) {
  let [offset, former, frame] = [0, 0, 0];
  const move = (now) => {
    frame = requestAnimationFrame(move);
    if (strip.head && moves()) {
      if (Math.abs(offset - strip.offset) > 2) ({ offset } = strip);
      offset = strip.clamp(offset + speed * Math.min(100, now - former));
      strip.scrollTo({ offset });
    }
    former = now;
  };
  frame = requestAnimationFrame(move);
  strip.addEventListener("rest", (event) => moves() && event.preventDefault(), { signal });
  signal.addEventListener("abort", () => cancelAnimationFrame(frame));
}
