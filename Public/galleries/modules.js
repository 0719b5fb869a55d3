// A list of modules: each kind of item has its own card, size and response to a tap.
import "./gallery.js";
import { setText } from "/js/base/text.js";

const strip = document.querySelector("carousel-strip");
const chosen = document.getElementById("chosen");

strip.kind("heading", {
  select: ({ fields: { title, subtitle } }) => setText(chosen, `${title} has ${subtitle}.`),
});

strip.kind("element", {
  // The card of an element of which little is known stays blank.
  fill: (card, { fields }) => card.toggleAttribute("data-blank", fields.category === "Chemistry not yet known"),
  select: ({ fields: { title, category } }) => setText(chosen, `${title}: ${category.toLowerCase()}.`),
});

strip.kind("gas", {
  display: (card) => card.classList.add("floating"),
  enddisplay: (card) => card.classList.remove("floating"),
  select: ({ fields: { title } }) => setText(chosen, `${title} keeps to itself.`),
});
