// The images of cards: which of them load first, and their states.
import { visibleItems } from "../windows/in-view.js";

/**
 * Loads the images in view at once, the first one with high priority. The browser loads others lazily. An image has
 * `data-coming` until it is loaded, and `data-failed` if loading failed. The list of cards has `data-pictured` while
 * one has a picture. It saves a `:has()` in style sheets, for which browsers compute the styles of all cards at each change of one.
 */
export function images(strip, on) {
  const update = (image) => {
    const hasSource = image.matches("img[src]");
    image.toggleAttribute("data-coming", hasSource && !image.complete);
    image.toggleAttribute("data-failed", hasSource && image.complete && !image.naturalWidth);
  };
  const mark = () => strip.cardList.toggleAttribute("data-pictured", strip.cardList.querySelector(".picture > img[src]:not([data-failed])"));
  for (const image of strip.cardList.querySelectorAll("img")) if (image.complete) update(image);
  on("load error", (event) => void mark(update(event.target)), strip, true); // false would prevent the default
  on("afterRender", mark);
  on("willdisplay", ({ detail: { node } }) => {
    const order = visibleItems(strip).map(({ id }) => id).indexOf(node.dataset.id);
    for (const image of node.querySelectorAll("img")) {
      image.loading = order < 0 ? "lazy" : "eager";
      image.fetchPriority = order ? "auto" : "high";
      update(image);
    }
  });
}
