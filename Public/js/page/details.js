// The details of the selected item, below or over the strip.
import { create } from "../base/dom.js";
import { pictureWidth } from "../cards/template.js";
import { describe } from "../viewer/details.js";
import { safeURL } from "../windows/server.js";

/** Fields with places of their own. */
const PLACED = ["title", "subtitle", "image", "alt", "href"];

/** Shows the fields of an item, one of `count`, in `section`. If the `texts` of its strip label fields, others are for the cards. */
export function showDetails(section, item, count, texts) {
  const isLabelled = ([name]) => texts?.label(name, null);
  const all = Object.entries(item.fields);
  const shown = all.some(isLabelled) ? all.filter((one) => PLACED.includes(one[0]) || isLabelled(one)) : all;
  const fields = Object.fromEntries(shown);
  section.replaceChildren(...[picture(fields), describe({ ...item, fields }, count, texts, section.dataset)].filter(Boolean));
}

function picture({ image, alt = "" }) {
  if (!image) return null;
  const element = create("img", { alt });
  element.addEventListener("error", () => element.remove());
  element.src = safeURL(image.replaceAll("{w}", pictureWidth(320 * devicePixelRatio))) ?? "";
  return element;
}
