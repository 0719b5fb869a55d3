// A button that leads a step back or on.
import { listen, whenDrawn } from "./listen.js";
import { page } from "./paging.js";

/** Has `button` lead by `count` pages, 1 or -1, and say when there is nowhere to go; returns it. */
export function step(strip, signal, count, button) {
  button.part = "step";
  listen(button, "click", (event) => {
    event.preventDefault();
    page(strip, count);
  }, signal);
  whenDrawn(strip, () => {
    const room = count < 0 ? strip.offset : strip.furthest - strip.offset;
    button.ariaDisabled = String(!strip.head.wrap && room < 1);
  }, signal);
  return button;
}
