// Pictures that have yet to come, and those that never will: marked, so that the card looks right.

/** Marks the pictures in `list` until `signal` aborts: `data-coming` goes, `data-failed` comes. */
export function watchPictures(list, signal) {
  for (const image of list.querySelectorAll("img[src]")) {
    if (image.complete && !image.naturalWidth) image.dataset.failed = "";
  }
  const settle = ({ target, type }) => {
    delete target.dataset.coming;
    if (type === "error" && target.hasAttribute("src")) target.dataset.failed = "";
  };
  list.addEventListener("load", settle, { signal, capture: true });
  list.addEventListener("error", settle, { signal, capture: true });
}

/** Shows another picture; the former one goes at once, not when the new one has come. */
export function showPicture(image, address, width) {
  image.removeAttribute("src");
  delete image.dataset.failed;
  delete image.dataset.coming;
  if (address === undefined) return;
  const pixels = Math.ceil(width * (globalThis.devicePixelRatio ?? 1));
  image.src = address.replaceAll("{w}", pixels);
  if (!image.complete) image.dataset.coming = "";
}
