// The timeline: a button for each decade scrolls to its first year.
import "./gallery.js";
import { create } from "/js/base/dom.js";
import { isRejected, retryUntilLoaded } from "/js/server/retries.js";

const strip = document.querySelector("carousel-strip");
const load = () => strip.fetchJSON(`strips/${strip.strip}/groups`, {});
const { groups } = await retryUntilLoaded(load, isRejected).catch(() => ({ groups: [] }));

const decades = new Map();
for (const { title, first } of groups) {
  const decade = `${title.slice(0, 3)}0s`;
  if (!decades.has(decade)) decades.set(decade, first);
}

for (const [decade, index] of decades) {
  const onclick = () => strip.scrollTo({ index, align: "start", behavior: "smooth" });
  document.querySelector(".decades").append(create("button", { type: "button", onclick }, decade));
}
