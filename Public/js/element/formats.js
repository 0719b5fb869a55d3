// Formats and conditions of card templates.
import { languageOf } from "../access/words.js";
import { request, untilLoaded } from "../windows/server.js";
import { fill, isShown, placeholdersOf } from "./dom.js";

/** Loads what templates with `{price|currency}` or `data-if="price"` need. */
export function formats(strip, on) {
  const templates = [...strip.querySelectorAll(":scope > template"), strip.constructor.card];
  if (!templates.some((template) => /\|\w+}|data-if=/.test(template?.innerHTML))) return;
  const tools = { fill, isShown, languageOf, placeholdersOf, request };
  strip.formatting = untilLoaded(() => import("../access/fields.js")).then(({ formatCards }) => formatCards(strip, on, tools));
}
