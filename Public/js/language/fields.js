// How readers see the fields of a strip: the names, units and formats of its setting `fields`, in their language.
// Filters and card templates load it on demand. It imports nothing, so that all bundles share it.

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const MONTH = /^\d{4}-\d\d$/; // the group of a month
const DATE = /^(?!0000)(\d{4}(?:-\d\d(?:-\d\d)?)?)$/;
const TIME = /^(?!0000)(\d{4}-\d\d-\d\d)([T ](?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i;

const settings = new WeakMap(); // {name, loaded}, by strip

/**
 * The formatter of a strip's fields. Their setting is requested once for each strip that the element shows, until the server answers. It
 * is empty for a strip that is missing.
 */
export async function loadFormatter(strip, language) {
  const name = strip.getAttribute("strip");
  if (settings.get(strip)?.name !== name) settings.set(strip, { name, loaded: name ? settingsOf(name, strip.fetchJSON) : Promise.resolve({}) });
  const { fields, filterable } = await settings.get(strip).loaded;
  return new LocalizedFormatter(fields, language, filterable);
}

async function settingsOf(name, fetchJSON) {
  for (let delay = 500; ; delay = Math.min(2 * delay, 60_000)) {
    try {
      return await fetchJSON(`strips/${name}`, {});
    } catch ({ status }) {
      if (status < 500 && ![408, 425, 429].includes(status)) return {}; // after another error, it may answer later
    }
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
}

/**
 * Formats the cards of a strip that are drawn, and each card that is filled later. Values stay as they are until the formatter
 * is loaded: then the returned promise resolves.
 */
export function formatCards(strip, on, dependencies) {
  const { fill, isShown, languageOf, placeholdersOf, showImage, valueOf } = dependencies;
  const writers = new WeakMap(); // by node: a hidden card keeps the texts of the language that it was filled in
  let write = null;

  strip.formatCard = (node, item) => {
    writers.set(node, write);
    const { fields = {}, size, width = size } = item;
    const placeholders = placeholdersOf.get(node);
    fill(placeholders.filter(({ value }) => value.includes("|")), item, write);
    for (const { node: image, name, value } of placeholders) {
      if (name !== "srcset") continue;
      const src = placeholders.find((other) => other.node === image && other.name === "src");
      if (src) showImage(image, valueOf("src", src.value, fields, write), width);
      image.srcset = sourcesOf(value, fields, write, dependencies);
    }
    for (const part of node.querySelectorAll("[data-if]")) {
      part.hidden = isHidden(part.dataset.if, (name) => isShown(name, fields));
    }
  };

  let newest; // a promise of a formatter: that of an earlier strip or language can come later
  const load = async () => {
    const loading = (newest = loadFormatter(strip, languageOf(strip)));
    const formatter = await loading;
    if (loading !== newest) return;
    write = (value, name, format) => formatter.format(value, name, format);
    for (const item of strip.items) {
      const node = item.fields && strip.nodeOf(item.index);
      if (node) strip.formatCard(node, item);
    }
  };
  // A card from the server gets its item's fields when it is displayed.
  on("willdisplay", ({ detail: { node, item } }) => writers.get(node) === write || strip.formatCard(node, item), strip, true);
  on("carousel-language", load, window);
  on("reload", () => {
    if (settings.get(strip)?.name !== strip.getAttribute("strip")) load();
  });
  return load();
}

/** The candidates of a `srcset`: "a.jpg 1x", "b.jpg 2x". */
const candidatesOf = (text) => text.replace(/(\s[\d.]+[wx]),/g, "$1, ").split(/,\s+/);

/** The `srcset` of a pattern. Candidates that lack a field, or are no links, are left out. */
export function sourcesOf(pattern, fields, write, { PLACEHOLDER, isShown, safeURL, valueOf }) {
  const isWhole = (candidate) => [...candidate.matchAll(PLACEHOLDER)].every(([, name]) => isShown(name, fields));
  const sources = candidatesOf(pattern).filter(isWhole).flatMap((candidate) => candidatesOf(valueOf("srcset", candidate, fields, write)));
  const links = sources.map((source) => {
    const [, url, size = ""] = /^\s*([^]*?)(\s+[\d.]+[wx])?\s*$/.exec(source);
    const link = url && safeURL(url);
    return link && link + size;
  });
  return links.filter((link) => link).join(", ");
}

/** Whether a part of a card with `data-if="price"` or `data-if="!price"` is hidden. `isPresent` tells of a field whether the card shows it. */
export function isHidden(condition, isPresent) {
  const isNegated = condition.startsWith("!");
  return isPresent(condition.slice(isNegated ? 1 : 0)) === isNegated;
}

/** The names and the values of fields for readers of one language. The server writes the same texts (LocalizedFormatter.swift). */
export class LocalizedFormatter {
  #fields;
  #filterable;

  constructor(fields = {}, language = "en", filterable = []) {
    this.#fields = fields;
    this.#filterable = filterable;
    this.language = language;
  }

  /** The label of a field. Without one, its name as words: "Release year" for `release_year` and `releaseYear`. */
  label(field) {
    const name = field.replaceAll(/[_-]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
    return this.#inLanguage(this.#fields[field]?.label) ?? name.replace(/^./u, (first) => first.toUpperCase());
  }

  /** Those of `fields` that readers see: all, unless the strip has labels. Then they are those with a label, and those to filter by. */
  shown(fields) {
    const hasLabel = (field) => Object.hasOwn(this.#fields, field) && this.#fields[field].label;
    return fields.some(hasLabel) ? fields.filter((field) => hasLabel(field) || this.#filterable.includes(field)) : fields;
  }

  /** The declared format of a field. Undefined without one. */
  formatOf(field) {
    return this.#fields[field]?.format;
  }

  /** The unit of a field, or the symbol of its currency. Undefined without one. */
  unit(field) {
    const unit = this.#inLanguage(this.#fields[field]?.unit);
    if (this.#fields[field]?.format !== "currency") return unit;
    const parts = new Intl.NumberFormat(this.language, { style: "currency", currency: unit }).formatToParts(0);
    return parts.find(({ type }) => type === "currency").value;
  }

  /** A value as text, in a format: by default that of the field. A value that does not fit the format stays as it is. */
  format(value, field, format) {
    const { format: declared, unit: units } = this.#fields[field] ?? {};
    const unit = this.#inLanguage(units);
    const text = String(value);
    format ??= declared ?? (unit ? "number" : field === "group" && MONTH.test(text) && "date");
    if (format === "date") return this.#date(text);
    if (!format || format === "text" || !NUMBER.test(text) || text.length > 15) return text;
    const isMoney = declared === "currency";
    const number = Number(text);
    if (isMoney && format === declared) return number.toLocaleString(this.language, { style: format, currency: unit });
    const [amount, prefix] = unit === "B" ? scaled(number) : [number, ""];
    const written = amount.toLocaleString(this.language, { maximumFractionDigits: prefix ? 1 : 20 });
    return unit && !isMoney ? `${written}\u00a0${prefix}${unit}` : written;
  }

  /** A date, a month or a year of ISO 8601, or a time of RFC 3339, with the clock of its place. */
  #date(text) {
    const [, day, time = ""] = DATE.exec(text) ?? TIME.exec(text) ?? [];
    const date = new Date(time ? `${day}T${time.slice(1)}Z` : day);
    if (!day || Number.isNaN(+date) || !date.toISOString().startsWith(day)) return text;
    if (time) return date.toLocaleString(this.language, { timeZone: "UTC", dateStyle: "long", timeStyle: "short" });
    const [, month, dayOfMonth] = day.split("-");
    return date.toLocaleDateString(this.language, { timeZone: "UTC", year: "numeric", month: month && "long", day: dayOfMonth && "numeric" });
  }

  /** The text for the language: the one of its tag, of its first subtag, of English, or the first one. */
  #inLanguage(texts) {
    if (typeof texts !== "object") return texts;
    return texts[this.language] ?? texts[this.language.split("-")[0]] ?? texts.en ?? Object.values(texts)[0];
  }
}

/** A number of bytes with the prefix of a larger unit: 1.234567 and "M" for 1234567. */
function scaled(bytes) {
  let power = 0;
  for (; Math.abs(bytes) >= 999.95 && power < 4; power += 1) bytes /= 1000;
  return [bytes, ["", "k", "M", "G", "T"][power]];
}
