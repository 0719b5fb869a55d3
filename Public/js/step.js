// A button that leads a step back or on.
import { glide, pageFrom } from "./paging.js";

/** Has `button` lead by `count` pages, 1 or -1, and say when there is nowhere to go; returns it. */
export function step(strip, on, count, button) {
  button.part = "step";
  on("click", () => glide(strip, pageFrom(strip, count)), button);
  on("draw", () => {
    button.ariaDisabled = Math.abs(strip.clamp(strip.offset + count) - strip.offset) < 1;
  });
  return button;
}
