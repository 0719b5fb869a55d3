// Pictures: those in view at once, others as they come near; marked while they are to come, and when they never will.
import { listen } from "./listen.js";

/**
 * Marks the pictures in cards: `data-coming` until they are there, `data-failed` when they will not be. Those in view
 * load at once, the first of all before anything else; others when the browser finds them near.
 */
export function pictures(strip, signal) {
  let isFirst = true;
  const look = ({ target: image }) => {
    const isAsked = image.localName === "img" && image.hasAttribute("src");
    image.toggleAttribute("data-coming", isAsked && !image.complete);
    image.toggleAttribute("data-failed", isAsked && image.complete && !image.naturalWidth);
  };
  for (const target of strip.querySelectorAll("li img")) if (target.complete) look({ target });
  listen(strip, "load error", look, signal, { capture: true });
  listen(strip, "willdisplay", ({ detail: { item, node } }) => {
    const isInView = item.start + item.size > strip.offset && item.start < strip.offset + strip.clientWidth;
    for (const image of node.querySelectorAll("img")) {
      image.loading = isInView ? "eager" : "lazy";
      image.fetchPriority = isInView && isFirst ? "high" : "auto";
      isFirst &&= !(isInView && image.hasAttribute("src"));
      look({ target: image });
    }
  }, signal);
}
