// The first page: its figures, x-ray for all of its strips, and the way to the end of a billion. embed.js draws the strips.
import "../embed.js";
import { setText } from "../base/text.js";
import { formatNumber } from "../language/format.js";
import { visibleItems } from "../windows/in-view.js";
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

const wall = document.getElementById("wall");

/** The wheel and a finger scroll the page over a wall or a grid, until the reader moves it with its scrubber or with keys. */
function hold(strip, overflow) {
  strip.viewport.style.setProperty("overflow", overflow, "important");
}

strips.forEach(replaceFlow);

if (wall) customElements.whenDefined("carousel-strip").then(() => {
  for (const strip of [wall, document.getElementById("shop")]) {
    hold(strip, "hidden");
    strip.addEventListener("focusin", () => hold(strip, ""));
    strip.addEventListener("focusout", () => hold(strip, "hidden"));
  }
});

/** A tap on a picture of the wall, or on a print, opens it on the page of its strip. */
if (wall) for (const strip of [wall, document.getElementById("shop")]) {
  strip.addEventListener("select", ({ detail: { id } }) => {
    const { searchParams } = new URL(location); // it has the language
    for (const [name, value] of Object.entries({ strip: strip.strip, layout: strip.layout, item: id, [strip === wall ? "picture" : "selected"]: id })) searchParams.set(name, value);
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
document.getElementById("last")?.addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("billion").scrollTo({ index: 999_999_999, align: "end" });
});
