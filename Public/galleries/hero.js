// The hero: the words below are those of the album in the center.
import "./gallery.js";
import { setText } from "/js/base/text.js";

const [eyebrow, title, subtitle] = document.querySelector(".feature").children;

document.querySelector("carousel-strip").addEventListener("settle", ({ detail: item }) => {
  if (!item) return;
  const { fields } = item;
  setText(eyebrow, `${fields.genre ?? ""} ${fields.year ?? ""}`);
  setText(title, fields.title);
  setText(subtitle, fields.subtitle ?? "");
});
