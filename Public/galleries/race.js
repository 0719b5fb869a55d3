// The race: the strip, then a list that loads all its items. Shows the time, nodes and bytes of both.
import "./gallery.js";
import { WINDOW_WIDTH, showList } from "./naive-list.js";
import { formatNumber } from "/js/language/format.js";
import { create } from "/js/base/dom.js";
import { setText } from "/js/base/text.js";

const form = document.querySelector(".start");
const FIGURES = { first: "First card, ms", all: "All items reachable, ms", nodes: "Nodes", bytes: "Bytes" };
const strip = createLane("strip");
const list = createLane("list");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  form.querySelector("button").disabled = true;
  form.toggleAttribute("data-started", true);
  for (const lane of [strip, list]) bytes.set(lane, 0);
  await run(strip, showStrip);
  await run(list, (parent, report) => showList(parent, Number(form.elements.count.value), report));
  form.querySelector("button").disabled = false;
});

/** The parent of one competitor, and the nodes of its figures by name. */
function createLane(name) {
  const values = Object.entries(FIGURES).map(([key, title]) => {
    const value = create("dd", { id: `${name}-${key}` }, "–");
    document.getElementById(`${name}-figures`).append(create("div", {}, create("dt", {}, title), value));
    return [key, value];
  });
  return { parent: document.getElementById(`${name}-place`), values: Object.fromEntries(values) };
}

/** Measures `show`, which fills the lane, and reports "first" and "all". */
async function run({ parent, values }, show) {
  parent.replaceChildren();
  const start = performance.now();
  await show(parent, async (key) => {
    await new Promise(requestAnimationFrame);
    setText(values[key], formatNumber(Math.round(performance.now() - start)));
    setText(values.nodes, formatNumber(parent.querySelectorAll("*").length));
  });
}

// The compressed bytes of windows. Only the list requests the largest width.
const bytes = new Map([[strip, 0], [list, 0]]);
new PerformanceObserver((entries) => {
  for (const { name, encodedBodySize } of entries.getEntries()) {
    const { pathname, searchParams } = new URL(name);
    if (pathname !== "/window") continue;
    const lane = searchParams.get("width") === String(WINDOW_WIDTH) ? list : strip;
    bytes.set(lane, bytes.get(lane) + encodedBodySize);
    setText(lane.values.bytes, formatNumber(bytes.get(lane)));
  }
}).observe({ type: "resource" });

/** Shows a strip. Once its first card is drawn, every item is reachable. */
async function showStrip(parent, report) {
  const element = create("carousel-strip", { ariaLabel: "The strip" });
  element.setAttribute("strip", "billion");
  element.setAttribute("controls", "previous scrubber next");
  const settled = new Promise((resolve) => element.addEventListener("settle", resolve, { once: true }));
  parent.append(element);
  await settled;
  await report("first");
  await report("all");
}

form.requestSubmit();
