// The timeline: a button for each decade scrolls to its first year.
import "./gallery.js";
import { create } from "/js/base/dom.js";

const strip = document.querySelector("carousel-strip");
const response = await fetch(`/strips/${strip.strip}/groups`).catch(() => null);
const { groups } = response?.ok ? await response.json() : { groups: [] };

const decades = new Map();
for (const { title, first } of groups) {
  const decade = `${title.slice(0, 3)}0s`;
  if (!decades.has(decade)) decades.set(decade, first);
}

for (const [decade, index] of decades) {
  const onclick = () => strip.scrollTo({ index, align: "start", behavior: "smooth" });
  document.querySelector(".decades").append(create("button", { type: "button", onclick }, decade));
}
