// Two fields for the limits of a range of numbers, and two handles on one line that set the same limits. Or two fields for days.
import { create } from "../base/dom.js";
import { setText } from "../base/text.js";

/** A day of ISO 8601, or a time of that day. */
export const DAY = /^\d{4}-\d\d-\d\d/;

const pair = (properties) => [0, 1].map(() => create("input", { step: "any", ...properties }));

/** Calls `change(lower, upper)` with the limits as text. An empty text is no limit. */
export class FacetRange {
  #unit = create("span", { part: "unit" });
  #limits = pair({ type: "number", part: "limit" }); // the lower and the upper
  #handles = pair({ type: "range", part: "handle" });
  #slider = create("span", { part: "slider" }, ...this.#handles);
  node = create("span", { part: "range", role: "group", hidden: true }, this.#slider, this.#limits[0], " – ", this.#limits[1], " ", this.#unit);
  #typed; // the field in which the reader is typing

  constructor(change) {
    const { node } = this;
    node.addEventListener("input", ({ target }) => {
      const k = this.#handles.indexOf(target);
      if (k < 0) this.#typed = target;
      else this.#slide(k);
    });
    node.addEventListener("focusout", () => (this.#typed = null));
    node.addEventListener("change", ({ target }) => {
      this.#typed = null;
      const limits = this.#limits.map(({ value }) => value);
      const [lower, upper] = this.isOfDays ? limits : limits.map(Number);
      // A reader who types a new pair has not come to the other field yet.
      if (limits.every((value) => value) && lower > upper) limits[target === this.#limits[0] ? 1 : 0] = "";
      change(...limits);
    });
  }

  /** Whether it has fields for days. */
  get isOfDays() {
    return this.#limits[0].type === "date";
  }

  get isShown() {
    return !this.node.hidden;
  }

  /** Shows the fields for days. */
  showDays() {
    for (const input of this.#limits) input.type = "date";
    this.#slider.hidden = true;
    this.node.hidden = false;
  }

  /** Shows the fields for numbers from `min` to `max`, which are texts. `format` writes them for readers. */
  show(min, max, format) {
    const isInteger = [min, max].every((text) => Number.isInteger(+text));
    const step = 10 ** Math.floor(Math.log10(Math.max(max - min, Number.MIN_VALUE) / 200));
    this.#limits.forEach((input, k) => Object.assign(input, { type: "number", min, max, placeholder: format([min, max][k]) }));
    for (const handle of this.#handles) Object.assign(handle, { min, max, step: isInteger ? Math.max(1, step) : step });
    this.node.hidden = this.#slider.hidden = false;
    this.#place();
  }

  /** Shows limits. A field in which the reader is typing keeps its text. */
  set(lower, upper, unit = "") {
    setText(this.#unit, lower || upper ? unit : ""); // the placeholders of empty fields have the unit
    this.#limits.forEach((input, k) => {
      const text = [lower, upper][k] ?? "";
      if (input !== this.#typed) input.value = this.isOfDays ? (DAY.exec(text)?.[0] ?? "") : text; // a page's filter can have a year, or a time
    });
    this.#place();
  }

  label(range, from, to) {
    this.node.ariaLabel = range;
    for (const inputs of [this.#limits, this.#handles]) [inputs[0].ariaLabel, inputs[1].ariaLabel] = [from, to];
  }

  /** A handle sets the limit of its side. It stops at the other one. At its end there is no limit. */
  #slide(k) {
    const handle = this.#handles[k];
    const other = +this.#handles[1 - k].value;
    if (k ? +handle.value < other : +handle.value > other) handle.value = other;
    const isEnd = k ? +handle.value + +handle.step > +handle.max : +handle.value === +handle.min;
    this.#limits[k].value = isEnd ? "" : handle.value;
    this.#fill();
  }

  #place() {
    if (this.isOfDays) return;
    this.#handles.forEach((handle, k) => (handle.value = this.#limits[k].value || (k ? handle.max : handle.min)));
    this.#fill();
  }

  /** The part of the line between the handles. */
  #fill() {
    const [{ min, max }] = this.#handles;
    const share = ({ value }) => `${(100 * (value - min)) / (max - min || 1)}%`;
    ["--least", "--greatest"].forEach((name, k) => this.#slider.style.setProperty(name, share(this.#handles[k])));
  }
}
