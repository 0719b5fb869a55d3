// Autoplay: a step now and then, or a steady movement; with a button that stops it.
import { page } from "./paging.js";

/**
 * The attribute `autoplay`: ms between steps, or "marquee 40" for as many px a second. It rests while the pointer is
 * over the strip, the focus in it, the page hidden or the button pressed, and is off where motion is not welcome.
 */
export function autoplay(strip, signal) {
  const [, word, number] = /^(marquee)?\s*(\d+)$/.exec(strip.getAttribute("autoplay") ?? "") ?? [];
  if (number === undefined || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const button = pauseButton(strip);
  const moves = () =>
    button.ariaPressed !== "true" && !document.hidden && !strip.matches(":hover") && !strip.matches(":focus-within");
  if (word) glide(strip, Number(number) / 1000, moves, signal);
  else {
    const timer = setInterval(() => moves() && stepOn(strip), Number(number));
    signal.addEventListener("abort", () => clearInterval(timer));
  }
  signal.addEventListener("abort", () => button.remove());
}

/** On by a step; from the end, back to the beginning. */
function stepOn(strip) {
  if (strip.head?.wrap || strip.offset < strip.furthest - 1) page(strip, 1);
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

/** A button before the strip's list that says "Pause" or "Play". */
function pauseButton(strip) {
  const button = document.createElement("button");
  const say = (isPaused) => {
    button.ariaPressed = String(isPaused);
    button.textContent = isPaused ? "Play" : "Pause";
  };
  button.type = "button";
  button.className = "pause";
  button.addEventListener("click", () => say(button.ariaPressed !== "true"));
  say(false);
  strip.before(button);
  return button;
}
