// The menu: one choice.
import "./gallery.js";
import { say } from "/js/template.js";

const chosen = document.getElementById("chosen");

document.querySelector("carousel-strip").addEventListener("select", ({ detail: { fields } }) => {
  say(chosen, `You chose ${fields.title}.`);
});
