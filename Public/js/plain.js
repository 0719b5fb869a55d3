// A card for strips that have no template of their own.
import { behaviours } from "./element.js";
import { make } from "./make.js";

/** A template: a picture, or the title on the item's colour where there is none, above title and subtitle. */
export function card() {
  const template = make("template");
  const { content, dataset } = template;
  const tint = drawn("svg", { class: "tint", "aria-hidden": "true" });
  tint.append(drawn("rect", { width: "100%", height: "100%", fill: "{color}" }));
  const image = content.ownerDocument.createElement("img"); // of a document that loads nothing
  Object.assign(image, { src: "{image}", alt: "{alt}", decoding: "async", draggable: false });
  const mark = make("p", { className: "mark", ariaHidden: "true" }, "{title}");
  dataset.kind = "card";
  content.append(
    make("div", { className: "picture" }, tint, image, mark),
    make("p", { className: "title" }, "{title}"),
    make("p", { className: "subtitle" }, "{subtitle}"),
  );
  return template;
}

function drawn(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

behaviours.add((strip) => {
  if (!strip.querySelector('template[data-kind="card"]')) strip.append(card());
});
