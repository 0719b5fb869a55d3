// The cards that the server writes for a list, a grid or rows.

/** Removes them when the strip has drawn its own. They stay as they are until then, and if it cannot. A tap on one selects its item. */
export function replaceFlow(strip) {
  const flow = strip.querySelector(":scope > .before");
  if (!flow) return;
  flow.style.width = `${flow.offsetWidth}px`; // the controls would make it narrower
  let index;
  flow.addEventListener("click", ({ target }) => (index = target.closest("li")?.dataset.index));
  strip.addEventListener("draw", () => {
    flow.remove();
    strip.removeAttribute("data-before");
    if (index) strip.select(+index, "tap");
  }, { once: true });
}
