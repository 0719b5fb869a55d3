// The demo page: everything around the strip.
import "./complete.js";
import { showDetails } from "./details.js";
import { connectLine, connectSwitches, lendKeys } from "./page-controls.js";
import { connectXray } from "./xray.js";

const strip = document.querySelector("carousel-strip");
const details = document.getElementById("details");

strip.addEventListener("select", ({ detail }) => showDetails(details, detail, strip.head.count));
connectLine(strip, document.querySelector(".controls"));
connectSwitches(strip, document.querySelector(".behaviours"));
lendKeys(strip);
connectXray(strip, document.getElementById("xray"), document.getElementById("xray-switch"));
