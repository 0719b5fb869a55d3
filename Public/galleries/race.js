// The race: the strip, then a list that loads all its items; with what each took.
import "/js/plain.js";
import "./gallery.js";
import { WIDTH, list } from "./list.js";
import { make } from "/js/make.js";
import { say } from "/js/template.js";

const form = document.querySelector(".start");
const FIGURES = { first: "First card, ms", all: "All within reach, ms", nodes: "Elements", bytes: "Bytes" };
const strip = lane("strip");
const naive = lane("list");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  form.querySelector("button").disabled = true;
  form.toggleAttribute("data-begun", true);
  for (const one of [strip, naive]) bytes.set(one, 0);
  await run(strip, showStrip);
  await run(naive, (place, tell) => list(place, Number(form.elements.count.value), tell));
  form.querySelector("button").disabled = false;
});

/** Where one of the two stands, and its figures by name. */
function lane(name) {
  const values = Object.entries(FIGURES).map(([key, title]) => {
    const value = make("dd", { id: `${name}-${key}` }, "–");
    document.getElementById(`${name}-figures`).append(make("div", {}, make("dt", {}, title), value));
    return [key, value];
  });
  return { place: document.getElementById(`${name}-place`), values: Object.fromEntries(values) };
}

/** Has `show` fill the lane; it tells "first" and "all" when those stand there. */
async function run({ place, values }, show) {
  place.replaceChildren();
  const start = performance.now();
  await show(place, async (key) => {
    await new Promise(requestAnimationFrame);
    say(values[key], Math.round(performance.now() - start).toLocaleString("en"));
    say(values.nodes, place.querySelectorAll("*").length.toLocaleString("en"));
  });
}

// Bytes of windows, packed as they came; the list's are of one width.
const bytes = new Map([[strip, 0], [naive, 0]]);
new PerformanceObserver((entries) => {
  for (const { name, encodedBodySize } of entries.getEntries()) {
    const { pathname, searchParams } = new URL(name);
    if (pathname !== "/window") continue;
    const one = searchParams.get("width") === String(WIDTH) ? naive : strip;
    bytes.set(one, bytes.get(one) + encodedBodySize);
    say(one.values.bytes, bytes.get(one).toLocaleString("en"));
  }
}).observe({ type: "resource" });

/** A strip: once its first card stands, every item can be scrolled to. */
async function showStrip(place, tell) {
  const made = make("carousel-strip", { ariaLabel: "The strip" });
  made.setAttribute("strip", "billion");
  made.setAttribute("controls", "previous scrubber next");
  const shown = new Promise((go) => made.addEventListener("settle", go, { once: true }));
  place.append(made);
  await shown;
  await tell("first");
  await tell("all");
}
