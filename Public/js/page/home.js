// The first page: its figures, x-ray for all of its strips, and the way to the end of a billion. embed.js draws the strips.
import "../embed.js";
import { setText } from "../base/text.js";
import { formatNumber } from "../language/format.js";
import { visibleItems } from "../windows/in-view.js";
import { colorCode } from "./code.js";
import { replaceFlow } from "./flow.js";
import { connectMenu } from "./menu.js";
import { colorSlots } from "./xray.js";

const strips = document.querySelectorAll("carousel-strip");
const switcher = document.getElementById("xray-switch");

/** What a line says of a strip, by its `data-figure`. */
const FIGURES = {
  nodes: (strip) => formatNumber(strip.querySelectorAll("li").length),
  view: (strip) => {
    const items = visibleItems(strip);
    return items[0] ? `${formatNumber(items[0].index + 1)} – ${formatNumber(items.at(-1).index + 1)}` : "0";
  },
};

for (const strip of strips) {
  const lines = document.querySelectorAll(`[data-for="${strip.id}"]`);
  strip.addEventListener("draw", () => {
    for (const line of lines) setText(line, line.dataset.text.replace("…", () => FIGURES[line.dataset.figure](strip)));
    if (switcher.checked) colorSlots(strip);
  });
}

/** Marks the part of the shop, if the page has one, while no print matches the search. */
document.getElementById("shop")?.addEventListener("reload", ({ target }) => target.closest(".tour").toggleAttribute("data-empty", target.meta.count === 0));

strips.forEach(replaceFlow);

/** The strips that scroll down: a wall of pictures, and a grid of prints. */
const layouts = document.querySelectorAll("#wall, #shop");

function setOverflow(strip, overflow) {
  strip.viewport.style.setProperty("overflow", overflow, "important");
}

/** Over these strips, the wheel and a finger scroll the page, until the reader moves one with its scrubber or with keys. */
customElements.whenDefined("carousel-strip").then(() => {
  for (const strip of layouts) {
    setOverflow(strip, "hidden");
    strip.addEventListener("focusin", () => setOverflow(strip, ""));
    strip.addEventListener("focusout", () => setOverflow(strip, "hidden"));
  }
});

/** A tap on a picture of the wall, or on a print, opens it on the page of its strip. */
for (const strip of layouts) {
  strip.addEventListener("select", ({ detail: { id } }) => {
    const { searchParams } = new URL(location); // it has the language
    for (const [name, value] of Object.entries({ strip: strip.strip, layout: strip.layout, item: id, [strip.id === "wall" ? "picture" : "selected"]: id })) searchParams.set(name, value);
    location.search = searchParams;
  });
}

/** A tap on a card of a shelf opens the item on the page of its strip. */
for (const shelf of document.querySelectorAll(".own-shelf")) {
  const { href } = shelf.querySelector("a");
  shelf.addEventListener("select", ({ detail: { id } }) => location.assign(`${href}&${new URLSearchParams({ item: id, selected: id })}`));
}

function showSlots() {
  for (const strip of strips) {
    strip.toggleAttribute("data-xray", switcher.checked);
    if (switcher.checked && strip.meta) colorSlots(strip);
  }
}

switcher.addEventListener("change", showSlots);
showSlots();
document.querySelectorAll(".menu").forEach(connectMenu);
colorCode(document.querySelectorAll("pre > code"));
document.getElementById("last")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("billion").scrollTo({ index: 999_999_999, align: "end" });
});
