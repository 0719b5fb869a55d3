// Pictures that have yet to come, and those that never will: marked, so that the card looks right.

/** Marks the pictures in cards: `data-coming` until they are there, `data-failed` when they will not be. */
export function pictures(strip, signal) {
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
  strip.addEventListener("willdisplay", ({ detail }) => detail.node.querySelectorAll("img").forEach(look), { signal });
}
