// A card for strips that have no template of their own.
import { behaviours } from "./element.js";
import { make } from "./make.js";

/** A template: a picture, or the title where there is none, above title and subtitle. */
export function card() {
  const template = make("template");
  const { content, dataset } = template;
  const image = content.ownerDocument.createElement("img"); // of a document that loads nothing
  for (const [name, value] of [["src", "{image}"], ["alt", "{alt}"], ["decoding", "async"], ["draggable", "false"]]) {
    image.setAttribute(name, value);
  }
  const mark = make("p", { className: "mark", ariaHidden: "true" }, "{title}");
  dataset.kind = "card";
  content.append(
    make("div", { className: "picture" }, image, mark),
    make("p", { className: "title" }, "{title}"),
    make("p", { className: "subtitle" }, "{subtitle}"),
  );
  return template;
}

behaviours.add((strip) => {
  if (!strip.querySelector("template")) strip.append(card());
});
