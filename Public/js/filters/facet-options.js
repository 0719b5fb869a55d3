// How a facet shows a value: as a chip in one line, or as a check box in a vertical list.
import { create } from "../base/dom.js";
import { fill, findPlaceholders } from "../cards/template.js";

const texts = () => [create("span", { part: "value" }), " ", create("span", { part: "count" })];

/** One line of toggle buttons. */
export const chips = {
  part: "chips",
  create: (toggle) => create("button", { type: "button", part: "chip", onclick: toggle }, ...texts()),
  show() {},
  control: (chip) => chip,
  select(chip, isSelected) {
    chip.ariaPressed = isSelected;
    chip.part = isSelected ? "chip selected" : "chip";
  },
};

const optionPlaceholders = new WeakMap(); // the placeholders of the page's template in each option

/** Check boxes below one another. The page's `template`, such as a color swatch, stands before the text. */
export const checkBoxes = {
  part: "options",
  create(toggle, template) {
    const option = create("label", { part: "option" }, create("input", { type: "checkbox", part: "check", onchange: toggle }));
    if (template) {
      const content = template.content.cloneNode(true); // its document does not load "{value}"
      const placeholders = findPlaceholders(template.content, content);
      fill(placeholders, {});
      optionPlaceholders.set(option, placeholders);
      option.append(content);
    }
    option.append(...texts());
    return option;
  },
  /** Fills the page's template: `{value}` is the value in the data, and `{label}` its text for readers. */
  show(option, fields) {
    fill(optionPlaceholders.get(option) ?? [], { fields });
  },
  control: (option) => option.querySelector("[part=check]"),
  select: (option, isSelected) => (checkBoxes.control(option).checked = isSelected),
};
