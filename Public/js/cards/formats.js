// Formats and conditions of card templates.
import { languageOf } from "../base/language.js";
import { safeURL } from "../server/links.js";
import { retryUntilLoaded } from "../server/retries.js";
import { PLACEHOLDER, fill, isShown, placeholdersOf, showImage, valueOf } from "./template.js";

/** Loads what templates with `{price|currency}`, `data-if="price"` or a `srcset` need. A page can add one at any time. */
export function formats(strip, on) {
  let loading;
  const update = () => {
    const templates = [...strip.querySelectorAll(":scope > template"), strip.constructor.card];
    if (loading || !templates.some((template) => /\|\w+}|data-if=|srcset=/.test(template?.innerHTML))) return;
    const dependencies = { PLACEHOLDER, fill, isShown, languageOf, placeholdersOf, safeURL, showImage, valueOf };
    loading = strip.formatting = retryUntilLoaded(() => import("../language/fields.js")).then(({ formatCards }) => formatCards(strip, on, dependencies));
  };
  on("option", update);
  update();
}
