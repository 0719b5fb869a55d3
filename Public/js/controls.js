// Controls of a strip's own: steps back and on, a scrubber, position dots.
import { dots } from "./dots.js";
import { labelOf } from "./labels.js";
import { control, make } from "./make.js";
import { scrubber } from "./scrubber.js";
import { step } from "./step.js";
import { switched } from "./switched.js";
import { say } from "./template.js";

const PARTS = {
  previous: (strip, on) => step(strip, on, -1, control(strip, "button", { ariaLabel: "Previous" })),
  next: (strip, on) => step(strip, on, 1, control(strip, "button", { ariaLabel: "Next" })),
  scrubber,
  dots,
};

/**
 * The attribute `controls`: which to put below the strip, in what order, as "previous scrubber next". Whoever steps by a
 * button hears where that led; the status is silent otherwise.
 */
switched("controls", (strip, on, words) => {
  const status = make("p", { part: "status", role: "status" });
  const parts = words.split(" ").flatMap((word) => PARTS[word]?.(strip, on) ?? []);
  const line = make("div", { part: "controls" }, ...parts, status);
  strip.after(line);
  on("settle", ({ detail: item }) => {
    if (line.querySelector("button:focus")) say(status, labelOf(item, strip.head.count));
  });
  return () => line.remove();
});
