// The album browser: the cover in the middle is told about below.
import "./gallery.js";
import { showDetails } from "/js/details.js";

const strip = document.querySelector("carousel-strip");
const details = document.getElementById("details");

strip.addEventListener("select", ({ detail }) => showDetails(details, detail, strip.head.count));
