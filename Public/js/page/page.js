// The demo page: connects the strip to its controls, the switches, the details and the x-ray panel.
import "../filters/facets.js";
import "../filters/filters.js";
import "../filters/search.js";
import { create } from "../base/dom.js";
import { languageOf } from "../base/language.js";
import { setText } from "../base/text.js";
import { start } from "../base/lifecycle.js";
import { withoutReload } from "../base/without-reload.js";
import { stepButton } from "../controls/controls.js";
import { scrubber } from "../controls/scrubber.js";
import { define } from "../element/define.js";
import { formatCount } from "../language/format.js";
import { messagesOf } from "../language/messages.js";
import { addViewer } from "../viewer/viewer.js";
import { fetchJSON, retryUntilLoaded } from "../windows/server.js";
import { showDetails } from "./details.js";
import { replaceFlow } from "./flow.js";
import { connectMenu, showCurrent } from "./menu.js";
import { addAlbums, addShelves } from "./shelves.js";
import { connectXray } from "./xray.js";

const strip = document.querySelector("carousel-strip");
/** Whether the page shows a wall of pictures. */
const isWall = strip.getAttribute("layout") === "rows";
replaceFlow(strip);
define();

const details = document.getElementById("details");
/** Other languages have theirs with those of the strip. */
const ENGLISH = {
  pictures: { one: "{count} picture", other: "{count} pictures" },
};
const countLine = document.querySelector(".count");
const facets = document.querySelector(".facets");
const nothing = document.querySelector(".nothing");
const bar = document.querySelector(".bar");
/** Whether the page shows a list, a grid or rows. */
const isArranged = /list|grid|rows/.test(strip.getAttribute("layout"));

const isWide = matchMedia("(width >= 64rem)");
let moved = null; // how the details have moved the strip: the offsets `from` and `to`
let chosen = null; // the item whose details are shown, perhaps after the formatter of its fields is loaded
strip.addEventListener("select", async ({ detail }) => {
  chosen = detail;
  const card = strip.nodeOf(detail.index);
  if (card?.contains(document.activeElement)) card.focus({ preventScroll: true }); // a tap on the title has it, which takes no keys
  const { loadFormatter } = await retryUntilLoaded(() => import("../language/fields.js"));
  const formatter = await loadFormatter(strip, languageOf(strip));
  if (chosen !== detail) return;
  const keep = isArranged ? keepInView(detail) : null;
  const title = strip.nodeOf(detail.index)?.querySelector(".instead:not([hidden])")?.textContent; // of a table without titles
  showDetails(details, title ? { ...detail, fields: { title, ...detail.fields } } : detail, strip.meta.count, formatter, strip.nodeOf(detail.index));
  details.append(closeButton());
  details.scrollTop = 0;
  if (keep) keep();
  else showWhole(details);
});
strip.addEventListener("focusin", ({ target }) => {
  const { index } = target.dataset;
  if (isArranged && chosen && index && +index !== chosen.index && target.matches(":focus-visible")) strip.select(+index, "key");
});
strip.addEventListener("deselect", ({ detail }) => {
  chosen = null;
  setTimeout(() => { // another item can be selected at once
    if (chosen) return;
    const keep = isArranged && details.firstChild ? keepInView(detail) : null;
    details.replaceChildren();
    keep?.();
  });
});
strip.addEventListener("reload", showCount);
strip.addEventListener("reload", showNothing);
window.addEventListener("carousel-language", showCount);
if (isWall) addViewer(strip);
strip.addEventListener("willdisplay", loadBlur);
removeFilters(strip);
connectControls(strip, document.querySelector(".controls"));
connectSwitches(strip, document.querySelector(".switches"));
document.querySelectorAll(".menu").forEach(connectMenu);
if (facets) connectFacets(facets);
if (facets) bar.addEventListener("focusin", hideUnused);
nothing?.querySelector("button").addEventListener("click", () => {
  if (withoutReload(strip, () => ["where", "q"].forEach((name) => strip.removeAttribute(name)))) strip.reload();
  bar.querySelector("input[type=search], select")?.focus();
});
showCurrent();
connectLinks();
forwardKeys(strip);
document.addEventListener("keydown", ({ key }) => isArranged && key === "Escape" && strip.deselect());
if (isArranged) addAlbums(strip, document.querySelector(".albums"), countText);
else addShelves(strip, document.querySelector("main"));
const isXrayed = new URL(location).searchParams.has("xray"); // what engineers look for
document.documentElement.toggleAttribute("data-engineer", isXrayed);
document.querySelector(".switch").hidden = !isXrayed;
connectXray(strip, document.getElementById("xray"), document.getElementById("xray-switch"));

/**
 * Keeps the card of an item where it is in the window while the details come or go. Call it before that, and call the function that
 * it returns after that. In a wide window the cards get another width, and then other rows. In a narrow window the details cover the
 * lower cards: the card moves above them. When they go it moves back, unless the reader has scrolled.
 */
