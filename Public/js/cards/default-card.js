// The default card.
import { create } from "../base/dom.js";

/**
 * Creates a template of an image above title and subtitle. Without an image, the title is on the item's color. With `href`, the title is
 * a link that covers the card.
 */
export function cardTemplate() {
  const template = create("template");
  const { content, dataset } = template;
  const tint = createSVG("svg", { class: "tint", "aria-hidden": "true" });
  tint.append(createSVG("rect", { width: "100%", height: "100%", fill: "{color}" }));
  const image = create("img", { alt: "{alt}", decoding: "async", draggable: false });
  dataset.kind = "card";
  content.append(
    create("div", { className: "picture" }, tint, image, create("p", { className: "mark", ariaHidden: "true" }, "{title}")),
    create("a", { className: "title", href: "{href}" }, "{title}"),
    create("p", { className: "subtitle" }, "{subtitle}"),
  );
  image.src = "{image}"; // the document of the content does not load it
  return template;
}

function createSVG(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
