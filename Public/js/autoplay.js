// Autoplay: a step now and then, or a steady movement; with a button that stops it.
import { control } from "./make.js";
import { glide, pageFrom } from "./paging.js";
import { switched } from "./switched.js";

/**
 * The attribute `autoplay`: ms between steps, or "marquee 40" for as many px a second; anything else is none. From the end
 * it goes back to the start. It rests while the pointer or the focus is on the strip or what controls it, a finger on the
 * strip, the page hidden or the button pressed, and is off where motion is not welcome.
 */
switched("autoplay", (strip, on, how) => {
  const [, glides, number] = /^(marquee )?(\d+)$/.exec(how) ?? [];
  if (!number) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const pause = control(strip, "button", { part: "pause" }, "Pause");
  const around = `:is([id="${strip.id}"], [aria-controls="${strip.id}"]):is(:hover, :focus-within)`;
  let isPaused; // by the button; false where that was told to play, whoever is there
  let waited = 0; // ms since it moved, or rested
  let former = 0; // when that was last seen
  const rests = () =>
    strip.isHeld || calm.matches || !strip.head || document.hidden ||
    (isPaused ?? !!strip.getRootNode().querySelector(around));

  const move = (now) => {
    if (!pause.isConnected) return;
    requestAnimationFrame(move);
    pause.hidden = calm.matches;
    waited = rests() ? 0 : waited + Math.min(100, now - former);
    former = now;
    if (waited < (glides ? 1 : number)) return;
    const isAtEnd = strip.clamp(strip.offset + 1) < strip.offset + 1;
    if (glides) strip.scrollTo({ offset: isAtEnd ? 0 : strip.offset + (waited * number) / 1000 });
    else glide(strip, isAtEnd ? 0 : pageFrom(strip, 1));
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
