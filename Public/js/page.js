// The demo page: everything around the strip.
import "./complete.js";
import { showDetails } from "./details.js";
import { connectControls, lendKeys } from "./controls.js";
import { connectXray } from "./xray.js";

const strip = document.querySelector("carousel-strip");
const details = document.getElementById("details");

strip.addEventListener("select", ({ detail }) => showDetails(details, detail, strip.head.count));
connectControls(strip, document.querySelector(".controls"));
lendKeys(strip);
connectXray(strip, document.getElementById("xray"), document.getElementById("xray-switch"));
