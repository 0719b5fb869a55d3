// Texts about items, in the language of an element: numbers, positions in the strip, and labels for screen readers.
import { languageOf } from "../base/language.js";
import { positionOf } from "../windows/geometry.js";
import { wordsOf } from "./words.js";

/** A number with separators: "1,000,000". */
export function formatNumber(number, element, options) {
  return number.toLocaleString(languageOf(element), options);
}

/** "1,000,000 items". `forms` are other words in the place of "items". */
export function formatCount(count, element, forms = wordsOf(element).items) {
  const form = new Intl.PluralRules(languageOf(element)).select(count);
  return (forms[form] ?? forms.other).replace("{count}", formatNumber(count, element));
}

/** The `n`th of `count`: "7 of 50" */
export function formatPlace(n, count, element) {
  return wordsOf(element).place.replace("{n}", formatNumber(n, element)).replace("{count}", formatNumber(count, element));
}

/** The position of an index: "7 of 50" */
export function formatPosition(index, count, element) {
  return formatPlace(positionOf(index, count), count, element);
}

/**
 * The label of an item of a strip: "Blue, Joni Mitchell, 7 of 50". It has the position because screen readers ignore
 * `aria-posinset` in some lists.
 */
export function labelOf({ index, id, fields }, strip) {
  const texts = [fields?.title ?? id, fields?.subtitle, formatPosition(index, strip.meta.count, strip)];
  return texts.filter((text) => text).join(wordsOf(strip).comma);
}

/** The texts that `aria-labelledby` names, in the same document or shadow root. Null without them. */
export function labelledBy(node) {
  const ids = node.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
  return ids.map((id) => node.getRootNode().getElementById?.(id)?.textContent.trim() ?? "").join(" ").trim() || null;
}
