// The album browser: shows the details of the album in the center.
import "./gallery.js";
import { connectDetails } from "./details.js";

connectDetails(document.querySelector("carousel-strip"), document.getElementById("details"));
