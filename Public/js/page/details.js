// The details of the selected item, below or over the strip.
import { create } from "../base/dom.js";
import { pictureWidth } from "../cards/template.js";
import { describe } from "../viewer/details.js";
import { safeURL } from "../windows/server.js";

/** Shows the fields of an item, one of `count`, in `section`. `texts` are those of its strip's fields. */
export function showDetails(section, item, count, texts) {
  section.replaceChildren(...[picture(item.fields), describe(item, count, texts, section.dataset)].filter(Boolean));
}

function picture({ image, alt = "" }) {
  if (!image) return null;
  const element = create("img", { alt });
  element.addEventListener("error", () => element.remove());
  element.src = safeURL(image.replaceAll("{w}", pictureWidth(320 * devicePixelRatio))) ?? "";
  return element;
}
