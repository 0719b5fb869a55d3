// The images of cards: which of them load first, and their states.
import { visibleItems } from "../windows/in-view.js";

/**
 * Loads the images in view at once, the first one with high priority. The browser loads others lazily. An image has
 * `data-coming` until it is loaded, and `data-failed` if loading failed.
 */
export function images(strip, on) {
  const update = (image) => {
    const hasSource = image.matches("img[src]");
    image.toggleAttribute("data-coming", hasSource && !image.complete);
    image.toggleAttribute("data-failed", hasSource && image.complete && !image.naturalWidth);
  };
  for (const image of strip.cardList.querySelectorAll("img")) if (image.complete) update(image);
  on("load error", (event) => update(event.target), strip, true);
  on("willdisplay", ({ detail: { node } }) => {
    const place = visibleItems(strip).map(({ id }) => id).indexOf(node.dataset.id);
    for (const image of node.querySelectorAll("img")) {
      image.loading = place < 0 ? "lazy" : "eager";
      image.fetchPriority = place ? "auto" : "high";
      update(image);
    }
  });
}
