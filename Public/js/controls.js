// The line of controls below a strip: a step back and on, a scrubber, a jump.
import { page } from "./paging.js";

/** Connects the controls in `line`, which work by themselves without scripts, to `strip`. */
export function connectControls(strip, line) {
  const [back, on] = [line.querySelector("[rel=prev]"), line.querySelector("[rel=next]")];
  const scrubber = line.querySelector(".scrubber");
  const form = line.querySelector("form");

  for (const [link, direction] of [[back, -1], [on, 1]]) {
    link.setAttribute("role", "button");
    link.tabIndex = 0;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      page(strip, direction);
    });
    link.addEventListener("keydown", (event) => {
      if (event.key !== " " && (event.key !== "Enter" || link.href)) return;
      event.preventDefault();
      page(strip, direction);
    });
  }

  scrubber.addEventListener("input", () => {
    strip.scrollTo({ offset: scrubber.valueAsNumber * strip.furthest, behavior: "instant" });
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    strip.scrollTo({ index: form.elements.index.valueAsNumber, align: "center", behavior: "smooth" });
  });

  const follow = () => {
    if (!strip.head) return;
    const { offset, furthest } = strip;
    const { extent, wrap: wraps } = strip.head;
    const turned = wraps ? ((offset % extent) + extent) % extent : offset;
    const share = furthest ? Math.min(1, turned / furthest) : 0;
    scrubber.disabled = furthest === 0;
    if (!scrubber.matches(":active")) scrubber.valueAsNumber = share;
    scrubber.setAttribute("aria-valuetext", `${Math.round(share * 100)} %`);
    back.ariaDisabled = String(!wraps && offset < 1);
    on.ariaDisabled = String(!wraps && offset > furthest - 1);
  };
  for (const type of ["windowchange", "reload", "scroll", "scrollend"]) {
    strip.addEventListener(type, follow, { passive: true });
  }
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