function keepInView({ id }) {
  const card = () => strip.querySelector(`:scope > ul > li[data-id="${CSS.escape(id)}"]`);
  const box = card()?.getBoundingClientRect();
  const wasOpen = !!details.firstChild;
  const from = strip.offset;
  return () => {
    if (!box || box.bottom < 0 || box.top > innerHeight) return;
    const isOpen = !!details.firstChild;
    const place = (end, behavior) => {
      const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0; // of the bar
      const at = Math.max(top, Math.min(box.top, end - (card()?.offsetHeight ?? 0)));
      strip.scrollTo({ item: id, at, behavior });
      if (!card()) strip.addEventListener("draw", () => place(end, behavior), { once: true }); // its height is not known yet
      return from + box.top - at;
    };
    if (isWide.matches) {
      if (wasOpen !== isOpen) strip.addEventListener("reload", () => strip.addEventListener("draw", () => place(innerHeight), { once: true }), { once: true });
    } else if (isOpen) {
      const to = place(details.getBoundingClientRect().top, "smooth");
      moved = { from: wasOpen && moved ? moved.from : from, to };
    } else if (Math.abs(moved?.to - from) < 2) strip.scrollTo({ offset: moved.from, behavior: "smooth" });
  };
}

/** Scrolls the page until a box below the strip is in view, as far as the strip stays in view. */
function showWhole(box) {
  const top = Math.min(box.getBoundingClientRect().bottom - innerHeight, strip.getBoundingClientRect().top - 16);
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  if (top > 0) window.scrollBy({ top, behavior });
}

/** A number of items or of pictures, in words. */
function countText(count) {
  const { of } = countLine.dataset;
  return formatCount(count, document.documentElement, messagesOf(document.documentElement)[of] ?? ENGLISH[of]);
}

function showCount() {
  if (!strip.meta) return;
  const count = countText(strip.meta.count);
  setText(countLine, `${document.querySelector("carousel-search")?.correction ?? ""} ${count}`.trim());
  const done = facets?.querySelector(".done");
  if (done) setText(done, done.dataset.text.replace("…", () => count));
}

/** Says that no item matches, with the words of the search and a button beside them. */
function showNothing() {
  if (!nothing || !strip.meta) return;
  const { count, view } = strip.meta;
  const query = nothing.querySelector("q");
  query.hidden = !view?.q;
  setText(query, view?.q ?? "");
  nothing.hidden = count > 0 || !(view?.where || view?.q);
}

/** Loads what shows blurred pictures, for the first item that has one. */
function loadBlur({ detail: { item } }) {
  if (!item.fields.thumbhash) return;
  strip.removeEventListener("willdisplay", loadBlur);
  retryUntilLoaded(() => import("../cards/thumbhash.js"));
}

/** The button that shows all facets: in a sheet, or if the first are in view, below them. The page keeps its height. */
function connectFacets(facets) {
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
  new IntersectionObserver(([{ isIntersecting }]) => bar.toggleAttribute("data-stuck", !isIntersecting)).observe(document.querySelector(".heading-line"));
}

/** Hides a sort if no item has its field, and relevance without a search, when the reader opens the menu: the facets are there by then. */
function hideUnused({ target: { options } }) {
  for (const option of options ?? []) {
    if (option.value === "relevance") option.hidden = !strip.q && !option.selected;
    const facet = facets.querySelector(`[field="${CSS.escape(option.value.replace(/^-/, ""))}"]`);
    if (facet) option.hidden = facet.matches(":state(none)") && !option.selected;
  }
}

/** Closes the details. */
function closeButton() {
  const { close } = details.dataset;
  return create("button", { type: "button", className: "close", ariaLabel: close, onclick: () => strip.deselect() }, "×");
}

/** The links to other languages and layouts keep what the address has now: the view and the position. */
function connectLinks() {
  for (const link of document.querySelectorAll("[hreflang], .layouts a")) {
    const [name, value] = [...new URL(link.href).searchParams].findLast(([name]) => name === (link.hreflang ? "lang" : "layout"));
    link.addEventListener("click", () => {
      const url = new URL(location);
      url.searchParams.set(name, value);
      url.searchParams.set("strip", strip.strip);
      if (name === "layout") for (const old of ["offset", "at"]) url.searchParams.delete(old); // another layout has other places
      link.href = url;
    });
  }
}

/** Removes the filters when the element gets another strip. They are for the fields of the page's strip. */
function removeFilters(strip) {
  const { strip: name } = strip;
  strip.addEventListener("reload", () => {
    if (strip.strip === name) return;
    for (const filter of document.querySelectorAll("carousel-search, carousel-facets, carousel-filters")) filter.remove();
  });
}

/** Connects the links, the slider and the form in `line`. Without scripts, the links and the form load a page. */
function connectControls(strip, line) {
  start((_, on) => {
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
function connectSwitches(strip, switches) {
  for (const box of switches.querySelectorAll("input")) box.checked = strip.hasAttribute(box.name);
  switches.addEventListener("change", ({ target: { name, checked, attributes } }) => {
    if (checked) strip.setAttribute(name, attributes.value?.value ?? "");
    else strip.removeAttribute(name);
  });
}

/** Forwards keys to the strip while no element of the page has the focus. */
function forwardKeys(strip) {
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
