// How many items there are, in words.
import { setText } from "../base/text.js";
import { withoutReload } from "../base/without-reload.js";
import { formatCount } from "../language/format.js";
import { messagesOf } from "../language/messages.js";

/** Other languages have theirs with those of the strip. */
const ENGLISH = {
  pictures: { one: "{count} picture", other: "{count} pictures" },
};

const countLine = document.querySelector(".count");

/** A number of what the page says that its items are: items or pictures. */
export function countText(count) {
  const { of } = countLine.dataset;
  return formatCount(count, document.documentElement, messagesOf(document.documentElement)[of] ?? ENGLISH[of]);
}

/** Shows the number of items of `strip`, also below the `facets`, or that no item matches. */
export function showResult(strip, facets, bar) {
  const nothing = document.querySelector(".nothing");
  strip.addEventListener("reload", () => {
    showCount(strip, facets);
    if (nothing) bar.toggleAttribute("data-empty", showNothing(strip, nothing));
  });
  window.addEventListener("carousel-language", () => showCount(strip, facets));
  nothing?.querySelector("button").addEventListener("click", () => {
    if (withoutReload(strip, () => ["where", "q"].forEach((name) => strip.removeAttribute(name)))) strip.reload();
    bar.querySelector("input[type=search], select")?.focus();
  });
}

function showCount(strip, facets) {
  if (!strip.meta) return;
  const count = countText(strip.meta.count);
  setText(countLine, `${document.querySelector("carousel-search")?.correction ?? ""} ${count}`.trim());
  const done = facets?.querySelector(".done");
  if (done) setText(done, done.dataset.text.replace("…", () => count));
}

/** Says that no item matches, with the words of the search and a button beside them. Returns whether no item matches. */
function showNothing({ meta: { count, view } }, nothing) {
  const query = nothing.querySelector("q");
  query.hidden = !view?.q;
  setText(query, view?.q ?? "");
  nothing.hidden = count > 0 || !(view?.where || view?.q);
  return !nothing.hidden;
}
