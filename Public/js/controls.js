// Controls of a strip's own: steps back and on, a scrubber, position dots.
import { dots } from "./dots.js";
import { labelOf } from "./labels.js";
import { listen } from "./listen.js";
import { make } from "./make.js";
import { scrubber } from "./scrubber.js";
import { step } from "./step.js";
import { switched } from "./switched.js";
import { say } from "./template.js";

const PARTS = {
  previous: (strip, signal) => step(strip, signal, -1, make("button", { ariaLabel: "Previous", textContent: "←" })),
  next: (strip, signal) => step(strip, signal, 1, make("button", { ariaLabel: "Next", textContent: "→" })),
  scrubber,
  dots,
};

/**
 * The attribute `controls`: which to put below the strip, in what order, as "previous scrubber next". Whoever steps by a
 * button hears where that led; the status is silent otherwise.
 */
export const controls = switched("controls", (strip, signal, words) => {
  const status = make("p", { part: "status", role: "status" });
  const parts = words.split(/\s+/).flatMap((word) => PARTS[word]?.(strip, signal) ?? []);
  const line = make("div", { part: "controls", role: "group", ariaLabel: "Controls" }, ...parts, status);
  strip.after(line);
  listen(strip, "settle", ({ detail: item }) => {
    if (item && line.querySelector("button:focus")) say(status, labelOf(item, strip.head.count));
  }, signal);
  listen(signal, "abort", () => line.remove());
});
