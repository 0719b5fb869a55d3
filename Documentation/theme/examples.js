// The live examples of the reference. An example starts when a reader opens its entry. runs.js has the scripts.
import "/js/filters/search.js";
import "/js/filters/facets.js";
import { runs } from "./runs.js";

/** A value as a short text. */
function textOf(value) {
  const whole = (_, one) => (one instanceof Element ? one.cloneNode().outerHTML : one);
  return (JSON.stringify(value, whole) ?? String(value)).slice(0, 300);
}

// The examples show built-in strips. On a server with other strips, a sentence stands in the place of the first one.
const notice = Object.assign(document.createElement("p"), {
  className: "missing",
  textContent: "The live examples show the built-in strips, which this server lacks. They run on “carousel serve” without a database.",
});
document.addEventListener("error", ({ target, detail }) => {
  if (detail?.status !== 404 || target.hidden) return;
  target.hidden = true;
  if (!notice.isConnected) (target.closest("p") ?? target).before(notice);
});

for (const entry of document.querySelectorAll("[data-example]")) {
  const run = runs[entry.dataset.example];
  entry.addEventListener("toggle", () => {
    const place = entry.querySelector("div");
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
