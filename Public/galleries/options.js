// The option bar: what was chosen, and how.
import "./gallery.js";
import { leaf } from "./leaf.js";
import { say } from "/js/template.js";

const strip = document.querySelector("carousel-strip");
const chosen = document.getElementById("chosen");
const show = leaf(document.getElementById("details"));
const HOW = { tap: "tapped", slide: "slid to", key: "chosen by a key", code: "chosen" };

strip.addEventListener("select", ({ detail: item }) => {
  say(chosen, `${item.fields.title}, ${HOW[item.origin]}.`);
  show(item, strip.head.count);
});
