// The details of the selected item below a strip, and a hint while none is selected.
import { languageOf } from "/js/base/language.js";
import { loadFormatter } from "/js/language/fields.js";
import { showDetails } from "/js/page/details.js";

/** Shows the item that `strip` selects in `section`, whose first element is the hint. */
export function connectDetails(strip, section) {
  const hint = section.firstElementChild;
  strip.addEventListener("deselect", () => section.replaceChildren(hint));
  strip.addEventListener("select", async ({ detail }) => {
    const formatter = await loadFormatter(strip, languageOf(strip));
    if (strip.selected?.id === detail.id) showDetails(section, detail, strip.meta.count, formatter);
  });
}
