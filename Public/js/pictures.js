// Pictures: those in view at once, others as they come near; marked while they are to come, and when they never will.
import { behaviours } from "./element.js";
import { inView } from "./stretch.js";

/**
 * Marks the pictures in cards: `data-coming` until they are there, `data-failed` when they will not be. Those in view
 * load at once, the first of them before the rest; others when the browser finds them near.
 */
behaviours.add((strip, on) => {
  const look = (image) => {
    const isAsked = image.matches("img[src]");
    image.toggleAttribute("data-coming", isAsked && !image.complete);
    image.toggleAttribute("data-failed", isAsked && image.complete && !image.naturalWidth);
  };
  for (const image of strip.querySelectorAll("li img")) if (image.complete) look(image);
  on("load error", (event) => look(event.target), strip, true);
  on("willdisplay", ({ detail: { item, node } }) => {
    const seen = inView(strip);
    for (const image of node.querySelectorAll("img")) {
      image.loading = seen.includes(item) ? "eager" : "lazy";
      image.fetchPriority = item === seen[0] ? "high" : "auto";
      look(image);
    }
  });
});
