// Attributes as properties.
import { CarouselStrip } from "./element.js";

/** Each with an example: 0 for a number, false for one that is there or is not. One that is absent is null otherwise. */
const PROPERTIES = {
  ...{ strip: "", height: 0, loop: false, snap: "", step: "", selection: "", autoplay: "", controls: "" },
  ...{ effects: false, indicator: false, initialIndex: 0, initialItem: "", history: false, live: false },
};

for (const [name, example] of Object.entries(PROPERTIES)) {
  const attribute = name.replace("I", "-i"); // initial-index, initial-item
  Object.defineProperty(CarouselStrip.prototype, name, {
    get() {
      const value = this.getAttribute(attribute);
      if (example === false) return value !== null;
      return example === 0 && value ? +value : value;
    },
    set(value) {
      if ((value ?? false) === false) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value === true ? "" : value);
    },
  });
}
