// Formats and conditions of card templates.
import { languageOf } from "../base/language.js";
import { retryUntilLoaded, safeURL } from "../windows/server.js";
import { PLACEHOLDER, fill, isShown, placeholdersOf, showImage, valueOf } from "./template.js";

/** Loads what templates with `{price|currency}`, `data-if="price"` or a `srcset` need. */
export function formats(strip, on) {
  const templates = [...strip.querySelectorAll(":scope > template"), strip.constructor.card];
  if (!templates.some((template) => /\|\w+}|data-if=|srcset=/.test(template?.innerHTML))) return;
  const dependencies = { PLACEHOLDER, fill, isShown, languageOf, placeholdersOf, safeURL, showImage, valueOf };
  strip.formatting = retryUntilLoaded(() => import("../language/fields.js")).then(({ formatCards }) => formatCards(strip, on, dependencies));
}
