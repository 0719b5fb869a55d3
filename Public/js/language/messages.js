// The messages of the elements, in the language of the page. English is built in, and others are loaded when they are needed.
import { languageOf } from "../base/language.js";
import { loadFile } from "../server/files.js";

/** The English messages of every strip. What is loaded on demand has its own. */
const ENGLISH = {
  previous: "Previous",
  next: "Next",
  carousel: "carousel",
  strip: "Items",
  place: "{n} of {count}",
  comma: ", ",
  unavailable: "No answer from the server. Trying again.",
  missing: "There is no such strip.",
  refused: "The server refuses the request.",
  empty: "This strip has no items.",
  unmatched: "No items match.",
};

const loaded = {}; // messages by language, or {} while they are loaded

/**
 * The messages for an element. `CarouselStrip.words` has those of other languages, and replaces built-in ones. It is an
 * object by language: `{ pt: { next: "Seguinte" } }`. Messages of every strip that are missing are in English.
 */
export function messagesOf(element) {
  const tag = languageOf(element);
  const [language] = tag.split("-");
  if (/^(ar|de|es|fr|ja)$/.test(language)) loaded[language] ?? load(language); // js/words/NAME.json
  const pageMessages = customElements.get("carousel-strip")?.words;
  return { ...ENGLISH, ...loaded[language], ...pageMessages?.[language], ...pageMessages?.[tag] };
}

async function load(language) {
  loaded[language] = {};
  loaded[language] = await loadFile(`js/words/${language}.json`).then(JSON.parse, () => ({}));
  announce();
}

/** The event `carousel-language` of the window: messages are loaded, or the page's language has changed. Bundles tell one another by it. */
const announce = () => dispatchEvent(new Event("carousel-language"));

/**
 * Calls `show` with the messages for an element. Calls it again when they are loaded, or when the page's language changes. Returns a
 * function that calls it, too.
 */
export function localize(element, on, show) {
  const update = () => show(messagesOf(element));
  on("carousel-language", update, window);
  update();
  return update;
}

new MutationObserver(announce).observe(document.documentElement, { attributeFilter: ["lang"] });
