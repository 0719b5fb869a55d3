// The menu: one choice.
import "./gallery.js";
import { leaf } from "./leaf.js";
import { say } from "/js/template.js";

const strip = document.querySelector("carousel-strip");
const chosen = document.getElementById("chosen");
const show = leaf(document.getElementById("details"));

strip.addEventListener("select", ({ detail: item }) => {
  say(chosen, `You chose ${item.fields.title}.`);
  show(item, strip.head.count);
});
