// The option bar: what was chosen, and how.
import "./gallery.js";
import { say } from "/js/template.js";

const chosen = document.getElementById("chosen");
const HOW = { tap: "tapped", slide: "slid to", key: "chosen by a key", code: "chosen" };

document.querySelector("carousel-strip").addEventListener("select", ({ detail: { fields, origin } }) => {
  say(chosen, `${fields.title}, ${HOW[origin]}.`);
});
