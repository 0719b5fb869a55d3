// A list built from modules: each kind of item has a card, a size and an answer of its own.
import "./gallery.js";
import { say } from "/js/template.js";

const chosen = document.getElementById("chosen");

/** What each module answers to a tap. */
const MODULES = {
  heading: ({ title, subtitle }) => `${title} has ${subtitle}.`,
  element: ({ title, category }) => `${title}: ${category.toLowerCase()}.`,
  gas: ({ title }) => `${title} keeps to itself.`,
};

document.querySelector("carousel-strip").addEventListener("select", ({ detail: { kind, fields } }) => {
  say(chosen, (MODULES[kind] ?? (({ title }) => title))(fields));
});
