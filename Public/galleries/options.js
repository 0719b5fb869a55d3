// The option bar: shows the selected option, and how it was selected.
import "./gallery.js";
import { createElementDetails } from "./element-details.js";
import { setText } from "/js/base/text.js";

const strip = document.querySelector("carousel-strip");
const chosen = document.getElementById("chosen");
const showDetails = createElementDetails(document.getElementById("details"));
const ORIGINS = { tap: "selected by a tap", slide: "selected by sliding", key: "selected by a key", code: "selected" };

const hint = chosen.textContent;

strip.addEventListener("deselect", () => {
  setText(chosen, hint);
  showDetails(null);
});
strip.addEventListener("select", ({ detail: item }) => {
  setText(chosen, `${item.fields.title}, ${ORIGINS[item.origin]}.`);
  showDetails(item, strip.meta.count);
});
