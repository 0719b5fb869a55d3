// The details of the selected item, below or over the strip.
import { create } from "../base/dom.js";
import { pictureWidth } from "../cards/template.js";
import { safeURL } from "../server/links.js";
import { detailsOf } from "../viewer/item-details.js";

/**
 * Shows the picture and all fields of an item, one of `count`, in `section`. An item without a picture has the drawing of its `card`.
 * The card also says whether the item is sold out. `formatter` is that of its strip's fields. A section with a label in `data-number`
 * shows the item's id, too.
 */
export function showDetails(section, item, count, formatter, card) {
  const description = detailsOf(item, count, section, formatter, section.dataset);
  const { number } = section.dataset;
  const soldOut = card?.querySelector(".sold-out:not([hidden])");
  if (soldOut) description.insertBefore(soldOut.cloneNode(true), description.querySelector("dl"));
  if (number && !Object.values(item.fields).includes(item.id)) addRow(description, number, item.id);
  section.replaceChildren(...[picture(item.fields) ?? drawing(card), description].filter(Boolean));
}

function addRow(description, label, text) {
  const table = description.querySelector("dl") ?? description.insertBefore(create("dl"), description.querySelector("a"));
  table.append(create("div", {}, create("dt", {}, label), create("dd", {}, text)));
}

function picture({ image, alt = "" }) {
  if (!image) return null;
  const element = create("img", { alt });
  element.addEventListener("error", () => element.remove());
  element.src = safeURL(image.replaceAll("{w}", pictureWidth(560 * devicePixelRatio))) ?? "";
  return element;
}

/** A copy of a card's drawing, in the shape that it has there. */
function drawing(card) {
  const original = card?.querySelector(":scope > .picture:has(> svg[viewBox])");
  const copy = original?.cloneNode(true);
  if (copy) copy.style.aspectRatio = original.clientWidth / original.clientHeight;
  return copy;
}
