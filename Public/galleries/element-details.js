// The details of a chemical element: its symbol on its color, and its fields.
import { formatPosition } from "/js/language/format.js";
import { create } from "/js/base/dom.js";
import { setText } from "/js/base/text.js";

const FIELDS = ["number", "category", "discovered"];

/** Fills `section` with empty nodes. Returns a function that shows an item, one of `count`, in them, or nothing. */
export function createElementDetails(section) {
  const sign = create("p", { className: "sign", ariaHidden: true });
  const place = create("p", { className: "place" });
  const [title, subtitle] = ["h2", "p"].map((name) => create(name));
  const rows = FIELDS.map((field) => create("div", {}, create("dt", {}, field), create("dd")));
  section.hidden = true;
  section.append(sign, create("div", { className: "words" }, place, title, subtitle, create("dl", {}, ...rows)));
  return (item, count) => {
    section.hidden = !item;
    if (!item) return;
    const { index, fields } = item;
    setText(sign, fields.symbol ?? fields.title.replace(/\D/g, ""));
    sign.style.setProperty("--tint", fields.color ?? "transparent");
    setText(place, formatPosition(index, count));
    setText(title, fields.title);
    setText(subtitle, fields.subtitle ?? "");
    rows.forEach((row, k) => {
      row.hidden = !(FIELDS[k] in fields);
      setText(row.lastChild, String(fields[FIELDS[k]] ?? ""));
    });
  };
}
