// Attributes as properties.

/**
 * Gives a class of elements a property for each attribute, of the type of the example: `{height: 0}` is a number, and
 * `{live: false}` whether the attribute is there. One that is absent is null otherwise.
 */
export function mirror(type, examples) {
  for (const [name, example] of Object.entries(examples)) {
    const attribute = name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    Object.defineProperty(type.prototype, name, {
      get() {
        const value = this.getAttribute(attribute);
        if (example === false) return value !== null;
        return value !== null && example === 0 ? Number(value) : value;
      },
      set(value) {
        if (value == null || value === false) this.removeAttribute(attribute);
        else this.setAttribute(attribute, value === true ? "" : value);
      },
    });
  }
}
