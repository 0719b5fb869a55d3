// Thumbnails: a selection in one strip is made in the other.
import "./gallery.js";
import { setText } from "/js/base/text.js";

const main = document.getElementById("main");
const thumbnails = document.getElementById("thumbnails");
const current = document.getElementById("current");

for (const [strip, other] of [[main, thumbnails], [thumbnails, main]]) {
  strip.addEventListener("select", ({ detail: { index, fields } }) => {
    if (other.selected?.index !== index) other.select(index);
    if (strip === main) setText(current, `${fields.title}, ${fields.subtitle}`);
    thumbnails.scrollTo({ index, align: "center", behavior: "smooth" });
  });
}
