// The page's own controls of its strip: links that step, a scrubber, a form, switches and keys.
import { startPlugin } from "../base/plugin.js";
import { stepButton } from "../controls/controls.js";
import { scrubber } from "../controls/scrubber.js";

/** Connects the links, the slider and the form in `line`. Without scripts, the links and the form load a page. */
export function connectControls(strip, line, isArranged) {
  startPlugin((_, on) => {
    for (const [link, direction] of [[line.querySelector("[rel=prev]"), -1], [line.querySelector("[rel=next]"), 1]]) {
      link.role = "button";
      link.tabIndex = 0;
      stepButton(strip, on, direction, link);
      on("click", () => false, link);
      on("keydown", (event) => {
        if (event.key !== " " && (event.key !== "Enter" || link.href)) return;
        link.click();
        return false;
      }, link);
    }
    if (isArranged) return; // the strip has a scrubber down its side
    const scale = scrubber(strip, on);
    scale.querySelector("input").id = "scrubber";
    line.querySelector("[part=scale]").replaceWith(scale);
  }, strip);

  const form = line.querySelector("form");
  const field = form.elements.index;
  [field.min, field.max] = [1, Number(field.max) + 1]; // readers count from 1, the address from 0
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    strip.scrollTo({ index: field.valueAsNumber - 1, align: "center", behavior: "smooth" });
  });
}

/** Connects checkboxes to the attributes of the strip that they are named for. */
export function connectSwitches(strip, switches) {
  for (const box of switches.querySelectorAll("input")) box.checked = strip.hasAttribute(box.name);
  switches.addEventListener("change", ({ target: { name, checked, attributes } }) => {
    if (checked) strip.setAttribute(name, attributes.value?.value ?? "");
    else strip.removeAttribute(name);
  });
}

/** Forwards keys to the strip while no element of the page has the focus. */
export function forwardKeys(strip) {
  const forwarded = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);
  document.addEventListener("keydown", (event) => {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (target !== document.body || !forwarded.has(key)) return;
    const card = strip.querySelector("li[tabindex='0']");
    if (!card || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    card.focus({ preventScroll: true });
    card.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
}
