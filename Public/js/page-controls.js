// What the demo page has to control its strip with.
import { begin } from "./listen.js";
import { scrubber } from "./scrubber.js";
import { step } from "./step.js";

/** Connects the links, the slider and the form in `line`; the links and the form work by themselves without scripts. */
export function connectLine(strip, line) {
  begin((_, on) => {
    for (const [link, count] of [[line.querySelector("[rel=prev]"), -1], [line.querySelector("[rel=next]"), 1]]) {
      link.role = "button";
      link.tabIndex = 0;
      step(strip, on, count, link);
      on("click", () => false, link);
      on("keydown", (event) => {
        if (event.key !== " " && (event.key !== "Enter" || link.href)) return;
        link.click();
        return false;
      }, link);
    }
    const scale = scrubber(strip, on);
    scale.querySelector("input").id = "scrubber";
    line.querySelector("[part=scale]").replaceWith(scale);
  }, strip);

  const form = line.querySelector("form");
  const field = form.elements.index;
  [field.min, field.max] = [1, Number(field.max) + 1]; // people count from 1, the address from 0
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    strip.scrollTo({ index: field.valueAsNumber - 1, align: "center", behavior: "smooth" });
  });
}

/** Connects checkboxes: each turns the attribute that it is named for on and off. */
export function connectSwitches(strip, switches) {
  for (const box of switches.querySelectorAll("input")) box.checked = strip.hasAttribute(box.name);
  switches.addEventListener("change", ({ target: { name, checked, attributes } }) => {
    if (checked) strip.setAttribute(name, attributes.value?.value ?? "");
    else strip.removeAttribute(name);
  });
}

/** Lets keys pressed on the page, where nothing has the focus, go to the strip. */
export function lendKeys(strip) {
  const lent = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);
  document.addEventListener("keydown", (event) => {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (target !== document.body || !lent.has(key)) return;
    const card = strip.querySelector("li[tabindex='0']");
    if (!card || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    card.focus({ preventScroll: true });
    card.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
}
