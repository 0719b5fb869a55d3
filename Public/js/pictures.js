// Pictures: those in view at once, others as they come near; marked while they have yet to come, and when they never will.

/**
 * Marks the pictures in cards: `data-coming` until they are there, `data-failed` when they will not be. Those in view
 * load at once, the first of all before anything else; others when the browser finds them near.
 */
export function pictures(strip, signal) {
  let isFirst = true;
  const look = (image) => {
    const isThere = image.complete && image.naturalWidth > 0;
    image.toggleAttribute("data-failed", image.hasAttribute("src") && image.complete && !isThere);
    image.toggleAttribute("data-coming", image.hasAttribute("src") && !image.complete);
  };
  const settle = ({ target }) => {
    if (target instanceof HTMLImageElement) look(target);
  };
  for (const image of strip.querySelectorAll("li img")) {
    if (image.complete) look(image);
  }
  strip.addEventListener("load", settle, { signal, capture: true });
  strip.addEventListener("error", settle, { signal, capture: true });
  strip.addEventListener("willdisplay", ({ detail: { item, node } }) => {
    const isInView = item.start + item.size > strip.offset && item.start < strip.offset + strip.clientWidth;
    for (const image of node.querySelectorAll("img")) {
      image.loading = isInView ? "eager" : "lazy";
      image.fetchPriority = isInView && isFirst ? "high" : "auto";
      isFirst &&= !(isInView && image.hasAttribute("src"));
      look(image);
    }
  }, { signal });
}
