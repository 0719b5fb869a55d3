// The line of controls of a strip, and its step buttons.
import { create } from "../base/dom.js";
import { withOption } from "../base/plugin.js";
import { setText } from "../base/text.js";
import { labelOf } from "../language/format.js";
import { localize } from "../language/messages.js";
import { isAtEnd, pageOffset, scrollSmoothly } from "../motion/navigation.js";

/** A part that creates a button with an arrow. A child of the strip with the slot `name` replaces the arrow. */
const stepPart = (name, direction) => (strip, on) => {
  const button = create("button", { name, type: "button" }, create("slot", { name }, create("span", { ariaHidden: true })));
  localize(strip, on, (messages) => (button.ariaLabel = messages[name]));
  return stepButton(strip, on, direction, button);
};

/** The parts, by name: functions `(strip, on)` that create an element. plugins.js adds the optional ones. */
export const PARTS = { previous: stepPart("previous", -1), next: stepPart("next", 1) };

/**
 * The attribute `controls` names the parts to put below the strip, in order: "previous scrubber next". Children of the
 * strip with the slot `controls` follow. When a step ends, screen readers announce the current item.
 */
export const controls = withOption("controls", (strip, on, names) => {
  const status = create("p", { part: "status", role: "status" });
  const parts = names.split(" ").flatMap((name) => PARTS[name]?.(strip, on) ?? []);
  const line = create("div", { part: "controls" }, ...parts, create("slot", { name: "controls" }), status);
  strip.viewport.after(line);
  on("settle", ({ detail: item }) => {
    if (item && line.querySelector("button:focus")) setText(status, labelOf(item, strip));
  });
  return () => line.remove();
});

/** Makes `button` scroll by a page: on if `direction` is 1, back if it is -1. Marks it as disabled at the end. */
export function stepButton(strip, on, direction, button) {
  button.part = "step";
  on("click", () => scrollSmoothly(strip, pageOffset(strip, direction)), button);
  on("afterRender", () => {
    button.ariaDisabled = isAtEnd(strip, direction);
  });
  return button;
}
