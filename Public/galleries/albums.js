// The album browser: shows the details of the album in the center.
import "./gallery.js";
import { showDetails } from "/js/page/details.js";

const strip = document.querySelector("carousel-strip");
const details = document.getElementById("details");

const hint = details.firstElementChild;

strip.addEventListener("deselect", () => details.replaceChildren(hint));
strip.addEventListener("select", ({ detail }) => showDetails(details, detail, strip.meta.count));
