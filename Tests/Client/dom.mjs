// The parts of a browser that modules of the page need. What a browser decides, such as layout, a test sets.

export class FakeElement extends EventTarget {
  childNodes = [];
  adoptedStyleSheets = [];
  dataset = {};
  style = { setProperty: (name, value) => (this.style[name] = value), removeProperty: (name) => delete this.style[name] };
  parentNode = null;
  hidden = false;
  #attributes = {};

  constructor(localName = "div") {
    super();
    this.localName = localName;
  }

  get children() {
    return this.childNodes.filter((node) => node instanceof FakeElement);
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  get textContent() {
    return this.childNodes.map((node) => node.textContent ?? node).join("");
  }

  get isConnected() {
    return this.getRootNode() === document;
  }

  getRootNode() {
    return this.parentNode?.getRootNode?.() ?? this.parentNode ?? this;
  }

  contains(node) {
    return node === this || (!!node?.parentNode && this.contains(node.parentNode));
  }

  append(...nodes) {
    for (const node of nodes) {
      node.remove?.();
      this.childNodes.push(node);
      if (node instanceof FakeElement) node.parentNode = this;
    }
  }

  before(...nodes) {
    const { parentNode } = this;
    for (const node of nodes) node.remove?.();
    const k = parentNode.childNodes.indexOf(this);
    const after = parentNode.childNodes.splice(k);
    parentNode.append(...nodes);
    parentNode.childNodes.push(...after);
  }

  after(...nodes) {
    const next = this.parentNode.childNodes[this.parentNode.childNodes.indexOf(this) + 1];
    if (next) next.before(...nodes);
    else this.parentNode.append(...nodes);
  }

  replaceChildren(...nodes) {
    for (const child of this.children) child.parentNode = null;
    this.childNodes = [];
    this.append(...nodes);
  }

  remove() {
    const { parentNode } = this;
    if (parentNode) parentNode.childNodes = parentNode.childNodes.filter((node) => node !== this);
    this.parentNode = null;
  }

  getAttribute = (name) => this.#attributes[name] ?? null;
  hasAttribute = (name) => name in this.#attributes;
  setAttribute = (name, value) => (this.#attributes[name] = `${value}`);
  removeAttribute = (name) => delete this.#attributes[name];
  getAttributeNames = () => Object.keys(this.#attributes);
  toggleAttribute = (name, isSet) => (isSet ? this.setAttribute(name, "") : this.removeAttribute(name));
  matches = () => false;
  querySelector = (selector) => this.querySelectorAll(selector)[0] ?? null;

  /** Knows `[name=value]` of a property. */
  querySelectorAll(selector) {
    const [, name, value] = /^\[(\w+)=(\w+)\]$/.exec(selector) ?? [];
    return this.children.flatMap((child) => [...(name && child[name] === value ? [child] : []), ...child.querySelectorAll(selector)]);
  }

  click = () => this.dispatchEvent(new Event("click"));
  focus = () => (document.activeElement = this);
}

class Observer {
  observe() {}
  disconnect() {}
  takeRecords = () => [];
}

/** Sets the globals of a page, and `more`. Modules that use them are imported after that. */
export function createPage(more = {}) {
  const document = Object.assign(new FakeElement("#document"), { createElement: (name) => new FakeElement(name), fonts: {}, getRootNode: () => document });
  document.body = document.documentElement = new FakeElement("body");
  document.append(document.body);
  const observers = Object.fromEntries(["MutationObserver", "ResizeObserver", "IntersectionObserver"].map((name) => [name, Observer]));
  const names = { document, window: new EventTarget(), customElements: { get() {} }, matchMedia: () => ({ matches: false }), Element: FakeElement, Text: class {}, ...observers };
  Object.assign(globalThis, names, more);
  return document;
}
