// The language of an element.

/** The language of an element, by default of the page: its `lang`, or that of its nearest ancestor, as in `:lang()`. */
export function languageOf(element = document.documentElement) {
  for (let node = element; node; node = node.parentNode ?? node.host) {
    if (!node.lang) continue;
    try {
      return `${new Intl.Locale(node.lang)}`;
    } catch {
      return "en"; // the tag is invalid
    }
  }
  return "en";
}
