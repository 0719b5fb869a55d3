// Twelve strips in one page. Each has its own position, and one event stream updates all of them.
import "./gallery.js";
import { formatNumber } from "/js/language/format.js";
import { create } from "/js/base/dom.js";

const SHELVES = [
  ...[0, 13, 25, 37].map((index, k) => ["albums", index, `Albums from ${[1959, 1975, 1980, 1992][k]}`]),
  ...[3, 21, 59, 92].map((index, k) => ["elements", index, `Elements from period ${[2, 4, 6, 7][k]}`]),
  ...[0, 1e6, 5e8, 999_999_999].map((index) => ["billion", index, index ? `A billion, from ${formatNumber(index + 1)}` : "A billion"]),
];

for (const [name, index, title] of SHELVES) {
  const strip = create("carousel-strip", { ariaLabel: title });
  const attributes = { strip: name, "initial-index": index, controls: "previous next", live: "" };
  for (const [key, value] of Object.entries(attributes)) strip.setAttribute(key, value);
  document.querySelector(".code").before(create("h2", {}, title), strip);
}
