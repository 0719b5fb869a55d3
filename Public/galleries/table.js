// The table: a list with sticky headings, and details of the selected row.
import "./gallery.js";
import { connectDetails } from "./details.js";

connectDetails(document.querySelector("carousel-strip"), document.getElementById("details"));
