// Groups of months: their titles are those of ISO 8601, as 2024-05. Readers see them in their language.
import { languageOf } from "./language.js";

const MONTH = /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/;
const formats = {}; // by language

/** The title of a group as readers of `element` see it: "May 2024" for 2024-05. Other titles stay as they are. */
export function groupTitle(title, element) {
  if (!MONTH.test(title)) return title ?? "";
  const language = languageOf(element);
  formats[language] ??= new Intl.DateTimeFormat(language, { timeZone: "UTC", year: "numeric", month: "long" });
  return formats[language].format(new Date(title));
}

/** The years of groups that are months, and other groups as they are. */
export function withYears(groups) {
  if (!groups.every(({ title }) => !title || MONTH.test(title))) return groups;
  const years = groups.map((group) => ({ ...group, title: group.title?.slice(0, 4) }));
  return years.filter(({ title }, k) => title !== years[k - 1]?.title);
}
