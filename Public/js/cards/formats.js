// Formats and conditions of card templates.
import { languageOf } from "../base/language.js";
import { safeURL, untilLoaded } from "../windows/server.js";
import { PLACEHOLDER, fill, interpolate, isShown, placeholdersOf, showImage, valueOf } from "./template.js";

/** Loads what templates with `{price|currency}`, `data-if="price"` or a `srcset` need. */
export function formats(strip, on) {
  const templates = [...strip.querySelectorAll(":scope > template"), strip.constructor.card];
  if (!templates.some((template) => /\|\w+}|data-if=|srcset=/.test(template?.innerHTML))) return;
  const tools = { PLACEHOLDER, fill, interpolate, isShown, languageOf, placeholdersOf, safeURL, showImage, valueOf };
  strip.formatting = untilLoaded(() => import("../language/fields.js")).then(({ formatCards }) => formatCards(strip, on, tools));
}
