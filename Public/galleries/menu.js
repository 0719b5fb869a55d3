// The menu: one selected entry.
import "./gallery.js";
import { createElementDetails } from "./element-details.js";
import { setText } from "/js/base/text.js";

const strip = document.querySelector("carousel-strip");
const chosen = document.getElementById("chosen");
const showDetails = createElementDetails(document.getElementById("details"));

const hint = chosen.textContent;

strip.addEventListener("deselect", () => {
  setText(chosen, hint);
  showDetails(null);
});
strip.addEventListener("select", ({ detail: item }) => {
  setText(chosen, `You chose ${item.fields.title}.`);
  if (item.origin !== "code") showDetails(item, strip.meta.count); // the first one moves nothing
});
strip.addEventListener("reload", () => strip.selected ?? strip.select(1), { once: true }); // the first entry, after a heading
