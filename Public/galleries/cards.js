// One card at a time: shows the title of the current card when the strip is at rest.
import "./gallery.js";
import { setText } from "/js/base/text.js";

const strip = document.querySelector("carousel-strip");
const current = document.getElementById("current");

strip.addEventListener("settle", ({ detail: item }) => setText(current, item?.fields?.title ?? ""));

document.getElementById("marquee").addEventListener("change", ({ target: { checked } }) => {
  strip.autoplay = checked ? "marquee 40" : null;
});
