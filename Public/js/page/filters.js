// The bar of filters: the search, the sort, and the button that shows all facets.
import { FILTERS } from "../filters/strip-filter.js";

const isWide = matchMedia("(width >= 64rem)");

/** Connects the `bar` of the page's strip, and its `facets` if it has some. */
export function connectFilters(strip, bar, facets) {
  removeFilters(strip);
  if (bar) new MutationObserver(() => bar.toggleAttribute("data-searched", strip.hasAttribute("q") && !strip.hasAttribute("where"))).observe(strip, { attributeFilter: ["q", "where"] });
  if (!facets) return;
  connectFacets(bar, facets);
  bar.addEventListener("focusin", ({ target }) => hideUnused(target.options ?? [], strip, facets));
  new MutationObserver(() => showHeadings(strip, bar.querySelector("[name=sort]"))).observe(strip, { attributeFilter: ["sort"] });
}

/** Removes the filters when the element gets another strip. They are for the fields of the page's strip. */
function removeFilters(strip) {
  const { strip: name } = strip;
  strip.addEventListener("reload", () => {
    if (strip.strip === name) return;
    for (const filter of document.querySelectorAll(`${FILTERS}, .bar .all`)) filter.remove();
  });
}

/** The button that shows all facets: in a sheet, or if the first are in view, below them. The page keeps its height. */
function connectFacets(bar, facets) {
  const button = bar.querySelector(".all");
  button.addEventListener("click", (event) => {
    const { bottom, height } = facets.parentNode.getBoundingClientRect();
    if (!height || bottom < bar.getBoundingClientRect().bottom) return;
    event.preventDefault();
    button.ariaExpanded = facets.toggleAttribute("data-all");
  });
  facets.addEventListener("beforetoggle", ({ newState }) => (facets.parentNode.style.height = newState === "open" ? `${facets.parentNode.offsetHeight}px` : ""));
  facets.addEventListener("toggle", ({ newState }) => (button.ariaExpanded = newState === "open"));
  isWide.addEventListener("change", () => facets.hidePopover());
  new IntersectionObserver((entries) => bar.toggleAttribute("data-stuck", !entries.at(-1).isIntersecting)).observe(document.querySelector(".heading-line"));
}

/** Hides a sort if no item has its field, and relevance without a search, when the reader opens the menu: the facets are there by then. */
function hideUnused(options, strip, facets) {
  for (const option of options) {
    if (option.value === "relevance") option.hidden = !strip.q && !option.selected;
    const facet = facets.querySelector(`[field="${CSS.escape(option.value.replace(/^-/, ""))}"]`);
    if (facet) option.hidden = facet.matches(":state(none)") && !option.selected;
  }
}

/** A sort that has other groups than the strip has no headings: one by price would have a heading for each price. */
function showHeadings(strip, { options, dataset: { heading } }) {
  if (!heading || strip.layout === "strip") return;
  const option = [...options].find(({ value }) => value === (strip.sort ?? ""));
  if (option?.matches("[data-grouped]")) strip.setAttribute("heading", heading);
  else strip.removeAttribute("heading");
}
