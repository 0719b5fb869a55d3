// Texts about items, in the language of an element: numbers, positions in the strip, and labels for screen readers.
import { languageOf } from "../base/language.js";
import { positionOf } from "../windows/geometry.js";
import { messagesOf } from "./messages.js";

/** A number with separators: "1,000,000". */
export function formatNumber(number, element, options) {
  return number.toLocaleString(languageOf(element), options);
}

/** English messages. Other languages have theirs with those of the strip. */
const ENGLISH = {
  items: { one: "{count} item", other: "{count} items" },
};

/** "1,000,000 items". `forms` are other words in the place of "items". */
export function formatCount(count, element, forms = messagesOf(element).items ?? ENGLISH.items) {
  const form = new Intl.PluralRules(languageOf(element)).select(count);
  return (forms[form] ?? forms.other).replace("{count}", formatNumber(count, element));
}

/** The position of an index: "7 of 50" */
export function formatPosition(index, count, element) {
  return messagesOf(element).place.replace("{n}", formatNumber(positionOf(index, count), element)).replace("{count}", formatNumber(count, element));
}

/**
 * The label of an item of a strip: "Blue, Joni Mitchell, 7 of 50". It has the position because screen readers ignore
 * `aria-posinset` in some lists.
 */
export function labelOf({ index, id, fields }, strip) {
  const texts = [fields?.title ?? id, fields?.subtitle, formatPosition(index, strip.meta.count, strip)];
  return texts.filter(Boolean).join(messagesOf(strip).comma);
}

/** The texts that `aria-labelledby` names, in the same document or shadow root. Null without them. */
export function labelledBy(node) {
  return node.ariaLabelledByElements?.map(({ textContent }) => textContent.trim()).join(" ") || null;
}
