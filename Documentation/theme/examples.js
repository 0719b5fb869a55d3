// The live examples of the reference. An example starts when a reader opens its entry. runs.js has the scripts.
import "/js/filters/search.js";
import "/js/filters/facets.js";
import { runs } from "./runs.js";

/** A value as a short text. */
function textOf(value) {
  const whole = (_, one) => (one instanceof Element ? one.cloneNode().outerHTML : one);
  return (JSON.stringify(value, whole) ?? String(value)).slice(0, 300);
}

// The examples show the built-in strips. A server with other strips has the text without them.
const hasExamples = fetch("/strips?limit=100").then((answer) => answer.json()).then(
  ({ strips }) => ["albums", "elements", "landscapes"].every((name) => strips.some(({ strip }) => strip === name)),
).catch(() => false);
const missing = "The live examples show the built-in strips, which this server lacks. They run on “carousel serve” without a database.";

hasExamples.then((has) => {
  if (has) return import("/js/embed.js");
  for (const strip of document.querySelectorAll("main carousel-strip")) (strip.closest("figure") ?? strip).remove();
});
hasExamples.then((has) => (document.querySelector(".galleries").hidden = !has));

for (const entry of document.querySelectorAll("[data-example]")) {
  const run = runs[entry.dataset.example];
  entry.addEventListener("toggle", async () => {
    const place = entry.querySelector("div");
    if (!await hasExamples) return place.replaceChildren(missing);
    place.previousElementSibling.replaceWith(place.previousElementSibling.content);
    const strip = entry.querySelector("carousel-strip");
    if (!run) return;
    const button = place.querySelector("button");
    const output = place.querySelector("output");
    const call = () => run(strip, (value) => (output.textContent = textOf(value)));
    button.hidden = entry.dataset.example.includes("-events-"); // an event happens by itself
    if (button.hidden) call();
    else button.addEventListener("click", call);
  }, { once: true });
}
