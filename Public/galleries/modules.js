// A list of modules: each kind of item has its own card, size and response to a tap.
import "./gallery.js";
import { setText } from "/js/element/dom.js";

const chosen = document.getElementById("chosen");

const RESPONSES = {
  heading: ({ title, subtitle }) => `${title} has ${subtitle}.`,
  element: ({ title, category }) => `${title}: ${category.toLowerCase()}.`,
  gas: ({ title }) => `${title} keeps to itself.`,
};

document.querySelector("carousel-strip").addEventListener("select", ({ detail: { kind, fields } }) => {
  setText(chosen, (RESPONSES[kind] ?? (({ title }) => title))(fields));
});
