// The state of a card's template: what a page and a reader change in a card ends with the item that it showed.

/** Attributes that the element itself sets on a card, and on elements in it. */
const MANAGED = /^(role|tabindex|hidden|inert|aria-(posinset|setsize|label|hidden|selected|current)|data-(index|id|slot|kind|start|size|selected|group-.*))$/;
const MANAGED_INSIDE = { img: /^(srcset|loading|fetchpriority|data-(coming|failed))$/, a: /^tabindex$/ };

/**
 * The nodes of a card with their attributes, texts and children, as they are in the template. What the card is filled with
 * is no part of it. A custom element manages its own children, and its classes and attributes that the template does not have:
 * libraries set some when they are ready. A strip in a card is left alone.
 */
export class CardState {
  #elements = []; // {element, attributes, isSet, children}. `isSet(name)`: the strip itself sets that attribute. `children` is null for a custom element
  #texts = []; // [node, text]
  #fields = [];

  /** @param {object[]} placeholders - of the card: see template.js. */
  constructor(card, placeholders) {
    const isFilled = (node, name) => placeholders.some((placeholder) => placeholder.node === node && placeholder.name === name);
    const add = (element) => {
      const isCustom = element.localName.includes("-");
      const managed = element === card ? MANAGED : isCustom ? /^class$/ : MANAGED_INSIDE[element.localName];
      const isSet = (name) => managed?.test(name) || isFilled(element, name) || (name === "hidden" && element.hasAttribute("data-if"));
      const attributes = new Map(element.getAttributeNames().filter((name) => !isSet(name)).map((name) => [name, element.getAttribute(name)]));
      const children = [...element.childNodes];
      this.#elements.push({ element, attributes, isSet, children: isCustom ? null : children });
      if (element.matches("input, textarea, option")) this.#fields.push(element);
      for (const child of children) {
        if (child instanceof Text && !isFilled(child)) this.#texts.push([child, child.data]);
        else if (child.localName && child.localName !== "carousel-strip") add(child);
      }
    };
    add(card);
  }

  /** Undoes what the page changed. */
  restore() {
    for (const { element, attributes, isSet, children } of this.#elements) {
      for (const name of element.getAttributeNames()) if (children && !attributes.has(name) && !isSet(name)) element.removeAttribute(name);
      for (const [name, value] of attributes) {
        if (element.getAttribute(name) === value) continue;
        if (name === "style") element.style.cssText = value; // a Content-Security-Policy may forbid the attribute
        else element.setAttribute(name, value);
      }
      const hasOtherChildren = () => element.childNodes[children.length] || children.some((child, k) => child !== element.childNodes[k]);
      if (!children || !hasOtherChildren()) continue;
      for (const child of [...element.childNodes]) if (!children.includes(child)) child.remove();
      if (hasOtherChildren()) element.append(...children);
    }
    for (const [node, text] of this.#texts) if (node.data !== text) node.data = text;
  }

  /** Undoes what a reader entered into fields. */
  clearEntries() {
    for (const field of this.#fields) {
      if (/^(checkbox|radio)$/.test(field.type)) Object.assign(field, { checked: field.defaultChecked, indeterminate: false });
      else if ("defaultSelected" in field) field.selected = field.defaultSelected;
      else field.value = field.defaultValue;
    }
  }
}
