// What is known of an element, as a leaf of a calendar: its symbol on its colour, and its fields beside it.
import { placeOf } from "/js/labels.js";
import { make } from "/js/make.js";
import { say } from "/js/template.js";

const FIELDS = ["number", "category", "discovered"];

/** Fills `section` once; returns what shows an item, one of `count`, in it. */
export function leaf(section) {
  const sign = make("p", { className: "sign", ariaHidden: true });
  const [place, title, subtitle] = ["p", "h2", "p"].map((name) => make(name, {}));
  const rows = FIELDS.map((field) => make("div", {}, make("dt", {}, field), make("dd", {})));
  place.className = "place";
  section.hidden = true;
  section.append(sign, make("div", { className: "words" }, place, title, subtitle, make("dl", {}, ...rows)));
  return ({ index, fields }, count) => {
    say(sign, fields.symbol ?? fields.title.replace(/\D/g, ""));
    sign.style.setProperty("--tint", fields.color ?? "transparent");
    say(place, `${placeOf(index, count)} of ${count}`);
    say(title, fields.title);
    say(subtitle, fields.subtitle ?? "");
    rows.forEach((row, k) => {
      row.hidden = !(FIELDS[k] in fields);
      say(row.lastChild, String(fields[FIELDS[k]] ?? ""));
    });
    section.hidden = false;
  };
}
