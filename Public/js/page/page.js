// The page of a strip: connects the strip to its controls, the filters, the details and the x-ray panel.
import "../filters/facets.js";
import "../filters/filters.js";
import "../filters/search.js";
import { readParameter, writeParameter } from "../base/history.js";
import { define } from "../element/define.js";
import { retryUntilLoaded } from "../server/retries.js";
import { addViewer } from "../viewer/viewer.js";
import { connectControls, connectSwitches, forwardKeys } from "./controls.js";
import { DetailsPanel } from "./details-panel.js";
import { connectFilters } from "./filters.js";
import { replaceFlow } from "./flow.js";
import { connectLinks, connectMenu, showCurrent } from "./menu.js";
import { countText, showResult } from "./result.js";
import { addAlbums, addShelves } from "./shelves.js";
import { connectXray } from "./xray.js";

const strip = document.querySelector("carousel-strip");
const layout = strip.getAttribute("layout");
/** Whether the page shows a list, a grid or rows. */
const isArranged = /list|grid|rows/.test(layout);
replaceFlow(strip);
define();

const facets = document.querySelector(".facets");
const bar = document.querySelector(".bar");
if (layout === "rows" && readParameter("selected")) { // a wall shows an item in the viewer
  writeParameter("replaceState", "picture", readParameter("selected"));
  writeParameter("replaceState", "selected", null);
}
new DetailsPanel(strip, document.getElementById("details"), isArranged);
showResult(strip, facets, bar);
if (layout === "rows") addViewer(strip); // a wall of pictures
strip.addEventListener("willdisplay", loadBlur);
connectFilters(strip, bar, facets);
connectControls(strip, document.querySelector(".controls"), isArranged);
connectSwitches(strip, document.querySelector(".switches"));
document.querySelectorAll(".menu").forEach(connectMenu);
showCurrent();
connectLinks(strip);
forwardKeys(strip);
document.addEventListener("keydown", ({ key }) => isArranged && key === "Escape" && strip.deselect());
if (isArranged) addAlbums(strip, document.querySelector(".albums"), countText);
else addShelves(strip, document.querySelector("main"));
const isXrayed = new URL(location).searchParams.has("xray"); // what engineers look for
document.documentElement.toggleAttribute("data-engineer", isXrayed);
document.querySelector(".switch").hidden = !isXrayed;
connectXray(strip, document.getElementById("xray"), document.getElementById("xray-switch"));

/** Loads what shows blurred pictures, for the first item that has one. */
function loadBlur({ detail: { item } }) {
  if (!item.fields.thumbhash) return;
  strip.removeEventListener("willdisplay", loadBlur);
  retryUntilLoaded(() => import("../cards/thumbhash.js"));
}
