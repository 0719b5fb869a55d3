// Attributes as properties.

/** Names of attributes that say a number, in px or ms. */
const NUMBERS = new Set(["height"]);

/** Gives a class of elements a property for each of these attributes: null where the attribute is absent. */
export function mirror(type, names) {
  for (const name of names) {
    Object.defineProperty(type.prototype, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = this.getAttribute(name);
        return value !== null && NUMBERS.has(name) ? Number(value) : value;
      },
      set(value) {
        if (value === null || value === false) this.removeAttribute(name);
        else this.setAttribute(name, value === true ? "" : value);
      },
    });
  }
}
